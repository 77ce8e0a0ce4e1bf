/** Mails about a person's access: confirmation, passwords, second factor, new devices, and the end of the registration. */
import { portalPaths } from '#contract/portal-paths.ts'
import type { Language } from '#rules/choices.ts'
import { timeText } from '../../i18n/format.ts'
import { text, type Block, type MailContent, type MailTemplate, type Letterhead } from '../template.ts'

type Facts = Readonly<Record<string, unknown>>

interface Words {
  readonly subject: (firm: string) => string
  readonly body: string
  readonly button?: string
  /** What to do where the reader did not ask for this. */
  readonly after: string
}

const notYou = {
  en: 'If this was not you, reset your password and contact us immediately.',
  de: 'Falls Sie das nicht waren, setzen Sie Ihr Passwort zurück und kontaktieren Sie uns umgehend.',
}

const words = {
  confirm: {
    en: {
      subject: (firm) => `Confirm your email address for ${firm}`,
      body: 'Select the button to confirm this address. You can then continue your registration on the device you are using.',
      button: 'Confirm address',
      after: 'The link is valid for {hours} hours and works once. If you did not register, ignore this email.',
    },
    de: {
      subject: (firm) => `Bestätigen Sie Ihre E-Mail-Adresse für ${firm}`,
      body: 'Bestätigen Sie diese Adresse mit der Schaltfläche. Danach können Sie Ihre Registrierung auf dem verwendeten Gerät fortsetzen.',
      button: 'Adresse bestätigen',
      after:
        'Der Link gilt {hours} Stunden und funktioniert einmal. Falls Sie sich nicht registriert haben, ignorieren Sie diese E-Mail.',
    },
  },
  known: {
    en: {
      subject: (firm) => `You are already registered with ${firm}`,
      body: 'Someone has just tried to register with this address. You are already registered, so nothing has changed. Log in as usual.',
      button: 'Log in',
      after:
        'If you have forgotten your password, select Forgot password on the login page. If you did not try to register, you do not need to do anything.',
    },
    de: {
      subject: (firm) => `Sie sind bereits bei ${firm} registriert`,
      body: 'Jemand wollte sich gerade mit dieser Adresse registrieren. Sie sind bereits registriert, deshalb wurde nichts geändert. Melden Sie sich wie gewohnt an.',
      button: 'Anmelden',
      after:
        'Passwort vergessen? Wählen Sie auf der Anmeldeseite „Passwort vergessen“. Falls Sie sich nicht registrieren wollten, müssen Sie nichts tun.',
    },
  },
  reset: {
    en: {
      subject: (firm) => `Set a new password for ${firm}`,
      body: 'You requested a new password. Select the button and choose one.',
      button: 'Set a new password',
      after:
        'The link is valid for {minutes} minutes and works once. If you did not request it, ignore this email. Your password will not change.',
    },
    de: {
      subject: (firm) => `Neues Passwort für ${firm} festlegen`,
      body: 'Sie haben ein neues Passwort angefordert. Wählen Sie es über die Schaltfläche.',
      button: 'Neues Passwort festlegen',
      after:
        'Der Link gilt {minutes} Minuten und funktioniert einmal. Falls Sie ihn nicht angefordert haben, ignorieren Sie diese E-Mail. Ihr Passwort bleibt unverändert.',
    },
  },
  passwordChanged: {
    en: {
      subject: () => 'Your password has been changed',
      body: 'Your password has been changed and all other sessions have ended.',
      after: notYou.en,
    },
    de: {
      subject: () => 'Ihr Passwort wurde geändert',
      body: 'Ihr Passwort wurde geändert. Alle anderen Sitzungen wurden beendet.',
      after: notYou.de,
    },
  },
  newDevice: {
    en: {
      subject: () => 'Login from a new device',
      body: 'Someone has logged in to your account from a new device.',
      after: notYou.en,
    },
    de: {
      subject: () => 'Anmeldung von einem neuen Gerät',
      body: 'Mit Ihrem Zugang hat sich jemand von einem neuen Gerät angemeldet.',
      after: notYou.de,
    },
  },
  factorOn: {
    en: {
      subject: () => 'Two-factor authentication is on',
      body: 'You now need a code from your authenticator app to log in. Keep your recovery codes in a safe place.',
      after: notYou.en,
    },
    de: {
      subject: () => 'Die Zwei-Faktor-Authentifizierung ist eingeschaltet',
      body: 'Zum Anmelden brauchen Sie jetzt einen Code aus Ihrer Authenticator-App. Bewahren Sie Ihre Wiederherstellungscodes sicher auf.',
      after: notYou.de,
    },
  },
  factorOff: {
    en: {
      subject: () => 'Two-factor authentication is off',
      body: 'You now log in with your password only.',
      after: notYou.en,
    },
    de: {
      subject: () => 'Die Zwei-Faktor-Authentifizierung ist ausgeschaltet',
      body: 'Sie melden sich jetzt nur noch mit Passwort an.',
      after: notYou.de,
    },
  },
  emailAsked: {
    en: {
      subject: () => 'Request to change your email address',
      body: 'We received a request to change your email address. We are reviewing it. Nothing changes until then.',
      after: 'If this was not you, contact us immediately. Nothing will change.',
    },
    de: {
      subject: () => 'Antrag auf Änderung Ihrer E-Mail-Adresse',
      body: 'Wir haben einen Antrag auf Änderung Ihrer E-Mail-Adresse erhalten und prüfen ihn. Bis dahin ändert sich nichts.',
      after: 'Falls Sie das nicht waren, kontaktieren Sie uns umgehend. Dann ändert sich nichts.',
    },
  },
  newEmail: {
    en: {
      subject: (firm) => `Confirm your new email address for ${firm}`,
      body: 'You requested to log in and receive emails with this address. Select the button to confirm it. All sessions will then end.',
      button: 'Confirm new address',
      after:
        'The link is valid for {hours} hours and works once. If you did not request it, ignore this email. Nothing will change.',
    },
    de: {
      subject: (firm) => `Bestätigen Sie Ihre neue E-Mail-Adresse für ${firm}`,
      body: 'Wie beantragt melden Sie sich künftig mit dieser Adresse an und erhalten dort unsere E-Mails. Bestätigen Sie sie mit der Schaltfläche. Danach enden alle Sitzungen.',
      button: 'Neue Adresse bestätigen',
      after:
        'Der Link gilt {hours} Stunden und funktioniert einmal. Falls Sie dies nicht beantragt haben, ignorieren Sie diese E-Mail. Dann ändert sich nichts.',
    },
  },
  emailChanged: {
    en: {
      subject: () => 'Your email address has been changed',
      body: 'We now send our emails to your new address, and you log in with it. All sessions have ended.',
      after: 'If this was not you, contact us immediately.',
    },
    de: {
      subject: () => 'Ihre E-Mail-Adresse wurde geändert',
      body: 'Unsere E-Mails gehen jetzt an Ihre neue Adresse. Auch zum Anmelden verwenden Sie diese. Alle Sitzungen wurden beendet.',
      after: 'Falls Sie das nicht waren, kontaktieren Sie uns umgehend.',
    },
  },
  resetAsked: {
    en: {
      subject: () => 'Request to turn off two-factor authentication',
      body: 'We received a request to turn off two-factor authentication. The caller answered your security question and reported the app and recovery codes as lost. We are reviewing it. Nothing changes until then.',
      after: 'If this was not you, contact us immediately. Nothing will change.',
    },
    de: {
      subject: () => 'Antrag auf Ausschalten der Zwei-Faktor-Authentifizierung',
      body: 'Wir haben einen Antrag auf Ausschalten der Zwei-Faktor-Authentifizierung erhalten. Die anrufende Person kannte die Antwort auf Ihre Sicherheitsfrage und meldete App und Wiederherstellungscodes als verloren. Wir prüfen den Antrag. Bis dahin ändert sich nichts.',
      after: 'Falls Sie das nicht waren, kontaktieren Sie uns umgehend. Dann ändert sich nichts.',
    },
  },
  factorReset: {
    en: {
      subject: () => 'We have turned off two-factor authentication',
      body: 'We have turned off two-factor authentication as requested and ended all sessions. Log in with your password. Turn it on again under Profile, Security.',
      after: notYou.en,
    },
    de: {
      subject: () => 'Wir haben die Zwei-Faktor-Authentifizierung ausgeschaltet',
      body: 'Wie beantragt haben wir die Zwei-Faktor-Authentifizierung ausgeschaltet und alle Sitzungen beendet. Melden Sie sich mit Ihrem Passwort an. Schalten Sie sie unter Profil, Sicherheit wieder ein.',
      after: notYou.de,
    },
  },
  received: {
    en: {
      subject: () => 'We have received your registration',
      body: 'Thank you. Your registration is complete. Next, upload a proof of identity and a proof of address and send them for approval.',
      button: 'Upload documents',
      after: 'We will review them within 48 hours of receiving both.',
    },
    de: {
      subject: () => 'Wir haben Ihre Registrierung erhalten',
      body: 'Vielen Dank. Ihre Registrierung ist vollständig. Laden Sie als Nächstes einen Identitätsnachweis und einen Adressnachweis hoch und senden Sie beide zur Freigabe.',
      button: 'Dokumente hochladen',
      after: 'Wir prüfen sie innerhalb von 48 Stunden nach Eingang beider Dokumente.',
    },
  },
} as const satisfies Record<string, Record<Language, Words>>

