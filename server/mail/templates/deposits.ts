/** Mails about deposits, and the wire details again. */
import { portalPaths } from '#contract/portal-paths.ts'
import { groupByFour } from '#rules/digit-groups.ts'
import { money, type Currency } from '#rules/money.ts'
import type { Language } from '#rules/choices.ts'
import { amountText, commentText, dayText } from '../../i18n/format.ts'
import { recordOf, text, type Block, type MailContent, type MailTemplate, type Letterhead } from '../template.ts'

type Facts = Readonly<Record<string, unknown>>

interface Words {
  readonly subject: (amount: string) => string
  readonly body: (amount: string, account: string) => string
}

const words = {
  credited: {
    en: {
      subject: (amount) => `${amount} has been credited to your trading account`,
      body: (amount, account) => `We have credited your deposit of ${amount} to your trading account ${account}.`,
    },
    de: {
      subject: (amount) => `${amount} wurden Ihrem Handelskonto gutgeschrieben`,
      body: (amount, account) =>
        `Wir haben Ihre Einzahlung von ${amount} Ihrem Handelskonto ${account} gutgeschrieben.`,
    },
  },
  rejected: {
    en: {
      subject: (amount) => `We could not credit your deposit of ${amount}`,
      body: (amount, account) => `Your deposit of ${amount} to trading account ${account} was rejected.`,
    },
    de: {
      subject: (amount) => `Ihre Einzahlung von ${amount} konnten wir nicht gutschreiben`,
      body: (amount, account) => `Ihre Einzahlung von ${amount} auf das Handelskonto ${account} wurde abgelehnt.`,
    },
  },
  /** The money came, and the platform would not take it. */
  refused: {
    en: {
      subject: (amount) => `We could not credit ${amount} to your trading account`,
      body: (amount, account) =>
        `We received your payment of ${amount} but could not credit trading account ${account}. We have your money and will credit or return it. We will email you. Do not pay again.`,
    },
    de: {
      subject: (amount) => `Wir konnten ${amount} Ihrem Handelskonto nicht gutschreiben`,
      body: (amount, account) =>
        `Ihre Zahlung von ${amount} ist eingegangen, aber die Gutschrift auf dem Handelskonto ${account} war nicht möglich. Das Geld ist bei uns. Wir schreiben es gut oder überweisen es zurück und informieren Sie. Zahlen Sie nicht noch einmal.`,
    },
  },
  cancelled: {
    en: {
      subject: (amount) => `Your deposit of ${amount} has expired`,
      body: (amount, account) =>
        `We did not receive your deposit of ${amount} for trading account ${account} within 30 days. If you still want to deposit, start a new deposit. It will have a new reference.`,
    },
    de: {
      subject: (amount) => `Ihre Einzahlung von ${amount} ist abgelaufen`,
      body: (amount, account) =>
        `Ihre Einzahlung von ${amount} auf das Handelskonto ${account} ist innerhalb von 30 Tagen nicht eingegangen. Wenn Sie noch einzahlen möchten, beginnen Sie eine neue Einzahlung. Sie erhält eine neue Referenz.`,
    },
  },
  refunded: {
    en: {
      subject: (amount) => `${amount} of your deposit has been refunded`,
      body: (amount, account) =>
        `The payment provider has refunded ${amount} of your deposit to trading account ${account}.`,
    },
    de: {
      subject: (amount) => `${amount} Ihrer Einzahlung wurden erstattet`,
      body: (amount, account) =>
        `Der Zahlungsanbieter hat ${amount} Ihrer Einzahlung auf das Handelskonto ${account} erstattet.`,
    },
  },
  chargedBack: {
    en: {
      subject: (amount) => `${amount} of your deposit has been charged back`,
      body: (amount, account) =>
        `Your bank or card issuer has charged back ${amount} of your deposit to trading account ${account}. This happens when a payment is disputed. If you did not dispute it, contact us.`,
    },
    de: {
      subject: (amount) => `Rückbelastung über ${amount} zu Ihrer Einzahlung`,
      body: (amount, account) =>
        `Ihre Bank oder Ihr Kartenherausgeber hat ${amount} Ihrer Einzahlung auf das Handelskonto ${account} rückbelastet. Dazu kommt es, wenn eine Zahlung reklamiert wird. Wenn Sie sie nicht reklamiert haben, schreiben Sie uns bitte.`,
    },
  },
} as const satisfies Record<string, Record<Language, Words>>

