/** Letters to staff: the invitation, and a sign-in from a device that was not seen before. */
import { officeBase, officePaths } from '#contract/office-paths.ts'
import { timeText } from '../../i18n/format.ts'
import { text, type MailTemplate } from '../template.ts'

const invitation: MailTemplate = (facts, language, letterhead) => {
  const href = letterhead.officeUrl + officeBase + officePaths.welcome(letterhead.oneTimeId(text(facts, 'link')))
  const by = typeof facts['by'] === 'string' ? facts['by'] : null
  const hours = String(facts['hours'])
  if (language === 'de') {
    const subject = `Ihr Zugang zum Backoffice von ${letterhead.firmName}`
    return {
      subject,
      blocks: [
        { heading: subject },
        {
          text: `${by === null ? 'Sie wurden' : `${by} hat Sie`} in das Backoffice eingeladen. Setzen Sie Ihr Passwort und richten Sie den zweiten Faktor mit einer Authenticator-App ein.`,
        },
        { button: 'Zugang einrichten', href },
        {
          quiet: `Der Link gilt ${hours} Stunden und einmal. Sie erwarten keine Einladung? Dann ignorieren Sie diese E-Mail und sagen Sie Ihrer Administration Bescheid.`,
        },
      ],
    }
  }
  const subject = `Your access to the back office of ${letterhead.firmName}`
  return {
    subject,
    blocks: [
      { heading: subject },
      {
        text: `${by === null ? 'You were invited' : `${by} has invited you`} to the back office. Set your password and set up the second factor with an authenticator app.`,
      },
      { button: 'Set up your access', href },
      {
        quiet: `The link works for ${hours} hours and once. You expect no invitation? Then ignore this letter and tell your administrator.`,
      },
    ],
  }
}

const newDevice: MailTemplate = (facts, language, letterhead) => {
  const german = language === 'de'
  const subject = german ? 'Anmeldung im Backoffice von einem neuen Gerät' : 'A new device signed in to the back office'
  const at = facts['at']
  const rows: [string, string][] = []
  if (typeof at === 'number')
    rows.push([german ? 'Zeit' : 'Time', timeText(new Date(at * 1000), language, letterhead.timeZone)])
  rows.push([german ? 'Gerät' : 'Device', text(facts, 'device')])
  rows.push([german ? 'Internetadresse' : 'Internet address', text(facts, 'address')])
  return {
    subject,
    blocks: [
      { heading: subject },
      {
        text: german
          ? 'Mit Ihrem Zugang hat sich jemand von einem Gerät angemeldet, das wir noch nicht kannten.'
          : 'Somebody signed in with your access from a device that we have not seen before.',
      },
      { rows },
      {
        quiet: german
          ? 'Das waren nicht Sie? Ändern Sie sofort Ihr Passwort und sagen Sie Ihrer Administration Bescheid.'
          : 'This was not you? Change your password at once and tell your administrator.',
      },
    ],
  }
}

export const staffMailTemplates = {
  'staff-invitation': invitation,
  'staff-new-device': newDevice,
} as const satisfies Record<string, MailTemplate>
