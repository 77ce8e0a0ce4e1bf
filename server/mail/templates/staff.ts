/** Mails to staff: the invitation, and a sign-in from a device that was not seen before. */
import { msg } from '#contract/message.ts'
import { officeBase, officePaths } from '#contract/office-paths.ts'
import { timeText } from '../../i18n/format.ts'
import { text, type MailTemplate, mailText } from '../template.ts'

const invitation: MailTemplate = (facts, language, letterhead) => {
  const href = letterhead.officeUrl + officeBase + officePaths.welcome(letterhead.oneTimeId(text(facts, 'link')))
  const values = { ...facts, firm: letterhead.firmName }
  const subject = mailText(msg`Your access to the back office of {firm}`, language, values)
  const invited =
    typeof facts['by'] === 'string'
      ? msg`{by} has invited you to the back office. Choose a password and set up two-factor authentication with an app.`
      : msg`You were invited to the back office. Choose a password and set up two-factor authentication with an app.`
  const validity = msg`The link is valid for {hours} hours and works once. If you do not expect an invitation, ignore this email and inform your administrator.`
  return {
    subject,
    blocks: [
      { heading: subject },
      { text: mailText(invited, language, values) },
      { button: mailText(msg`Set up your access`, language), href },
      { quiet: mailText(validity, language, values) },
    ],
  }
}

const newDevice: MailTemplate = (facts, language, letterhead) => {
  const subject = mailText(msg`Back office sign-in from a new device`, language)
  const signedIn = msg`Someone has signed in to your account from a new device.`
  const notYou = msg`If this was not you, change your password immediately and inform your administrator.`
  const at = facts['at']
  const rows: [string, string][] = []
  if (typeof at === 'number')
    rows.push([mailText(msg`Time`, language), timeText(new Date(at * 1000), language, letterhead.timeZone)])
  rows.push([mailText(msg`Device`, language), text(facts, 'device')])
  rows.push([mailText(msg`IP address`, language), text(facts, 'address')])
  return {
    subject,
    blocks: [
      { heading: subject },
      { text: mailText(signedIn, language) },
      { rows },
      { quiet: mailText(notYou, language) },
    ],
  }
}

export const staffMailTemplates = {
  'staff-invitation': invitation,
  'staff-new-device': newDevice,
} as const satisfies Record<string, MailTemplate>
