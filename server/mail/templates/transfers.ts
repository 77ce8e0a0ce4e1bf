/** Mails about transfers between own trading accounts. */
import { portalPaths } from '#contract/portal-paths.ts'
import { groupByFour } from '#rules/digit-groups.ts'
import { money, type Currency } from '#rules/money.ts'
import type { Language } from '#rules/choices.ts'
import { amountText, commentText } from '../../i18n/format.ts'
import { recordOf, text, type Block, type MailContent, type MailTemplate, type Letterhead } from '../template.ts'

type Facts = Readonly<Record<string, unknown>>

interface Words {
  readonly subject: (amount: string) => string
  readonly body: (amount: string, source: string, destination: string, arrives: string) => string
}

const words = {
  approved: {
    en: {
      subject: (amount) => `Your transfer of ${amount} is complete`,
      body: (amount, source, destination, arrives) =>
        `${amount} has been debited from account ${source}. ${arrives} has been credited to account ${destination}.`,
    },
    de: {
      subject: (amount) => `Ihre Umbuchung von ${amount} wurde ausgeführt`,
      body: (amount, source, destination, arrives) =>
        `${amount} wurden vom Konto ${source} abgebucht. ${arrives} wurden dem Konto ${destination} gutgeschrieben.`,
    },
  },
  rejected: {
    en: {
      subject: (amount) => `We could not carry out your transfer of ${amount}`,
      body: (amount, source, destination) =>
        `Your transfer of ${amount} from account ${source} to account ${destination} was rejected. No money has left account ${source}. The amount set aside is available again.`,
    },
    de: {
      subject: (amount) => `Ihre Umbuchung von ${amount} wurde abgelehnt`,
      body: (amount, source, destination) =>
        `Ihre Umbuchung von ${amount} von Konto ${source} auf Konto ${destination} wurde abgelehnt. Vom Konto ${source} wurde nichts abgebucht. Der reservierte Betrag ist wieder verfügbar.`,
    },
  },
} as const satisfies Record<string, Record<Language, Words>>

const labels = {
  en: { reference: 'Reference', reason: 'Reason', open: 'View transfer' },
  de: { reference: 'Referenz', reason: 'Begründung', open: 'Umbuchung ansehen' },
} as const

function render(news: keyof typeof words) {
  return (facts: Facts, language: Language, letterhead: Letterhead): MailContent => {
    const shown = (minor: string, currency: string) =>
      amountText(money(BigInt(text(facts, minor)), text(facts, currency) as Currency), language)
    const amount = shown('minor', 'currency')
    const account = (name: string) => groupByFour(text(facts, name))
    const { subject, body }: Words = words[news][language]
    const label = labels[language]
    const rows: [string, string][] = [[label.reference, text(facts, 'reference')]]
    if (typeof facts['reason'] === 'string' && facts['reason'] !== '')
      rows.push([label.reason, commentText(facts['reason'], language)])
    const blocks: Block[] = [
      { heading: subject(amount) },
      {
        text: body(amount, account('source'), account('destination'), shown('arrivesMinor', 'arrivesCurrency')),
      },
      { rows },
      { button: label.open, href: letterhead.portalUrl + portalPaths.history('transfers', recordOf(facts)) },
    ]
    return { subject: subject(amount), blocks }
  }
}

export const transferMailTemplates = {
  'transfer-approved': render('approved'),
  'transfer-rejected': render('rejected'),
} as const satisfies Record<string, MailTemplate>
