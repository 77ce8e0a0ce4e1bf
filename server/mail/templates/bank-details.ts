/** Mails about a client's bank accounts. */
import { portalPaths } from '#contract/portal-paths.ts'
import { recordOf, text, type Block, type MailTemplate } from '../template.ts'

const words = {
  added: {
    en: {
      subject: (account: string) => `A bank account ending ${account} has been added`,
      body: (bank: string) =>
        `Your account at ${bank} has been added and we are reviewing it. If this was not you, change your password and contact us immediately.`,
    },
    de: {
      subject: (account: string) => `Ein Bankkonto mit der Endung ${account} wurde hinzugefügt`,
      body: (bank: string) =>
        `Ihr Konto bei ${bank} wurde hinzugefügt. Wir prüfen es. Falls Sie das nicht waren, ändern Sie Ihr Passwort und kontaktieren Sie uns umgehend.`,
    },
  },
  approved: {
    en: {
      subject: (account: string) => `Your bank account ending ${account} has been approved`,
      body: (bank: string) => `We have verified your account at ${bank}. You can now withdraw to it.`,
    },
    de: {
      subject: (account: string) => `Ihr Bankkonto mit der Endung ${account} wurde freigegeben`,
      body: (bank: string) =>
        `Wir haben Ihr Konto bei ${bank} geprüft. Sie können sich jetzt Geld dorthin auszahlen lassen.`,
    },
  },
  rejected: {
    en: {
      subject: (account: string) => `We could not approve your bank account ending ${account}`,
      body: (bank: string) =>
        `We need you to correct the details of your account at ${bank}. We will review them again.`,
    },
    de: {
      subject: (account: string) => `Wir konnten Ihr Bankkonto mit der Endung ${account} nicht freigeben`,
      body: (bank: string) =>
        `Bitte korrigieren Sie die Angaben zu Ihrem Konto bei ${bank}. Wir prüfen sie dann erneut.`,
    },
  },
} as const

const labels = {
  en: { reason: 'Reason', open: 'View bank details' },
  de: { reason: 'Begründung', open: 'Bankverbindungen ansehen' },
} as const

function render(news: keyof typeof words): MailTemplate {
  return (facts, language, letterhead) => {
    const { subject, body } = words[news][language]
    const blocks: Block[] = [{ heading: subject(text(facts, 'account')) }, { text: body(text(facts, 'bank')) }]
    if (typeof facts['reason'] === 'string') blocks.push({ rows: [[labels[language].reason, facts['reason']]] })
    const record = recordOf(facts)
    const path = record === undefined ? portalPaths.bankDetails : portalPaths.bankRecord(record)
    blocks.push({ button: labels[language].open, href: letterhead.portalUrl + path })
    return { subject: subject(text(facts, 'account')), blocks }
  }
}

export const bankDetailsMailTemplates = {
  'bank-details-added': render('added'),
  'bank-details-approved': render('approved'),
  'bank-details-rejected': render('rejected'),
} as const satisfies Record<string, MailTemplate>
