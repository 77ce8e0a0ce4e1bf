/** Mails about withdrawals. */
import { money, type Currency } from '#rules/money.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import type { Language } from '#rules/choices.ts'
import { amountText, commentText, timeText } from '../../i18n/format.ts'
import { recordOf, text, type Block, type MailTemplate, type Letterhead } from '../template.ts'

type Facts = Readonly<Record<string, unknown>>

const words = {
  requested: {
    en: {
      subject: (amount: string) => `We have received your request to withdraw ${amount}`,
      body: (amount: string, account: string) =>
        `You requested a withdrawal of ${amount} to your bank account ending ${account}. We have set the amount aside. We will review your request and email you our decision.`,
      after:
        'If you did not request this, contact us immediately. You can cancel the request in Transactions History while it is pending.',
    },
    de: {
      subject: (amount: string) => `Ihr Auszahlungsauftrag über ${amount} ist eingegangen`,
      body: (amount: string, account: string) =>
        `Sie haben eine Auszahlung von ${amount} auf Ihr Bankkonto mit der Endung ${account} beantragt. Der Betrag ist reserviert. Wir prüfen Ihren Auftrag und senden Ihnen unsere Entscheidung per E-Mail.`,
      after:
        'Falls der Auftrag nicht von Ihnen stammt, kontaktieren Sie uns umgehend. Solange er offen ist, können Sie ihn unter Umsätze stornieren.',
    },
  },
  approved: {
    en: {
      subject: (amount: string) => `Your withdrawal of ${amount} has been approved`,
      body: (amount: string, account: string) =>
        `${amount} has been debited from your trading account. We will send it to your bank account ending ${account} with our next payout run.`,
      after: 'We will email you when we send it.',
    },
    de: {
      subject: (amount: string) => `Ihre Auszahlung von ${amount} wurde freigegeben`,
      body: (amount: string, account: string) =>
        `${amount} wurden von Ihrem Handelskonto abgebucht. Wir überweisen den Betrag mit dem nächsten Zahlungslauf auf Ihr Bankkonto mit der Endung ${account}.`,
      after: 'Wir schreiben Ihnen, sobald wir überweisen.',
    },
  },
  paid: {
    en: {
      subject: (amount: string) => `We have sent ${amount} to your bank`,
      body: (amount: string, account: string, time: string) =>
        `We have sent ${amount} to your account ending ${account}.${time && ` It should arrive ${time} later.`}`,
      after: '',
    },
    de: {
      subject: (amount: string) => `Wir haben ${amount} an Ihre Bank überwiesen`,
      body: (amount: string, account: string, time: string) =>
        `Wir haben ${amount} auf Ihr Konto mit der Endung ${account} überwiesen.${time && ` Der Betrag sollte ${time} später ankommen.`}`,
      after: '',
    },
  },
  rejected: {
    en: {
      subject: (amount: string) => `We could not carry out your withdrawal of ${amount}`,
      body: (amount: string) =>
        `Your request to withdraw ${amount} was rejected. No money has left your trading account. The amount set aside is available again.`,
      after: '',
    },
    de: {
      subject: (amount: string) => `Ihre Auszahlung von ${amount} wurde abgelehnt`,
      body: (amount: string) =>
        `Ihr Auszahlungsauftrag über ${amount} wurde abgelehnt. Von Ihrem Handelskonto wurde nichts abgebucht. Der reservierte Betrag ist wieder verfügbar.`,
      after: '',
    },
  },
  reversed: {
    en: {
      subject: (amount: string) => `Your withdrawal of ${amount} was not paid out`,
      body: (amount: string, account: string) =>
        `We did not send the withdrawal to your account ending ${account}. ${amount} has been credited back to your trading account.`,
      after: 'If you have questions, contact us.',
    },
    de: {
      subject: (amount: string) => `Ihre Auszahlung von ${amount} wurde nicht ausgeführt`,
      body: (amount: string, account: string) =>
        `Wir haben die Auszahlung auf Ihr Konto mit der Endung ${account} nicht überwiesen. ${amount} wurden Ihrem Handelskonto wieder gutgeschrieben.`,
      after: 'Bei Fragen kontaktieren Sie uns.',
    },
  },
  returned: {
    en: {
      subject: (amount: string) => `Your bank returned ${amount}`,
      body: (amount: string, account: string) =>
        `The payment to your account ending ${account} was returned. ${amount} has been credited back to your trading account.`,
      after: 'Check your bank details before you request another withdrawal.',
    },
    de: {
      subject: (amount: string) => `Ihre Bank hat ${amount} zurücküberwiesen`,
      body: (amount: string, account: string) =>
        `Die Zahlung auf Ihr Konto mit der Endung ${account} wurde zurücküberwiesen. ${amount} wurden Ihrem Handelskonto wieder gutgeschrieben.`,
      after: 'Prüfen Sie Ihre Bankverbindung, bevor Sie eine neue Auszahlung beantragen.',
    },
  },
} as const

const labels = {
  en: { reference: 'Reference', reason: 'Reason', open: 'View withdrawal' },
  de: { reference: 'Referenz', reason: 'Begründung', open: 'Auszahlung ansehen' },
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
