/** Mails about trading accounts and their leverage. The first password never is in a mail. */
import { portalPaths } from '#contract/portal-paths.ts'
import { groupByFour } from '#rules/digit-groups.ts'
import type { Language } from '#rules/choices.ts'
import { commentText } from '../../i18n/format.ts'
import { text, type Block, type MailContent, type MailTemplate, type Letterhead } from '../template.ts'

type Facts = Readonly<Record<string, unknown>>

interface Words {
  readonly subject: (account: string) => string
  readonly body: (facts: Facts) => string
  readonly after?: string
}

const words = {
  opened: {
    en: {
      subject: (account) => `Your trading account ${account} is open`,
      body: (facts) =>
        `Your ${text(facts, 'platform')} account ${numberOf(facts)} is open. Log in to the server ${text(facts, 'server')}.`,
      after:
        'Your trading password is ready. Log in and select “Show the password” on the account to view it. You can view it once, within 7 days. We never send passwords by email.',
    },
    de: {
      subject: (account) => `Ihr Handelskonto ${account} ist eröffnet`,
      body: (facts) =>
        `Ihr ${text(facts, 'platform')}-Konto ${numberOf(facts)} ist eröffnet. Sie melden sich am Server ${text(facts, 'server')} an.`,
      after:
        'Ihr Handelspasswort ist bereit. Melden Sie sich an und wählen Sie beim Konto „Passwort zeigen“. Sie können es innerhalb von 7 Tagen einmal abrufen. Wir senden nie Passwörter per E-Mail.',
    },
  },
  rejected: {
    en: {
      subject: () => 'We could not open your trading account',
      body: (facts) =>
        `You requested an ${text(facts, 'platform')} ${text(facts, 'type')} account in ${text(facts, 'currency')}. We could not open it.`,
    },
    de: {
      subject: () => 'Wir konnten Ihr Handelskonto nicht eröffnen',
      body: (facts) =>
        `Sie haben ein ${text(facts, 'platform')}-${text(facts, 'type')}-Konto in ${text(facts, 'currency')} beantragt. Wir konnten es nicht eröffnen.`,
    },
  },
  changed: {
    en: {
      subject: (account) => `New leverage for account ${account}`,
      body: (facts) =>
        `The leverage of your account ${numberOf(facts)} is now ${text(facts, 'to')}. It was ${text(facts, 'from')} before.`,
    },
    de: {
      subject: (account) => `Neuer Hebel für Konto ${account}`,
      body: (facts) =>
        `Der Hebel Ihres Kontos ${numberOf(facts)} ist jetzt ${text(facts, 'to')}. Vorher war er ${text(facts, 'from')}.`,
    },
  },
  kept: {
    en: {
      subject: (account) => `The leverage of account ${account} has not changed`,
      body: (facts) =>
        `We could not change the leverage of your account ${numberOf(facts)} to ${text(facts, 'to')}. It stays at ${text(facts, 'from')}.`,
    },
    de: {
      subject: (account) => `Der Hebel von Konto ${account} bleibt unverändert`,
      body: (facts) =>
        `Wir konnten den Hebel Ihres Kontos ${numberOf(facts)} nicht auf ${text(facts, 'to')} ändern. Er bleibt bei ${text(facts, 'from')}.`,
    },
  },
} as const satisfies Record<string, Record<Language, Words>>

const labels = {
  en: { reason: 'Reason', open: 'View trading accounts' },
  de: { reason: 'Begründung', open: 'Handelskonten ansehen' },
} as const

function numberOf(facts: Facts): string {
  return groupByFour(text(facts, 'number'))
}

function render(news: keyof typeof words) {
  return (facts: Facts, language: Language, letterhead: Letterhead): MailContent => {
    const { subject, body, after }: Words = words[news][language]
    const title = subject(typeof facts['number'] === 'string' ? numberOf(facts) : '')
    const reason = facts['reason']
    const path = facts['requestType'] === 'demo' ? portalPaths.demoAccounts : portalPaths.tradingAccounts
    const blocks: Block[] = [
      { heading: title },
      { text: body(facts) },
      ...(typeof reason === 'string' && reason !== ''
        ? [{ rows: [[labels[language].reason, commentText(reason, language)]] as const }]
        : []),
      ...(after === undefined ? [] : [{ text: after }]),
      { button: labels[language].open, href: letterhead.portalUrl + path },
    ]
    return { subject: title, blocks }
  }
}

export const accountMailTemplates = {
  'account-opened': render('opened'),
  'account-rejected': render('rejected'),
  'leverage-changed': render('changed'),
  'leverage-rejected': render('kept'),
} as const satisfies Record<string, MailTemplate>
