/** Mails about transfers between own trading accounts. */
import { msg } from '#contract/message.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { groupByFour } from '#rules/digit-groups.ts'
import { money, type Currency } from '#rules/money.ts'
import type { Language } from '#rules/choices.ts'
import { amountText, commentText } from '../../i18n/format.ts'
import {
  recordOf,
  text,
  type Block,
  type MailContent,
  type MailTemplate,
  type Letterhead,
  mailText,
  type Facts,
  type MailWords,
} from '../template.ts'

const words = {
  approved: {
    subject: msg`Your transfer of {amount} is complete`,
    body: msg`{amount} has been debited from account {source}. {arrives} has been credited to account {destination}.`,
  },
  rejected: {
    subject: msg`We could not carry out your transfer of {amount}`,
    body: msg`Your transfer of {amount} from account {source} to account {destination} was rejected. No money has left account {source}. The amount set aside is available again.`,
  },
} as const satisfies Record<string, MailWords>

const labels = { reference: msg`Reference`, reason: msg`Reason`, open: msg`View transfer` } as const

function render(news: keyof typeof words) {
  return (facts: Facts, language: Language, letterhead: Letterhead): MailContent => {
    const shown = (minor: string, currency: string) =>
      amountText(money(BigInt(text(facts, minor)), text(facts, currency) as Currency), language)
    const amount = shown('minor', 'currency')
    const account = (name: string) => groupByFour(text(facts, name))
    const { subject, body }: MailWords = words[news]
    const title = mailText(subject, language, { amount })
    const rows: [string, string][] = [[mailText(labels.reference, language), text(facts, 'reference')]]
    if (typeof facts['reason'] === 'string' && facts['reason'] !== '')
      rows.push([mailText(labels.reason, language), commentText(facts['reason'], language)])
    const blocks: Block[] = [
      { heading: title },
      {
        text: mailText(body, language, {
          amount,
          source: account('source'),
          destination: account('destination'),
          arrives: shown('arrivesMinor', 'arrivesCurrency'),
        }),
      },
      { rows },
      {
        button: mailText(labels.open, language),
        href: letterhead.portalUrl + portalPaths.history('transfers', recordOf(facts)),
      },
    ]
    return { subject: title, blocks }
  }
}

export const transferMailTemplates = {
  'transfer-approved': render('approved'),
  'transfer-rejected': render('rejected'),
} as const satisfies Record<string, MailTemplate>
