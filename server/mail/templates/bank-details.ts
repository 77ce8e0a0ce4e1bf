/** Letters about a client's bank accounts. */
import { portalPaths } from '#contract/portal-paths.ts'
import { recordOf, text, type Block, type MailTemplate } from '../template.ts'

const words = {
  added: {
    en: {
      subject: (account: string) => `A bank account ending ${account} was added`,
      body: (bank: string) =>
        `Your account at ${bank} was entered and waits for our check. If that was not you, change your password and tell us at once.`,
    },
    de: {
      subject: (account: string) => `Ein Bankkonto mit der Endung ${account} wurde hinzugefügt`,
      body: (bank: string) =>
        `Ihr Konto bei ${bank} wurde eingetragen und wartet auf unsere Prüfung. Wenn Sie das nicht waren, ändern Sie Ihr Passwort und sagen Sie uns sofort Bescheid.`,
    },
  },
  approved: {
    en: {
      subject: (account: string) => `Your bank account ending ${account} is approved`,
      body: (bank: string) => `We have checked your account at ${bank}. You can withdraw to it from now on.`,
    },
    de: {
      subject: (account: string) => `Ihr Bankkonto mit der Endung ${account} ist freigegeben`,
      body: (bank: string) => `Wir haben Ihr Konto bei ${bank} geprüft. Ab jetzt können Sie dorthin auszahlen.`,
    },
  },
  rejected: {
    en: {
      subject: (account: string) => `We could not approve your bank account ending ${account}`,
      body: (bank: string) =>
        `Your account at ${bank} needs another look. Change what is named here, and we check it again.`,
    },
    de: {
      subject: (account: string) => `Wir konnten Ihr Bankkonto mit der Endung ${account} nicht freigeben`,
      body: (bank: string) =>
        `Ihr Konto bei ${bank} müssen Sie noch einmal ansehen. Ändern Sie, was hier genannt ist, und wir prüfen es erneut.`,
    },
  },
} as const

const labels = {
  en: { reason: 'Reason', open: 'See your bank details' },
  de: { reason: 'Grund', open: 'Bankdaten ansehen' },
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
