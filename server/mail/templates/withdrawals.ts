/** Mails about withdrawals. */
import { msg, type Message } from '#contract/message.ts'
import type { Language } from '#rules/choices.ts'
import { timeText } from '../../i18n/format.ts'
import { accountOf, amountOf, recordButton, referenceRows } from '../payment-blocks.ts'
import {
  mailText,
  factText,
  type Block,
  type Facts,
  type Letterhead,
  type MailTemplate,
  type MailTexts,
} from '../template.ts'

interface TemplateTexts extends MailTexts {
  /** Follows the body if the settings have the bank's usual time. */
  readonly arrival?: Message
  readonly after?: Message
}

const texts = {
  requested: {
    subject: msg`We have received your request to withdraw {amount} from {from}`,
    body: msg`You requested a withdrawal of {amount} from {from} to your bank account ending {account}. We have set the amount aside. We will review your request and email you our decision.`,
    after: msg`If you did not request this, contact us immediately. You can cancel the request in Transactions History while it is pending.`,
  },
  approved: {
    subject: msg`Your withdrawal of {amount} from {from} has been approved`,
    body: msg`{amount} has been debited from {from}. We will send it to your bank account ending {account} with our next payout batch.`,
    after: msg`We will email you when we send it.`,
  },
  paid: {
    subject: msg`We have sent {amount} from {from} to your bank`,
    body: msg`We have sent {amount} from {from} to your bank account ending {account}.`,
    arrival: msg`It should arrive {time} later.`,
  },
  rejected: {
    subject: msg`We could not carry out your withdrawal of {amount} from {from}`,
    body: msg`Your request to withdraw {amount} from {from} was rejected. No money has left the account. The amount set aside is available again.`,
  },
  reversed: {
    subject: msg`Your withdrawal of {amount} from {from} was not paid out`,
    body: msg`We did not send the withdrawal to your bank account ending {account}. {amount} has been credited back to {from}.`,
    after: msg`If you have questions, contact us.`,
  },
  returned: {
    subject: msg`Your bank returned your withdrawal of {amount} from {from}`,
    body: msg`The payment to your bank account ending {account} was returned. {amount} has been credited back to {from}.`,
    after: msg`Check your bank details before you request another withdrawal.`,
  },
} as const satisfies Record<string, TemplateTexts>

const open = msg`View withdrawal`

function render(news: keyof typeof texts, which: 'minor' | 'arrivesMinor'): MailTemplate {
  return (facts, language, letterhead) => {
    const amount = amountOf(facts, language, which in facts ? which : 'minor')
    const { subject, body, arrival, after }: TemplateTexts = texts[news]
    const time = bankTimeText(facts, language)
    const values = { amount, from: sourceAccountText(facts, language), account: factText(facts, 'account'), time }
    const sentences = [body, ...(arrival && time !== '' ? [arrival] : [])]
    const blocks = [
      { text: sentences.map((one) => mailText(one, language, values)).join(' ') },
      ...continuationBlocks(facts, language, letterhead),
      referenceRows(facts, language),
      ...(after ? [{ text: mailText(after, language) }] : []),
      recordButton(open, 'withdrawals', facts, language, letterhead),
    ]
    return { subject: mailText(subject, language, values), blocks }
  }
}

/** Returns the trading account, which older mails do not name. */
function sourceAccountText(facts: Facts, language: Language): string {
  if (!('tradingAccount' in facts)) return mailText(msg`your trading account`, language)
  return mailText(msg`your trading account {account}`, language, { account: accountOf(facts, 'tradingAccount') })
}

/** Returns when a pending request continues. The reason is only for staff. */
function continuationBlocks({ continuesAt }: Facts, language: Language, { timeZone }: Letterhead): Block[] {
  if (typeof continuesAt !== 'string') return []
  const time = timeText(new Date(continuesAt), language, timeZone)
  return [{ text: mailText(msg`We can continue with this withdrawal from {time}.`, language, { time }) }]
}

/** Returns the bank's usual time according to the firm's settings when the money was sent, or ''. */
function bankTimeText(facts: Facts, language: Language): string {
  const time = facts[timeFact(language)] ?? facts[timeFact('en')]
  return typeof time === 'string' ? time : ''
}

/** Returns the name of the fact with the time in a language: "timeEn". */
export function timeFact(language: Language): string {
  return `time${language.charAt(0).toUpperCase()}${language.slice(1)}`
}

export const withdrawalMailTemplates = {
  'withdrawal-requested': render('requested', 'minor'),
  'withdrawal-approved': render('approved', 'minor'),
  'withdrawal-paid': render('paid', 'arrivesMinor'),
  'withdrawal-rejected': render('rejected', 'minor'),
  'withdrawal-reversed': render('reversed', 'minor'),
  'withdrawal-returned': render('returned', 'arrivesMinor'),
} as const satisfies Record<string, MailTemplate>
