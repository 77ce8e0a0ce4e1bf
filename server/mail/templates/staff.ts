/** Mails to staff: the invitation, and a sign-in from a device that was not seen before. */
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
          text: `${by === null ? 'Sie wurden' : `${by} hat Sie`} in das Backoffice eingeladen. Legen Sie Ihr Passwort fest und richten Sie die Zwei-Faktor-Authentifizierung mit einer App ein.`,
        },
        { button: 'Zugang einrichten', href },
        {
          quiet: `Der Link gilt ${hours} Stunden und funktioniert einmal. Falls Sie keine Einladung erwarten, ignorieren Sie diese E-Mail und informieren Sie Ihre Administration.`,
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
        text: `${by === null ? 'You were invited' : `${by} has invited you`} to the back office. Choose a password and set up two-factor authentication with an app.`,
      },
      { button: 'Set up your access', href },
      {
        quiet: `The link is valid for ${hours} hours and works once. If you do not expect an invitation, ignore this email and inform your administrator.`,
      },
    ],
  }
}

const newDevice: MailTemplate = (facts, language, letterhead) => {
  const german = language === 'de'
  const subject = german ? 'Anmeldung im Backoffice von einem neuen Gerät' : 'Back office sign-in from a new device'
  const at = facts['at']
  const rows: [string, string][] = []
  if (typeof at === 'number')
    rows.push([german ? 'Zeit' : 'Time', timeText(new Date(at * 1000), language, letterhead.timeZone)])
  rows.push([german ? 'Gerät' : 'Device', text(facts, 'device')])
  rows.push([german ? 'IP-Adresse' : 'IP address', text(facts, 'address')])
  return {
    subject,
    blocks: [
      { heading: subject },
      {
        text: german
          ? 'Mit Ihrem Zugang hat sich jemand von einem neuen Gerät angemeldet.'
          : 'Someone has signed in to your account from a new device.',
      },
      { rows },
      {
        quiet: german
          ? 'Falls Sie das nicht waren, ändern Sie sofort Ihr Passwort und informieren Sie Ihre Administration.'
          : 'If this was not you, change your password immediately and inform your administrator.',
      },
    ],
  }
}

export const staffMailTemplates = {
  'staff-invitation': invitation,
  'staff-new-device': newDevice,
} as const satisfies Record<string, MailTemplate>