const labels = {
  en: { at: 'Time', device: 'Device', address: 'IP address' },
  de: { at: 'Zeit', device: 'Gerät', address: 'IP-Adresse' },
} as const

type Where = (facts: Facts, letterhead: Letterhead) => string

function render(news: keyof typeof words, where?: Where): MailTemplate {
  return (facts, language, letterhead): MailContent => {
    const { subject, body, button, after }: Words = words[news][language]
    const rows = rowsOf(facts, language, letterhead)
    const heading = subject(letterhead.firmName)
    const blocks: Block[] = [{ heading }, { text: body }]
    if (rows.length > 0) blocks.push({ rows })
    if (button !== undefined && where) blocks.push({ button, href: letterhead.portalUrl + where(facts, letterhead) })
    blocks.push({ quiet: after.replace(/\{(\w+)\}/g, (_, name: string) => figure(facts[name])) })
    return { subject: heading, blocks }
  }
}

/** A number in a sentence; anything else is left out. */
function figure(fact: unknown): string {
  return typeof fact === 'number' ? `${fact}` : ''
}

function rowsOf(facts: Facts, language: Language, letterhead: Letterhead): [string, string][] {
  const label = labels[language]
  const rows: [string, string][] = []
  const { at, device, address } = facts
  if (typeof at === 'number') rows.push([label.at, timeText(new Date(at * 1000), language, letterhead.timeZone)])
  if (typeof device === 'string' && device !== '') rows.push([label.device, device])
  if (typeof address === 'string' && address !== '') rows.push([label.address, address])
  return rows
}

const oneTime = (facts: Facts, letterhead: Letterhead) => letterhead.oneTimeId(text(facts, 'link'))

export const securityMailTemplates = {
  'confirm-email': render('confirm', (facts, letterhead) => portalPaths.confirmEmail(oneTime(facts, letterhead))),
  'known-address': render('known', () => portalPaths.login),
  'email-change-asked': render('emailAsked'),
  'confirm-new-email': render('newEmail', (facts, letterhead) =>
    portalPaths.confirmNewEmail(oneTime(facts, letterhead)),
  ),
  'email-changed': render('emailChanged'),
  'password-reset': render('reset', (facts, letterhead) => portalPaths.resetPassword(oneTime(facts, letterhead))),
  'password-changed': render('passwordChanged'),
  'new-device': render('newDevice'),
  'second-factor-on': render('factorOn'),
  'second-factor-off': render('factorOff'),
  'second-factor-reset-asked': render('resetAsked'),
  'second-factor-reset': render('factorReset'),
  'registration-received': render('received', () => portalPaths.uploadDocuments),
} as const satisfies Record<string, MailTemplate>
