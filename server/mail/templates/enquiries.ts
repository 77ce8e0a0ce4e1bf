/**
 * Mails about enquiries: a complaint was received, a reply is available in the portal, and the reply to a person
 * without a sign-in.
 */
import { outcomeLabels } from '#contract/enquiry-labels.ts'
import { msg } from '#contract/message.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import type { Language } from '#rules/choices.ts'
import { dayText } from '../../i18n/format.ts'
import { labelText } from '../../i18n/translate.ts'
import {
  recordOf,
  factText,
  type Block,
  type Letterhead,
  type MailTemplate,
  mailText,
  type Facts,
} from '../template.ts'

/** Returns the button that opens the enquiry in the portal. */
function enquiryButton(facts: Facts, language: Language, letterhead: Letterhead): Block {
  const href = letterhead.portalUrl + portalPaths.enquiry(recordOf(facts) ?? '')
  return { button: mailText(msg`Open message`, language), href }
}

/** Acknowledges a complaint immediately, with the day by which it will be resolved. */
const received: MailTemplate = (facts, language, letterhead) => {
  const reference = factText(facts, 'reference')
  const { due, portal } = facts
  if (typeof due !== 'number') throw new Error('the complaint has no due date')
  const day = dayText(new Date(due * 1000), language, letterhead.timeZone)
  const subject = mailText(msg`We have received your complaint {reference}`, language, { reference })
  const then = msg`We will investigate it and give you our decision by {day} at the latest.`
  const where =
    portal === true
      ? msg`You can read our replies and add information in the portal, under Help.`
      : msg`We will reply to this address. To add information, write to {supportEmail} and give the reference.`
  return {
    subject,
    blocks: [
      { text: mailText(then, language, { day }) },
      { text: mailText(where, language, { supportEmail: letterhead.supportEmail }) },
      ...(portal === true ? [enquiryButton(facts, language, letterhead)] : []),
    ],
  }
}

/** The reply itself is only in the portal. A conclusion is the decision that the acknowledgement promised. */
const answered: MailTemplate = (facts, language, letterhead) => {
  const reference = factText(facts, 'reference')
  const isDecision = facts['concluded'] === true
  const subject = isDecision
    ? mailText(msg`Our decision on your complaint {reference}`, language, { reference })
    : mailText(msg`You have a reply from {firm}`, language, { firm: letterhead.firmName })
  const body = isDecision
    ? msg`We have concluded our investigation. For your security, you can read our decision only in the portal. You can also reply there.`
    : msg`We have replied to your message {reference}. For your security, you can read the reply only in the portal.`
  return {
    subject,
    blocks: [{ text: mailText(body, language, { reference }) }, enquiryButton(facts, language, letterhead)],
  }
}

/** Contains the text of staff, to an address without a client. */
const reply: MailTemplate = (facts, language, letterhead) => {
  const reference = factText(facts, 'reference')
  const { outcome } = facts
  const subject = mailText(msg`Our reply to your message {reference}`, language, { reference })
  const after = msg`To reply, write to {supportEmail} and give the reference {reference}.`
  return {
    subject,
    blocks: [
      ...(typeof outcome === 'string'
        ? [
            {
              rows: [
                [mailText(msg`Decision on your complaint`, language), labelText(outcomeLabels, outcome, language)],
              ],
            } as const,
          ]
        : []),
      ...factText(facts, 'text')
        .split(/\n{2,}/)
        .map((paragraph) => ({ text: paragraph })),
      { quiet: mailText(after, language, { supportEmail: letterhead.supportEmail, reference }) },
    ],
  }
}

export const enquiryMailTemplates = {
  'complaint-received': received,
  'enquiry-answered': answered,
  'enquiry-reply': reply,
} as const satisfies Record<string, MailTemplate>
