/**
 * Mails about a person's access: confirmation, passwords, second factor, new devices, and the end of the registration.
 */
import { msg, type Message } from '#contract/message.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import type { Language } from '#rules/choices.ts'
import { timeText } from '../../i18n/format.ts'
import {
  mailText,
  factText,
  type Block,
  type Facts,
  type Letterhead,
  type MailTemplate,
  type MailTexts,
} from '../template.ts'

interface TemplateTexts extends MailTexts {
  readonly button?: Message
  /** What to do if the reader did not request this. */
  readonly after: Message
}

const notYou = msg`If this was not you, reset your password and contact us immediately.`

const texts = {
  confirm: {
    subject: msg`Confirm your email address for {firm}`,
    body: msg`Select the button to confirm this address. You can then continue your registration on the device you are using.`,
    button: msg`Confirm address`,
    after: msg`The link is valid for {hours, plural, one {# hour} other {# hours}} and works once. If you did not register, ignore this email.`,
  },
  known: {
    subject: msg`You are already registered with {firm}`,
    body: msg`Someone has just tried to register with this address. You are already registered, so nothing has changed. Log in as usual.`,
    button: msg`Log in`,
    after: msg`If you have forgotten your password, select Forgot password on the login page. If you did not try to register, you do not need to do anything.`,
  },
  reset: {
    subject: msg`Set a new password for {firm}`,
    body: msg`You requested a new password. Select the button to choose one.`,
    button: msg`Set a new password`,
    after: msg`The link is valid for {minutes, plural, one {# minute} other {# minutes}} and works once. If you did not request it, ignore this email. Your password will not change.`,
  },
  passwordChanged: {
    subject: msg`Your password has been changed`,
    body: msg`Your password has been changed and all other sessions have ended.`,
    after: notYou,
  },
  newDevice: {
    subject: msg`Login from a new device`,
    body: msg`Someone has logged in to your account from a new device.`,
    after: notYou,
  },
  newCountry: {
    subject: msg`Login from another country`,
    body: msg`Someone has logged in to your account from a country in which you have not logged in before. The country is estimated from the IP address.`,
    after: notYou,
  },
  wrongCodes: {
    subject: msg`Failed login with your password`,
    body: msg`Someone has entered your password correctly, but not the code for two-factor authentication. They have not been logged in.`,
    after: notYou,
  },
  factorOn: {
    subject: msg`Two-factor authentication is on`,
    body: msg`You now need a code from your authenticator app to log in. Keep your recovery codes in a safe place.`,
    after: notYou,
  },
  factorOff: {
    subject: msg`Two-factor authentication is off`,
    body: msg`You now log in with your password only.`,
    after: notYou,
  },
  emailAsked: {
    subject: msg`Request to change your email address`,
    body: msg`We received a request to change your email address. We are reviewing it. Nothing changes until then.`,
    after: msg`If this was not you, contact us immediately so that we can reject the request.`,
  },
  newEmail: {
    subject: msg`Confirm your new email address for {firm}`,
    body: msg`You requested to use this address to log in and to receive our emails. Select the button to confirm it. All sessions will then end.`,
    button: msg`Confirm new address`,
    after: msg`The link is valid for {hours, plural, one {# hour} other {# hours}} and works once. If you did not request it, ignore this email. Nothing will change.`,
  },
  emailChanged: {
    subject: msg`Your email address has been changed`,
    body: msg`We now send our emails to your new address, and you log in with it. All sessions have ended.`,
    after: msg`If this was not you, contact us immediately.`,
  },
  resetAsked: {
    subject: msg`Request to turn off two-factor authentication`,
    body: msg`We received a request to turn off two-factor authentication. The caller answered your security question and reported the app and recovery codes as lost. We are reviewing it. Nothing changes until then.`,
    after: msg`If this was not you, contact us immediately so that we can reject the request.`,
  },
  factorReset: {
    subject: msg`We have turned off two-factor authentication`,
    body: msg`We have turned off two-factor authentication as requested and ended all sessions. Log in with your password. Turn it on again under Profile, Security.`,
    after: notYou,
  },
  received: {
    subject: msg`We have received your registration`,
    body: msg`Thank you. Your registration is complete. Next, upload a proof of identity and a proof of address and send them for approval.`,
    button: msg`Upload documents`,
    after: msg`We will review them within 48 hours of receiving both.`,
  },
} as const satisfies Record<string, TemplateTexts>

const labels = { at: msg`Time`, device: msg`Device`, address: msg`IP address` } as const

type Where = (facts: Facts, letterhead: Letterhead) => string

function render(news: keyof typeof texts, where?: Where): MailTemplate {
  return (facts, language, letterhead) => {
    const { subject, body, button, after }: TemplateTexts = texts[news]
    const rows = rowsOf(facts, language, letterhead)
    const blocks: Block[] = [{ text: mailText(body, language) }]
    if (rows.length > 0) blocks.push({ rows })
    if (button !== undefined && where)
      blocks.push({ button: mailText(button, language), href: letterhead.portalUrl + where(facts, letterhead) })
    const { hours = '', minutes = '' } = facts
    blocks.push({ quiet: mailText(after, language, { hours, minutes }) })
    return { subject: mailText(subject, language, { firm: letterhead.firmName }), blocks }
  }
}

function rowsOf(facts: Facts, language: Language, letterhead: Letterhead): [string, string][] {
  const rows: [string, string][] = []
  const { at, device, address } = facts
  if (typeof at === 'number')
    rows.push([mailText(labels.at, language), timeText(new Date(at * 1000), language, letterhead.timeZone)])
  if (typeof device === 'string' && device !== '') rows.push([mailText(labels.device, language), device])
  if (typeof address === 'string' && address !== '') rows.push([mailText(labels.address, language), address])
  return rows
}

const oneTimeIdIn = (facts: Facts, letterhead: Letterhead) => letterhead.oneTimeId(factText(facts, 'link'))

export const securityMailTemplates = {
  'confirm-email': render('confirm', (facts, letterhead) => portalPaths.confirmEmail(oneTimeIdIn(facts, letterhead))),
  'known-address': render('known', () => portalPaths.login),
  'email-change-asked': render('emailAsked'),
  'confirm-new-email': render('newEmail', (facts, letterhead) =>
    portalPaths.confirmNewEmail(oneTimeIdIn(facts, letterhead)),
  ),
  'email-changed': render('emailChanged'),
  'password-reset': render('reset', (facts, letterhead) => portalPaths.resetPassword(oneTimeIdIn(facts, letterhead))),
  'password-changed': render('passwordChanged'),
  'new-device': (facts, ...more) =>
    render(facts['isKnownDevice'] === true ? 'newCountry' : 'newDevice')(facts, ...more),
  'wrong-codes': render('wrongCodes'),
  'second-factor-on': render('factorOn'),
  'second-factor-off': render('factorOff'),
  'second-factor-reset-asked': render('resetAsked'),
  'second-factor-reset': render('factorReset'),
  'registration-received': render('received', () => portalPaths.uploadDocuments),
} as const satisfies Record<string, MailTemplate>
