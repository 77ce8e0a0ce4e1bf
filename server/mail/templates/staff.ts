/**
 * Mails to staff: the invitation, a sign-in from a new device, changes of password and second factor, and a scheduled
 * report.
 */
import { msg } from '#contract/message.ts'
import { officeBase, officePaths } from '#contract/office-paths.ts'
import { reportLabels } from '#contract/office/reports.ts'
import type { Language } from '#rules/choices.ts'
import { dayText, timeText } from '../../i18n/format.ts'
import { labelText } from '../../i18n/translate.ts'
import { factText, type Facts, type Letterhead, type MailTemplate, mailText } from '../template.ts'

const invitation: MailTemplate = (facts, language, letterhead) => {
  const href = letterhead.officeUrl + officeBase + officePaths.welcome(letterhead.oneTimeId(factText(facts, 'link')))
  const values = { ...facts, firm: letterhead.firmName }
  const subject = mailText(msg`Your access to the back office of {firm}`, language, values)
  const invited =
    typeof facts['by'] === 'string'
      ? msg`{by} has invited you to the back office. Choose a password and set up two-factor authentication with an app.`
      : msg`You were invited to the back office. Choose a password and set up two-factor authentication with an app.`
  const validity = msg`The link is valid for {hours, plural, one {# hour} other {# hours}} and works once. If you do not expect an invitation, ignore this email and inform your administrator.`
  return {
    subject,
    blocks: [
      { text: mailText(invited, language, values) },
      { button: mailText(msg`Set up your access`, language), href },
      { quiet: mailText(validity, language, values) },
    ],
  }
}

const changePassword = msg`If this was not you, change your password immediately and inform your administrator.`

const newDevice: MailTemplate = (facts, language, letterhead) => {
  const isKnownDevice = facts['isKnownDevice'] === true
  const subject = mailText(
    isKnownDevice ? msg`Back office sign-in from another country` : msg`Back office sign-in from a new device`,
    language,
  )
  const signedIn = isKnownDevice
    ? msg`Someone has signed in to your account from a country in which you have not signed in before. The country is estimated from the IP address.`
    : msg`Someone has signed in to your account from a new device.`
  const rows = deviceRows(facts, language, letterhead)
  return {
    subject,
    blocks: [{ text: mailText(signedIn, language) }, { rows }, { quiet: mailText(changePassword, language) }],
  }
}

const wrongCodes: MailTemplate = (facts, language, letterhead) => ({
  subject: mailText(msg`Failed back office sign-in with your password`, language),
  blocks: [
    {
      text: mailText(
        msg`Someone has entered your password correctly, but not the code for two-factor authentication. They have not been signed in.`,
        language,
      ),
    },
    { rows: deviceRows(facts, language, letterhead) },
    { quiet: mailText(changePassword, language) },
  ],
})

const passwordChanged: MailTemplate = (facts, language, letterhead) => {
  const subject = mailText(msg`Your back office password has been changed`, language)
  const changed = msg`Your password for the back office has been changed and all other sessions have ended.`
  const notYou = msg`If this was not you, inform your administrator immediately.`
  const rows = deviceRows(facts, language, letterhead)
  return {
    subject,
    blocks: [{ text: mailText(changed, language) }, { rows }, { quiet: mailText(notYou, language) }],
  }
}

/** Sent by an administrator's reset: device and address would be the administrator's. */
const factorReset: MailTemplate = (facts, language, letterhead) => {
  const subject = mailText(msg`Your back office two-factor authentication has been reset`, language)
  const reset = msg`{by} has reset your two-factor authentication and ended all your sessions. You set it up again the next time you sign in.`
  const unexpected = msg`If you did not request this, inform another administrator immediately.`
  return {
    subject,
    blocks: [
      { text: mailText(reset, language, { by: factText(facts, 'by') }) },
      { rows: timeRows(facts, language, letterhead) },
      { quiet: mailText(unexpected, language) },
    ],
  }
}

function timeRows(facts: Facts, language: Language, { timeZone }: Letterhead): [string, string][] {
  const at = facts['at']
  if (typeof at !== 'number') return []
  return [[mailText(msg`Time`, language), timeText(new Date(at * 1000), language, timeZone)]]
}

function deviceRows(facts: Facts, language: Language, letterhead: Letterhead): [string, string][] {
  return [
    ...timeRows(facts, language, letterhead),
    [mailText(msg`Device`, language), factText(facts, 'device')],
    [mailText(msg`IP address`, language), factText(facts, 'address')],
  ]
}

/** Name, period and a link that requires a sign-in; figures are never sent by mail (requirements 24.10). */
const report: MailTemplate = (facts, language, letterhead) => {
  const name = labelText(reportLabels, factText(facts, 'report'), language)
  const day = (fact: string) => dayText(new Date(`${factText(facts, fact)}T12:00:00Z`), language, 'UTC')
  const period = mailText(msg`{from} to {to}`, language, { from: day('from'), to: day('to') })
  const isWeekly = facts['frequency'] === 'weekly'
  const heading = mailText(isWeekly ? msg`Weekly report: {name}` : msg`Monthly report: {name}`, language, { name })
  const ready = msg`The report you scheduled is ready. Sign in to the back office to read it.`
  const stop = msg`You can change or delete this schedule under Reports. If you no longer have access to the report, no emails are sent.`
  return {
    subject: `${heading}, ${period}`,
    heading,
    blocks: [
      { text: mailText(ready, language) },
      {
        rows: [
          [mailText(msg`Report`, language), name],
          [mailText(msg`Period`, language), period],
        ],
      },
      {
        button: mailText(msg`Open report`, language),
        href: `${letterhead.officeUrl}${officeBase}${officePaths.reports}?${factText(facts, 'query')}`,
      },
      { quiet: mailText(stop, language) },
    ],
  }
}

export const staffMailTemplates = {
  'staff-invitation': invitation,
  'staff-new-device': newDevice,
  'staff-wrong-codes': wrongCodes,
  'staff-password-changed': passwordChanged,
  'staff-second-factor-reset': factorReset,
  'staff-report': report,
} as const satisfies Record<string, MailTemplate>
