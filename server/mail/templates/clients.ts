/** Mails about the client relationship, the professional status, and changes of the profile. */
import { msg, type Message } from '#contract/message.ts'
import { neutralReason } from '#contract/office/rejection-reasons.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { profileLabels } from '#contract/profile-labels.ts'
import type { Language } from '#rules/choices.ts'
import { labelText, inSentence } from '../../i18n/translate.ts'
import { factText, type Block, type MailTemplate, type Letterhead, mailText, type Facts } from '../template.ts'

/** A text, or the reason that staff gave. */
type Paragraph = Message | 'reason'

interface Kind {
  readonly path?: string | ((facts: Facts, letterhead: Letterhead) => string)
  readonly subject: Message
  readonly body: readonly (Paragraph | ((facts: Facts) => Paragraph))[]
  readonly button?: Message
}

const kinds = {
  'client-invited': {
    path: (facts, letterhead) => portalPaths.confirmEmailAndSetPassword(letterhead.oneTimeId(factText(facts, 'link'))),
    subject: msg`{firm} invites you to open an account`,
    body: [
      msg`Select the button to confirm your address and choose a password. Then continue your registration. We have entered some details for you.`,
      msg`The link is valid for {hours, plural, one {# hour} other {# hours}} and works once.`,
    ],
    button: msg`Accept invitation`,
  },
  'client-approved': {
    path: portalPaths.tradingAccounts,
    subject: msg`Welcome to {firm}: your application has been approved`,
    body: [
      msg`We have checked your documents and approved your application. You now have full access to the portal.`,
      ({ wanted }) =>
        wanted === true
          ? msg`We have received your request for the trading account you chose at registration. We usually open an account within one working day. We will email you when it is ready.`
          : msg`Request your first trading account in the portal. We usually open an account within one working day.`,
    ],
    button: msg`Open the portal`,
  },
  'client-rejected': {
    subject: msg`Your application at {firm}`,
    body: [msg`We cannot accept your application.`, 'reason'],
  },
  'client-suspended': {
    subject: msg`Your access has been suspended`,
    body: [
      ({ reason }) => (typeof reason === 'string' ? 'reason' : neutralReason('suspension').text),
      msg`Your money still belongs to you. Contact {supportEmail} to find out what we need.`,
    ],
  },
  'client-reactivated': {
    path: portalPaths.home,
    subject: msg`Your access has been restored`,
    body: [msg`The suspension of your access has ended. You can log in as before.`],
    button: msg`Log in`,
  },
  'client-closed': {
    subject: msg`Your relationship with {firm} has ended`,
    body: ['reason', msg`You have no remaining balance or open requests.`],
  },
  'professional-approved': {
    path: portalPaths.tradingAccounts,
    subject: msg`You are now a Professional Client`,
    body: [
      msg`We have approved your application. Higher leverage is available on your professional accounts. Retail client protections no longer apply to them.`,
    ],
    button: msg`View accounts`,
  },
  'professional-rejected': {
    subject: msg`Your application for professional client status`,
    body: [
      msg`We could not approve your application. You remain a Retail Client with all protections. The reason:`,
      'reason',
    ],
  },
  'professional-more-asked': {
    path: portalPaths.professionalClientStatus,
    subject: msg`We need more information for your professional client application`,
    body: [
      msg`Before we decide, we need this information from you:`,
      'reason',
      msg`If we have requested documents, email them to {supportEmail}. Then check your answers and submit the form again.`,
    ],
    button: msg`Open the form`,
  },
  'professional-reversed': {
    path: portalPaths.tradingAccounts,
    subject: msg`You are a Retail Client again`,
    body: [
      msg`Your professional client status has ended. All retail client protections and the leverage of 1:30 apply again. The reason:`,
      'reason',
    ],
    button: msg`View accounts`,
  },
  'profile-change-approved': {
    path: portalPaths.profile,
    subject: msg`Your profile has been updated`,
    body: [msg`We have approved your change. Your {field} has been updated.`],
    button: msg`View profile`,
  },
  'profile-change-rejected': {
    path: portalPaths.profile,
    subject: msg`We could not update your profile`,
    body: [msg`Your {field} has not changed. The reason:`, 'reason'],
    button: msg`View profile`,
  },
  'profile-corrected': {
    path: portalPaths.profile,
    subject: msg`We have corrected your profile`,
    body: [msg`We have corrected an entry in your profile. Check whether it is correct now. If it is not, contact us.`],
    button: msg`View profile`,
  },
  'requests-to-confirm': {
    path: portalPaths.tradingAccounts,
    subject: msg`Please confirm your open requests`,
    body: [
      msg`We have checked our records after a technical problem. Some of your latest changes may have been lost. Your money is safe.`,
      msg`{count, plural, one {You have # open request. We will continue after you confirm it.} other {You have # open requests. We will continue with each request after you confirm it.}}`,
    ],
    button: msg`Review open requests`,
  },
} as const satisfies Record<string, Kind>

function template({ path, subject, body, button }: Kind): MailTemplate {
  return (facts, language, letterhead) => {
    const { firmName: firm, supportEmail } = letterhead
    const values = { ...facts, firm, supportEmail, field: fieldIn(facts, language) }
    const paragraphs = body.map((part) => (typeof part === 'function' ? part(facts) : part))
    const texts = paragraphs.map((part) =>
      part === 'reason' ? factText(facts, part) : mailText(part, language, values),
    )
    const blocks: Block[] = texts.map((line) => ({ text: line }))
    if (button !== undefined && path !== undefined) {
      const place = typeof path === 'string' ? path : path(facts, letterhead)
      blocks.push({ button: mailText(button, language), href: `${letterhead.portalUrl}${place}` })
    }
    return { subject: mailText(subject, language, values), blocks }
  }
}

/** Returns the field that a change is about, as a sentence names it. */
function fieldIn({ field }: Facts, language: Language): string | undefined {
  return typeof field === 'string' ? inSentence(labelText(profileLabels, field, language), language) : undefined
}

type ClientMail = keyof typeof kinds

export const clientMailTemplates = Object.fromEntries(
  Object.entries(kinds).map(([name, kind]) => [name, template(kind)]),
) as Record<ClientMail, MailTemplate>
