/** Letters about documents. No number and no picture of a document stands in a mail. */
import { portalPaths } from '#contract/portal-paths.ts'
import { documentKinds, type DocumentKind } from '#rules/document-kinds.ts'
import type { Language } from '../http/problem.ts'
import { text, type Block, type LetterKind } from './letter.ts'

/** A kind of document as a sentence names it. */
export const documentNames: Readonly<Record<Language, Readonly<Record<DocumentKind, string>>>> = {
  en: {
    passport: 'passport',
    id: 'identity card',
    drivers_licence: 'driving licence',
    bank_statement: 'bank statement',
    utility_bill: 'utility bill',
    government_letter: 'letter from an authority',
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
  readonly body: (document: string, facts: Readonly<Record<string, unknown>>) => string
  readonly after?: string
  readonly button?: string
}

const words = {
  approved: {
    en: {
      subject: (document) => `Your ${document} is approved`,
      body: (document) => `We have checked your ${document} and approved it. You need to do nothing more about it.`,
    },
    de: {
      subject: (document) => `Freigegeben: ${document}`,
      body: (document) =>
        `Wir haben dieses Dokument geprüft und freigegeben: ${document}. Sie müssen dafür nichts weiter tun.`,
    },
  },
  rejected: {
    en: {
      subject: (document) => `Your ${document} is needed once more`,
      body: (document) => `We could not accept your ${document} as it is. The reason:`,
      after: 'Your other documents stay as they are. After the upload, send it for approval again.',
      button: 'Upload it again',
    },
    de: {
      subject: (document) => `Bitte noch einmal hochladen: ${document}`,
      body: (document) => `Dieses Dokument konnten wir so nicht annehmen: ${document}. Der Grund:`,
      after: 'Ihre anderen Dokumente bleiben, wie sie sind. Senden Sie es nach dem Hochladen erneut zur Freigabe.',
      button: 'Erneut hochladen',
    },
  },
  wealth: {
    en: {
      subject: () => 'We need a proof of the source of your wealth',
      body: () =>
        'To go on, we need one more document from you: a proof of where your wealth comes from, such as a payslip, a contract of sale or a tax assessment. Why we ask:',
      button: 'Upload the proof',
    },
    de: {
      subject: () => 'Wir benötigen einen Nachweis der Herkunft Ihres Vermögens',
      body: () =>
        'Damit es weitergehen kann, benötigen wir noch ein Dokument von Ihnen: einen Nachweis, woher Ihr Vermögen stammt, etwa eine Gehaltsabrechnung, einen Kaufvertrag oder einen Steuerbescheid. Warum wir fragen:',
      button: 'Nachweis hochladen',
    },
  },
  expiring: {
    en: {
      subject: (document) => `Your ${document} expires soon`,
      body: (document, facts) =>
        `Your ${document} expires on ${dayIn('en', text(facts, 'date'))}. Keep the new one ready: you can upload it as soon as this one has expired.`,
      button: 'See your documents',
    },
    de: {
      subject: (document) => `Läuft bald ab: ${document}`,
      body: (document, facts) =>
        `Dieses Dokument läuft am ${dayIn('de', text(facts, 'date'))} ab: ${document}. Halten Sie das neue bereit: Sie können es hochladen, sobald dieses abgelaufen ist.`,
      button: 'Ihre Dokumente ansehen',
    },
  },
  expired: {
    en: {
      subject: (document) => `Your ${document} has expired`,
      body: (document, facts) =>
        `Your ${document} expired on ${dayIn('en', text(facts, 'date'))}. Upload a valid one and send it for approval.`,
      button: 'Upload a new one',
    },
    de: {
      subject: (document) => `Abgelaufen: ${document}`,
      body: (document, facts) =>
        `Dieses Dokument ist am ${dayIn('de', text(facts, 'date'))} abgelaufen: ${document}. Laden Sie ein gültiges hoch und senden Sie es zur Freigabe.`,
      button: 'Neues hochladen',
    },
  },
} as const satisfies Record<string, Record<Language, Words>>

function dayIn(language: Language, day: string): string {
  const locale = language === 'de' ? 'de-DE' : 'en-GB'
  return new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' }).format(
    new Date(`${day}T00:00:00Z`),
  )
}

function nameOf(facts: Readonly<Record<string, unknown>>, language: Language): string {
  const kind = documentKinds.find((one) => one === facts['document'])
  if (!kind) throw new Error('a mail names no document')
  return documentNames[language][kind]
}

function letter(which: keyof typeof words): LetterKind {
  return (facts, language, { portalUrl }) => {
    const { subject, body, after, button }: Words = words[which][language]
    const document = nameOf(facts, language)
    const blocks: Block[] = [{ heading: subject(document) }, { text: body(document, facts) }]
    if (typeof facts['reason'] === 'string') blocks.push({ text: facts['reason'] })
    if (after !== undefined) blocks.push({ text: after })
    if (button !== undefined) blocks.push({ button, href: `${portalUrl}${portalPaths.documents}` })
    return { subject: subject(document), blocks }
  }
}

export const documentLetters = {
  'document-approved': letter('approved'),
  'document-rejected': letter('rejected'),
  'document-asked': letter('wealth'),
  'document-expiring': letter('expiring'),
  'document-expired': letter('expired'),
} as const
