/** Letters about withdrawals. */
import { money, type Currency } from '#rules/money.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import type { Language } from '../../http/problem.ts'
import { amountText, commentText, timeText } from '../../i18n/format.ts'
import { recordOf, text, type Block, type MailTemplate, type Letterhead } from '../template.ts'

type Facts = Readonly<Record<string, unknown>>

const words = {
  requested: {
    en: {
      subject: (amount: string) => `We have your request to withdraw ${amount}`,
      body: (amount: string, account: string) =>
        `You asked us to send ${amount} to your bank account ending ${account}. The amount is set aside. We check the request and write to you when it is decided.`,
      after:
        'You did not ask for this? Write to us at once. You can cancel the request in Transactions History while it is pending.',
    },
    de: {
      subject: (amount: string) => `Ihr Auszahlungsauftrag über ${amount} ist bei uns`,
      body: (amount: string, account: string) =>
        `Sie haben uns beauftragt, ${amount} auf Ihr Bankkonto mit der Endung ${account} zu senden. Der Betrag ist zurückgelegt. Wir prüfen den Auftrag und schreiben Ihnen, sobald er entschieden ist.`,
      after:
        'Der Auftrag stammt nicht von Ihnen? Schreiben Sie uns sofort. Solange er offen ist, können Sie ihn unter Umsätze stornieren.',
    },
  },
  approved: {
    en: {
      subject: (amount: string) => `Your withdrawal of ${amount} is approved`,
      body: (amount: string, account: string) =>
        `${amount} has left your trading account. We send it to your bank account ending ${account} with our next payment run.`,
      after: 'We write to you when it leaves.',
    },
    de: {
      subject: (amount: string) => `Ihre Auszahlung von ${amount} ist genehmigt`,
      body: (amount: string, account: string) =>
        `${amount} haben Ihr Handelskonto verlassen. Wir senden den Betrag mit dem nächsten Zahlungslauf auf Ihr Bankkonto mit der Endung ${account}.`,
      after: 'Wir schreiben Ihnen, wenn er unterwegs ist.',
    },
  },
  paid: {
    en: {
      subject: (amount: string) => `We have sent ${amount} to your bank`,
      body: (amount: string, account: string, time: string) =>
        `We have sent ${amount} to your account ending ${account}.${time && ` It arrives ${time} later.`}`,
      after: '',
    },
    de: {
      subject: (amount: string) => `Wir haben ${amount} an Ihre Bank gesendet`,
      body: (amount: string, account: string, time: string) =>
        `Wir haben ${amount} auf Ihr Konto mit der Endung ${account} gesendet.${time && ` Der Betrag kommt ${time} später an.`}`,
      after: '',
    },
  },
  rejected: {
    en: {
      subject: (amount: string) => `We could not carry out your withdrawal of ${amount}`,
      body: (amount: string) =>
        `Your request to withdraw ${amount} was rejected. Nothing has left your trading account, and nothing is set aside for it any more.`,
      after: '',
    },
    de: {
      subject: (amount: string) => `Ihre Auszahlung von ${amount} wurde abgelehnt`,
      body: (amount: string) =>
        `Ihr Auszahlungsauftrag über ${amount} wurde abgelehnt. Von Ihrem Handelskonto ist nichts abgegangen, und dafür ist nichts mehr zurückgelegt.`,
      after: '',
    },
  },
  reversed: {
    en: {
      subject: (amount: string) => `Your withdrawal of ${amount} was not paid out`,
      body: (amount: string, account: string) =>
        `We did not send the withdrawal to your account ending ${account}. ${amount} is on your trading account again.`,
      after: 'Write to us if you have questions.',
    },
    de: {
      subject: (amount: string) => `Ihre Auszahlung von ${amount} wurde nicht ausgeführt`,
      body: (amount: string, account: string) =>
        `Wir haben die Auszahlung auf Ihr Konto mit der Endung ${account} nicht gesendet. ${amount} sind wieder auf Ihrem Handelskonto.`,
      after: 'Schreiben Sie uns, wenn Sie Fragen haben.',
    },
  },
  returned: {
    en: {
      subject: (amount: string) => `Your bank sent ${amount} back`,
      body: (amount: string, account: string) =>
        `The payment to your account ending ${account} came back. ${amount} is on your trading account again.`,
      after: 'Check your bank details before you ask for it again.',
    },
    de: {
      subject: (amount: string) => `Ihre Bank hat ${amount} zurückgesendet`,
      body: (amount: string, account: string) =>
        `Die Zahlung auf Ihr Konto mit der Endung ${account} kam zurück. ${amount} stehen wieder auf Ihrem Handelskonto.`,
      after: 'Prüfen Sie Ihre Bankdaten, bevor Sie die Auszahlung erneut anfordern.',
    },
  },
} as const

const labels = {
  en: { reference: 'Reference', reason: 'Reason', open: 'See the withdrawal' },
  de: { reference: 'Referenz', reason: 'Grund', open: 'Auszahlung ansehen' },
} as const

function render(news: keyof typeof words, which: 'minor' | 'arrivesMinor') {
  return (facts: Facts, language: Language, letterhead: Letterhead) => {
    const amount = amountText(
      money(BigInt(text(facts, which in facts ? which : 'minor')), text(facts, 'currency') as Currency),
      language,
    )
    const { subject, body, after } = words[news][language]
    const label = labels[language]
    const rows: [string, string][] = [[label.reference, text(facts, 'reference')]]
    if (typeof facts['reason'] === 'string' && facts['reason'] !== '')
      rows.push([label.reason, commentText(facts['reason'], language)])
    const blocks: Block[] = [
      { heading: subject(amount) },
      { text: body(amount, text(facts, 'account'), timeOf(facts, language)) },
      ...continuesOf(facts, language, letterhead),
      { rows },
      ...(after ? [{ text: after }] : []),
      { button: label.open, href: letterhead.portalUrl + portalPaths.history('withdrawals', recordOf(facts)) },
    ]
    return { subject: subject(amount), blocks }
  }
}

/** From when a request goes on, where it waits. Why it waits is told to staff alone. */
function continuesOf({ continuesAt }: Facts, language: Language, { timeZone }: Letterhead): Block[] {
  if (typeof continuesAt !== 'string') return []
  const time = timeText(new Date(continuesAt), language, timeZone)
  const sentence = {
    en: `We can continue with this withdrawal from ${time}.`,
    de: `Wir können diese Auszahlung ab ${time} weiter bearbeiten.`,
  }
  return [{ text: sentence[language] }]
}

/** How long the bank takes, as the firm's settings said it when the money left; '' where they say nothing. */
function timeOf({ timeEn, timeDe }: Facts, language: Language): string {
  const time = language === 'de' ? timeDe : timeEn
  return typeof time === 'string' ? time : ''
}

export const withdrawalMailTemplates = {
  'withdrawal-requested': render('requested', 'minor'),
  'withdrawal-approved': render('approved', 'minor'),
  'withdrawal-paid': render('paid', 'arrivesMinor'),
  'withdrawal-rejected': render('rejected', 'minor'),
  'withdrawal-reversed': render('reversed', 'minor'),
  'withdrawal-returned': render('returned', 'arrivesMinor'),
} as const satisfies Record<string, MailTemplate>
