/** Mails about documents. A mail contains no number and no image of a document. */
import { documentLabels } from '#contract/document-labels.ts'
import { msg, type Message } from '#contract/message.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { documentKinds, type DocumentKind } from '#rules/documents.ts'
import { dayText } from '../../i18n/format.ts'
import { labelText, inSentence } from '../../i18n/translate.ts'
import { type Block, type MailTemplate, mailText, type Facts, type MailTexts } from '../template.ts'

interface TemplateTexts extends MailTexts {
  /** The same for only one side. */
  readonly bodyOfSide?: Readonly<Record<'front' | 'back', Message>>
  readonly after?: Message
  readonly button?: Message
}

const texts = {
  approved: {
    subject: msg`Your {document} has been approved`,
    body: msg`We have reviewed and approved your {document}. You do not need to do anything else.`,
  },
  rejected: {
    subject: msg`Please upload your {document} again`,
    body: msg`We could not accept your {document}. The reason:`,
    bodyOfSide: {
      front: msg`We could not accept the front side of your {document}. You do not need to upload the back side again. The reason:`,
      back: msg`We could not accept the back side of your {document}. You do not need to upload the front side again. The reason:`,
    },
    after: msg`Your other documents have not changed. After the upload, send the document for approval again.`,
    button: msg`Upload document`,
  },
  wealth: {
    subject: msg`We need proof of the source of your wealth`,
    body: msg`We need one more document from you to continue. Upload proof of the source of your wealth, for example a payslip, sales contract or tax assessment. The reason:`,
    button: msg`Upload proof`,
  },
  expiring: {
    subject: msg`Your {document} expires soon`,
    body: msg`Your {document} expires on {date}. Have a new document ready. You can upload it after this one expires.`,
    button: msg`View documents`,
  },
  expired: {
    subject: msg`Your {document} has expired`,
    body: msg`Your {document} expired on {date}. Upload a valid one and send it for approval.`,
    button: msg`Upload new document`,
  },
} as const satisfies Record<string, TemplateTexts>

function kindOf(facts: Facts): DocumentKind {
  const kind = documentKinds.find((one) => one === facts['document'])
  if (!kind) throw new Error('email fact for the document is missing')
  return kind
}

function template(which: keyof typeof texts): MailTemplate {
  return (facts, language, { portalUrl }) => {
    const { subject, body, bodyOfSide, after, button }: TemplateTexts = texts[which]
    const { side, date } = facts
    const kind = kindOf(facts)
    const values = {
      document: inSentence(labelText(documentLabels, kind, language), language),
      // A calendar day, which is the same in all time zones.
      date: typeof date === 'string' ? dayText(new Date(`${date}T00:00:00Z`), language, 'UTC') : undefined,
    }
    const sentence = (side === 'front' || side === 'back' ? bodyOfSide?.[side] : undefined) ?? body
    const blocks: Block[] = [{ text: mailText(sentence, language, values) }]
    if (typeof facts['reason'] === 'string') blocks.push({ text: facts['reason'] })
    if (after !== undefined) blocks.push({ text: mailText(after, language) })
    if (button !== undefined)
      blocks.push({ button: mailText(button, language), href: `${portalUrl}${portalPaths.document(kind)}` })
    return { subject: mailText(subject, language, values), blocks }
  }
}

export const documentMailTemplates = {
  'document-approved': template('approved'),
  'document-rejected': template('rejected'),
  'document-asked': template('wealth'),
  'document-expiring': template('expiring'),
  'document-expired': template('expired'),
} as const
