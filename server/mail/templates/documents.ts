/** Mails about documents. No number and no picture of a document is in a mail. */
import { portalPaths } from '#contract/portal-paths.ts'
import { documentKinds, type DocumentKind } from '#rules/document-kinds.ts'
import type { Language } from '#rules/choices.ts'
import { dayText } from '../../i18n/format.ts'
import { text, type Block, type MailTemplate } from '../template.ts'

type Facts = Readonly<Record<string, unknown>>

/** A kind of document as a sentence names it. */
const documentNames: Readonly<Record<Language, Readonly<Record<DocumentKind, string>>>> = {
  en: {
    passport: 'passport',
    id: 'identity card',
    drivers_licence: 'driving licence',
    bank_statement: 'bank statement',
    utility_bill: 'utility bill',
    government_letter: 'government letter',
    proofOfAddress: 'proof of address',
    source_of_wealth: 'proof of the source of your wealth',
  },
  de: {
    passport: 'Reisepass',
    id: 'Personalausweis',
    drivers_licence: 'Führerschein',
    bank_statement: 'Kontoauszug',
    utility_bill: 'Versorgerrechnung',
    government_letter: 'Behördenschreiben',
    proofOfAddress: 'Adressnachweis',
    source_of_wealth: 'Nachweis der Herkunft Ihres Vermögens',
  },
}

interface Words {
  readonly subject: (document: string) => string
  readonly body: (document: string, facts: Facts) => string
  readonly after?: string
  readonly button?: string
}

const words = {
  approved: {
    en: {
      subject: (document) => `Your ${document} has been approved`,
      body: (document) => `We have reviewed and approved your ${document}. You do not need to do anything else.`,
    },
    de: {
      subject: (document) => `Akzeptiert: ${document}`,
      body: (document) =>
        `Wir haben dieses Dokument geprüft und akzeptiert: ${document}. Sie müssen nichts weiter tun.`,
    },
  },
  rejected: {
    en: {
      subject: (document) => `Please upload your ${document} again`,
      body: (document, facts) => {
        if (facts['side'] === 'front')
          return `We could not accept the front side of your ${document}. You do not need to upload the back side again. The reason:`
        if (facts['side'] === 'back')
          return `We could not accept the back side of your ${document}. You do not need to upload the front side again. The reason:`
        return `We could not accept your ${document}. The reason:`
      },
      after: 'Your other documents have not changed. After the upload, send the document for approval again.',
      button: 'Upload document',
    },
    de: {
      subject: (document) => `Bitte noch einmal hochladen: ${document}`,
      body: (document, facts) => {
        if (facts['side'] === 'front')
          return `Die Vorderseite konnten wir nicht akzeptieren (${document}). Die Rückseite müssen Sie nicht erneut hochladen. Der Grund:`
        if (facts['side'] === 'back')
          return `Die Rückseite konnten wir nicht akzeptieren (${document}). Die Vorderseite müssen Sie nicht erneut hochladen. Der Grund:`
        return `Dieses Dokument konnten wir nicht akzeptieren: ${document}. Der Grund:`
      },
      after:
        'Ihre anderen Dokumente bleiben unverändert. Senden Sie das Dokument nach dem Hochladen erneut zur Freigabe.',
      button: 'Dokument hochladen',
    },
  },
  wealth: {
    en: {
      subject: () => 'We need proof of the source of your wealth',
      body: () =>
        'We need one more document from you to continue. Upload proof of the source of your wealth, for example a payslip, sales contract or tax assessment. The reason:',
      button: 'Upload proof',
    },
    de: {
      subject: () => 'Wir benötigen einen Nachweis der Herkunft Ihres Vermögens',
      body: () =>
        'Wir benötigen noch ein Dokument von Ihnen. Laden Sie einen Nachweis der Herkunft Ihres Vermögens hoch, z. B. eine Gehaltsabrechnung, einen Kaufvertrag oder einen Steuerbescheid. Der Grund:',
      button: 'Nachweis hochladen',
    },
  },
  expiring: {
    en: {
      subject: (document) => `Your ${document} expires soon`,
      body: (document, facts) =>
        `Your ${document} expires on ${day(facts, 'en')}. Have a new document ready. You can upload it after this one expires.`,
      button: 'View documents',
    },
    de: {
      subject: (document) => `Läuft bald ab: ${document}`,
      body: (document, facts) =>
        `Dieses Dokument läuft am ${day(facts, 'de')} ab: ${document}. Halten Sie ein neues bereit. Sie können es hochladen, sobald dieses abgelaufen ist.`,
      button: 'Ihre Dokumente ansehen',
    },
  },
  expired: {
    en: {
      subject: (document) => `Your ${document} has expired`,
      body: (document, facts) =>
        `Your ${document} expired on ${day(facts, 'en')}. Upload a valid one and send it for approval.`,
      button: 'Upload new document',
    },
    de: {
      subject: (document) => `Abgelaufen: ${document}`,
      body: (document, facts) =>
        `Dieses Dokument ist am ${day(facts, 'de')} abgelaufen: ${document}. Laden Sie ein gültiges hoch und senden Sie es zur Freigabe.`,
      button: 'Neues Dokument hochladen',
    },
  },
} as const satisfies Record<string, Record<Language, Words>>

/** A calendar day, which is the same everywhere. */
function day(facts: Facts, language: Language): string {
  return dayText(new Date(`${text(facts, 'date')}T00:00:00Z`), language, 'UTC')
}

function kindOf(facts: Facts): DocumentKind {
  const kind = documentKinds.find((one) => one === facts['document'])
  if (!kind) throw new Error('a mail names no document')
  return kind
}

function template(which: keyof typeof words): MailTemplate {
  return (facts, language, { portalUrl }) => {
    const { subject, body, after, button }: Words = words[which][language]
    const kind = kindOf(facts)
    const document = documentNames[language][kind]
    const blocks: Block[] = [{ heading: subject(document) }, { text: body(document, facts) }]
    if (typeof facts['reason'] === 'string') blocks.push({ text: facts['reason'] })
    if (after !== undefined) blocks.push({ text: after })
    if (button !== undefined) blocks.push({ button, href: `${portalUrl}${portalPaths.document(kind)}` })
    return { subject: subject(document), blocks }
  }
}

export const documentMailTemplates = {
  'document-approved': template('approved'),
  'document-rejected': template('rejected'),
  'document-asked': template('wealth'),
  'document-expiring': template('expiring'),
  'document-expired': template('expired'),
} as const