const labels = {
  en: { reference: 'Reference', reason: 'Reason', open: 'View deposit' },
  de: { reference: 'Referenz', reason: 'Begründung', open: 'Einzahlung ansehen' },
} as const

function render(news: keyof typeof words) {
  return (facts: Facts, language: Language, letterhead: Letterhead): MailContent => {
    const amount = amountText(money(BigInt(text(facts, 'minor')), text(facts, 'currency') as Currency), language)
    const { subject, body }: Words = words[news][language]
    const label = labels[language]
    const rows: [string, string][] = [[label.reference, text(facts, 'reference')]]
    if (typeof facts['reason'] === 'string' && facts['reason'] !== '')
      rows.push([label.reason, commentText(facts['reason'], language)])
    const blocks: Block[] = [
      { heading: subject(amount) },
      { text: body(amount, groupByFour(text(facts, 'account'))) },
      { rows },
      { button: label.open, href: letterhead.portalUrl + portalPaths.history('deposits', recordOf(facts)) },
    ]
    return { subject: subject(amount), blocks }
  }
}

/** The labels of the wire details, for the mail and for the PDF. */
export const wireLabels = {
  en: {
    title: 'Bank details for your transfer',
    hint: 'Enter the reference exactly as shown. Without it we cannot identify your payment.',
    until: (account: string, day: string) =>
      `This deposit is for your trading account ${account}. If your payment has not arrived by ${day}, we will cancel this request.`,
    amount: 'Amount',
    AccountHolder: 'Account holder',
    BankAccountNumber: 'Account number',
    SpecialId: 'Sort code',
    IBAN: 'IBAN',
    SwiftCode: 'SWIFT/BIC',
    BankName: 'Bank',
    BankReference: 'Reference',
  },
  de: {
    title: 'Bankverbindung für Ihre Überweisung',
    hint: 'Geben Sie die Referenz genau so an. Ohne sie können wir Ihre Zahlung nicht zuordnen.',
    until: (account: string, day: string) =>
      `Diese Einzahlung ist für Ihr Handelskonto ${account}. Geht Ihre Zahlung bis ${day} nicht ein, stornieren wir den Auftrag.`,
    amount: 'Betrag',
    AccountHolder: 'Kontoinhaber',
    BankAccountNumber: 'Kontonummer',
    SpecialId: 'Sort Code',
    IBAN: 'IBAN',
    SwiftCode: 'SWIFT/BIC',
    BankName: 'Bank',
    BankReference: 'Referenz',
  },
} as const

export const wireFields = [
  'AccountHolder',
  'IBAN',
  'SwiftCode',
  'BankAccountNumber',
  'SpecialId',
  'BankName',
  'BankReference',
] as const

/** The wire details as labelled rows, empty ones left out. */
export function wireRows(details: Facts, amount: string, language: Language): [string, string][] {
  const label = wireLabels[language]
  const rows: [string, string][] = [[label.amount, amount]]
  for (const field of wireFields) {
    const value = details[field]
    if (typeof value === 'string' && value !== '') rows.push([label[field], value])
  }
  return rows
}

function wireDetails(facts: Facts, language: Language, letterhead: Letterhead): MailContent {
  const amount = amountText(money(BigInt(text(facts, 'minor')), text(facts, 'currency') as Currency), language)
  const label = wireLabels[language]
  const { until } = facts
  return {
    subject: `${label.title}: ${text(facts, 'BankReference')}`,
    blocks: [
      { heading: label.title },
      { rows: wireRows(facts, amount, language) },
      { text: label.hint },
      ...(typeof until === 'number'
        ? [
            {
              text: label.until(
                groupByFour(text(facts, 'account')),
                dayText(new Date(until * 1000), language, letterhead.timeZone),
              ),
            },
          ]
        : []),
      { button: labels[language].open, href: letterhead.portalUrl + portalPaths.history('deposits', recordOf(facts)) },
    ],
  }
}

export const depositMailTemplates = {
  'deposit-credited': render('credited'),
  'deposit-rejected': render('rejected'),
  'deposit-refused': render('refused'),
  'deposit-cancelled': render('cancelled'),
  'deposit-refunded': render('refunded'),
  'deposit-charged-back': render('chargedBack'),
  'wire-details': wireDetails,
} as const satisfies Record<string, MailTemplate>
