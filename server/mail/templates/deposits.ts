/** Mails about deposits, including the bank transfer details. */
import { msg } from '#contract/message.ts'
import { groupByFour } from '#rules/digit-groups.ts'
import type { Language } from '#rules/choices.ts'
import { dayText } from '../../i18n/format.ts'
import { accountOf, amountOf, recordButton, referenceRows } from '../payment-blocks.ts'
import { mailText, factText, type Facts, type MailTemplate, type MailTexts } from '../template.ts'

const texts = {
  credited: {
    subject: msg`{amount} has been credited to your trading account {account}`,
    body: msg`We have credited your deposit of {amount} to your trading account {account}.`,
  },
  rejected: {
    subject: msg`We could not credit your deposit of {amount} to trading account {account}`,
    body: msg`Your deposit of {amount} to trading account {account} was rejected.`,
  },
  /** The money was received, and the platform rejected the credit. */
  refused: {
    subject: msg`We could not credit {amount} to your trading account {account}`,
    body: msg`We received your payment of {amount} but could not credit trading account {account}. We have your money and will credit or return it. We will email you. Do not pay again.`,
  },
  /** The provider reported a payment that cannot be credited as it is. */
  inReview: {
    subject: msg`We are checking your payment to trading account {account}`,
    body: msg`We have not credited your deposit of {amount} to trading account {account}. The payment provider has the payment of {paid}. We aim to email you by {day}. Do not pay again.`,
  },
  cancelled: {
    subject: msg`Your deposit of {amount} to trading account {account} has expired`,
    body: msg`We did not receive your deposit of {amount} for trading account {account} within 30 days. If you still want to deposit, start a new deposit. It will have a new reference.`,
  },
  refunded: {
    subject: msg`{amount} of your deposit to trading account {account} has been refunded`,
    body: msg`The payment provider has refunded {amount} of your deposit to trading account {account}.`,
  },
  chargedBack: {
    subject: msg`{amount} of your deposit to trading account {account} has been charged back`,
    body: msg`Your bank or card issuer has charged back {amount} of your deposit to trading account {account}. This happens when a payment is disputed. If you did not dispute it, contact us.`,
  },
} as const satisfies Record<string, MailTexts>

const open = msg`View deposit`

function render(news: keyof typeof texts): MailTemplate {
  return (facts, language, letterhead) => {
    const values = {
      amount: amountOf(facts, language),
      account: accountOf(facts),
      ...(news === 'inReview' && {
        paid: amountOf(facts, language, 'paidMinor', 'paidCurrency'),
        day: dayText(new Date(Number(facts['until']) * 1000), language, letterhead.timeZone),
      }),
    }
    const { subject, body }: MailTexts = texts[news]
    const blocks = [
      { text: mailText(body, language, values) },
      referenceRows(facts, language),
      recordButton(open, 'deposits', facts, language, letterhead),
    ]
    return { subject: mailText(subject, language, values), blocks }
  }
}

/** The labels of the bank transfer details, for the mail and for the PDF. */
export const wireLabels = {
  title: msg`Bank details for your transfer`,
  hint: msg`Enter the reference exactly as shown. Without it we cannot identify your payment.`,
  until: msg`This deposit is for your trading account {account}. If your payment has not arrived by {day}, we will cancel this request.`,
  amount: msg`Amount`,
  AccountHolder: msg`Account holder`,
  BankAccountNumber: msg`Account number`,
  SpecialId: msg`Sort code`,
  IBAN: msg`IBAN`,
  SwiftCode: msg`SWIFT/BIC`,
  BankName: msg`Bank`,
  BankReference: msg`Reference`,
} as const

const wireFields = [
  'AccountHolder',
  'IBAN',
  'SwiftCode',
  'BankAccountNumber',
  'SpecialId',
  'BankName',
  'BankReference',
] as const

/** Returns the bank transfer details as labelled rows without empty ones. */
export function wireRows(details: Facts, amount: string, language: Language): [string, string][] {
  const rows: [string, string][] = [[mailText(wireLabels.amount, language), amount]]
  for (const field of wireFields) {
    const value = details[field]
    if (typeof value === 'string' && value !== '') rows.push([mailText(wireLabels[field], language), value])
  }
  return rows
}

const wireDetails: MailTemplate = (facts, language, letterhead) => {
  const amount = amountOf(facts, language)
  const heading = mailText(wireLabels.title, language)
  const { until } = facts
  return {
    subject: `${heading}: ${factText(facts, 'BankReference')}`,
    heading,
    blocks: [
      { rows: wireRows(facts, amount, language) },
      { text: mailText(wireLabels.hint, language) },
      ...(typeof until === 'number'
        ? [
            {
              text: mailText(wireLabels.until, language, {
                account: groupByFour(factText(facts, 'account')),
                day: dayText(new Date(until * 1000), language, letterhead.timeZone),
              }),
            },
          ]
        : []),
      recordButton(open, 'deposits', facts, language, letterhead),
    ],
  }
}

export const depositMailTemplates = {
  'deposit-credited': render('credited'),
  'deposit-rejected': render('rejected'),
  'deposit-refused': render('refused'),
  'deposit-in-review': render('inReview'),
  'deposit-cancelled': render('cancelled'),
  'deposit-refunded': render('refunded'),
  'deposit-charged-back': render('chargedBack'),
  'wire-details': wireDetails,
} as const satisfies Record<string, MailTemplate>
