/** Letters about documents. No number and no picture of a document is in a mail. */
import { portalPaths } from '#contract/portal-paths.ts'
import { documentKinds, type DocumentKind } from '#rules/document-kinds.ts'
import type { Language } from '../../http/problem.ts'
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
  readonly body: (document: string, facts: Facts) => string
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
      body: (document, facts) => {
        if (facts['side'] === 'front')
          return `We could not accept the front side of your ${document}; its back side stays. The reason:`
        if (facts['side'] === 'back')
          return `We could not accept the back side of your ${document}; its front side stays. The reason:`
        return `We could not accept your ${document} as it is. The reason:`
      },
      after: 'Your other documents stay as they are. After the upload, send it for approval again.',
      button: 'Upload it again',
    },
    de: {
      subject: (document) => `Bitte noch einmal hochladen: ${document}`,
      body: (document, facts) => {
        if (facts['side'] === 'front')
          return `Die Vorderseite konnten wir so nicht annehmen (${document}); die Rückseite bleibt. Der Grund:`
        if (facts['side'] === 'back')
          return `Die Rückseite konnten wir so nicht annehmen (${document}); die Vorderseite bleibt. Der Grund:`
        return `Dieses Dokument konnten wir so nicht annehmen: ${document}. Der Grund:`
      },
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
        `Your ${document} expires on ${day(facts, 'en')}. Keep the new one ready: you can upload it as soon as this one has expired.`,
      button: 'See your documents',
    },
    de: {
      subject: (document) => `Läuft bald ab: ${document}`,
      body: (document, facts) =>
        `Dieses Dokument läuft am ${day(facts, 'de')} ab: ${document}. Halten Sie das neue bereit: Sie können es hochladen, sobald dieses abgelaufen ist.`,
      button: 'Ihre Dokumente ansehen',
    },
  },
  expired: {
    en: {
      subject: (document) => `Your ${document} has expired`,
      body: (document, facts) =>
        `Your ${document} expired on ${day(facts, 'en')}. Upload a valid one and send it for approval.`,
      button: 'Upload a new one',
    },
    de: {
      subject: (document) => `Abgelaufen: ${document}`,
      body: (document, facts) =>
        `Dieses Dokument ist am ${day(facts, 'de')} abgelaufen: ${document}. Laden Sie ein gültiges hoch und senden Sie es zur Freigabe.`,
      button: 'Neues hochladen',
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
