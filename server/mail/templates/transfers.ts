/** Mails about transfers between a client's own trading accounts. */
import { msg } from '#contract/message.ts'
import { groupByFour } from '#rules/digit-groups.ts'
import type { Language } from '#rules/choices.ts'
import { amountOf, recordButton, referenceRows } from '../payment-blocks.ts'
import {
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

const open = msg`View transfer`

function render(news: keyof typeof words) {
  return (facts: Facts, language: Language, letterhead: Letterhead): MailContent => {
    const amount = amountOf(facts, language)
    const account = (name: string) => groupByFour(text(facts, name))
    const { subject, body }: MailWords = words[news]
    const title = mailText(subject, language, { amount })
    const blocks: Block[] = [
      { heading: title },
      {
        text: mailText(body, language, {
          amount,
          source: account('source'),
          destination: account('destination'),
          arrives: amountOf(facts, language, 'arrivesMinor', 'arrivesCurrency'),
        }),
      },
      referenceRows(facts, language),
      recordButton(open, 'transfers', facts, language, letterhead),
    ]
    return { subject: title, blocks }
  }
}

export const transferMailTemplates = {
  'transfer-approved': render('approved'),
  'transfer-rejected': render('rejected'),
} as const satisfies Record<string, MailTemplate>
