/** Letters about a person's access: confirmation, passwords, second factor, new devices, and the end of the registration. */
import { portalPaths } from '#contract/portal-paths.ts'
import type { Language } from '../../http/problem.ts'
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
  en: 'This was not you? Reset your password and write to us at once.',
  de: 'Das waren nicht Sie? Setzen Sie Ihr Passwort zurück und schreiben Sie uns sofort.',
}

const words = {
  confirm: {
    en: {
      subject: (firm) => `Confirm your e-mail address for ${firm}`,
      body: 'Press the button to confirm this address. Your registration then goes on where you are.',
      button: 'Confirm the address',
      after:
        'The link works for {hours} hours and once. You did not register? Then ignore this letter: nothing happens without the link.',
    },
    de: {
      subject: (firm) => `Bestätigen Sie Ihre E-Mail-Adresse für ${firm}`,
      body: 'Bestätigen Sie diese Adresse mit der Schaltfläche. Ihre Registrierung geht dann dort weiter, wo Sie sind.',
      button: 'Adresse bestätigen',
      after:
        'Der Link gilt {hours} Stunden und einmal. Sie haben sich nicht registriert? Dann ignorieren Sie diese E-Mail: Ohne den Link geschieht nichts.',
    },
  },
  known: {
    en: {
      subject: (firm) => `You are registered with ${firm} already`,
      body: 'Somebody has just registered with this address. It belongs to a registration that you have with us already, so nothing was changed. Log in as usual.',
      button: 'Log in',
      after:
        'You have forgotten your password? Use Forgot password on the login page. If you did not try to register, you need not do anything.',
    },
    de: {
      subject: (firm) => `Sie sind bei ${firm} schon registriert`,
      body: 'Jemand hat sich gerade mit dieser Adresse registriert. Sie gehört zu einer Registrierung, die Sie bei uns schon haben; deshalb wurde nichts geändert. Melden Sie sich wie gewohnt an.',
      button: 'Anmelden',
      after:
        'Passwort vergessen? Wählen Sie auf der Anmeldeseite „Passwort vergessen“. Wenn Sie sich nicht registrieren wollten, brauchen Sie nichts zu tun.',
    },
  },
  reset: {
    en: {
      subject: (firm) => `Set a new password for ${firm}`,
      body: 'You asked for a new password. Press the button and choose one.',
      button: 'Set a new password',
      after:
        'The link works for {minutes} minutes and once. You did not ask for it? Then ignore this letter: your password stays as it is.',
    },
    de: {
      subject: (firm) => `Setzen Sie ein neues Passwort für ${firm}`,
      body: 'Sie haben ein neues Passwort angefordert. Wählen Sie es über die Schaltfläche.',
      button: 'Neues Passwort setzen',
      after:
        'Der Link gilt {minutes} Minuten und einmal. Sie haben das nicht angefordert? Dann ignorieren Sie diese E-Mail: Ihr Passwort bleibt, wie es ist.',
    },
  },
  passwordChanged: {
    en: {
      subject: () => 'Your password was changed',
      body: 'Your password was changed, and all other sessions were ended.',
      after: notYou.en,
    },
    de: {
      subject: () => 'Ihr Passwort wurde geändert',
      body: 'Ihr Passwort wurde geändert; alle anderen Sitzungen wurden beendet.',
      after: notYou.de,
    },
  },
  newDevice: {
    en: {
      subject: () => 'A new device has logged in',
      body: 'Somebody has logged in to your account from a device that we have not seen before.',
      after: notYou.en,
    },
    de: {
      subject: () => 'Ein neues Gerät hat sich angemeldet',
      body: 'Bei Ihrem Zugang hat sich jemand von einem Gerät angemeldet, das wir noch nicht kannten.',
      after: notYou.de,
    },
  },
  factorOn: {
    en: {
      subject: () => 'Two-factor authentication is on',
      body: 'From now on, logging in asks for a code from your authenticator app. Keep your recovery codes in a safe place.',
      after: notYou.en,
    },
    de: {
      subject: () => 'Die Zwei-Faktor-Anmeldung ist eingeschaltet',
      body: 'Ab jetzt fragt die Anmeldung nach einem Code aus Ihrer Authenticator-App. Bewahren Sie Ihre Wiederherstellungscodes sicher auf.',
      after: notYou.de,
    },
  },
  factorOff: {
    en: {
      subject: () => 'Two-factor authentication is off',
      body: 'From now on, your password alone is enough to log in.',
      after: notYou.en,
    },
    de: {
      subject: () => 'Die Zwei-Faktor-Anmeldung ist ausgeschaltet',
      body: 'Ab jetzt genügt zum Anmelden Ihr Passwort.',
      after: notYou.de,
    },
  },
  emailAsked: {
    en: {
      subject: () => 'Another e-mail address is asked for in your name',
      body: 'Somebody who is not reached under this address asks us to use another one. We check it; until then nothing changes.',
      after: 'This was not you? Write to us at once, and we leave everything as it is.',
    },
    de: {
      subject: () => 'In Ihrem Namen wird eine andere E-Mail-Adresse erbeten',
      body: 'Jemand, der unter dieser Adresse nicht zu erreichen ist, bittet uns, eine andere zu verwenden. Wir prüfen das; bis dahin ändert sich nichts.',
      after: 'Das waren nicht Sie? Schreiben Sie uns sofort, dann bleibt alles, wie es ist.',
    },
  },
  newEmail: {
    en: {
      subject: (firm) => `Confirm your new e-mail address for ${firm}`,
      body: 'As you asked, this becomes the address that you log in with and that we write to. Press the button to confirm it; all sessions then end.',
      button: 'Confirm the new address',
      after:
        'The link works for {hours} hours and once. You did not ask for it? Then ignore this letter: nothing changes without the link.',
    },
    de: {
      subject: (firm) => `Bestätigen Sie Ihre neue E-Mail-Adresse für ${firm}`,
      body: 'Wie gewünscht melden Sie sich künftig mit dieser Adresse an, und wir schreiben Ihnen dorthin. Bestätigen Sie sie mit der Schaltfläche; danach enden alle Sitzungen.',
      button: 'Neue Adresse bestätigen',
      after:
        'Der Link gilt {hours} Stunden und einmal. Sie haben das nicht gewünscht? Dann ignorieren Sie diese E-Mail: Ohne den Link ändert sich nichts.',
    },
  },
  emailChanged: {
    en: {
      subject: () => 'Your e-mail address was changed',
      body: 'We write to your new address from now on, and only it logs in. All sessions were ended.',
      after: 'This was not you? Write to us at once.',
    },
    de: {
      subject: () => 'Ihre E-Mail-Adresse wurde geändert',
      body: 'Wir schreiben Ihnen ab jetzt an Ihre neue Adresse, und nur mit ihr melden Sie sich an. Alle Sitzungen wurden beendet.',
      after: 'Das waren nicht Sie? Schreiben Sie uns sofort.',
    },
  },
  resetAsked: {
    en: {
      subject: () => 'Somebody asks us to turn your second factor off',
      body: 'Somebody who gave the answer to your security question told us that your authenticator app and recovery codes are lost. We check it; until then nothing changes.',
      after: 'This was not you? Write to us at once, and we leave everything as it is.',
    },
    de: {
      subject: () => 'Jemand bittet uns, Ihren zweiten Faktor abzuschalten',
      body: 'Jemand, der die Antwort auf Ihre Sicherheitsfrage kannte, hat uns mitgeteilt, dass Authenticator-App und Wiederherstellungscodes verloren sind. Wir prüfen das; bis dahin ändert sich nichts.',
      after: 'Das waren nicht Sie? Schreiben Sie uns sofort, dann bleibt alles, wie es ist.',
    },
  },
  factorReset: {
    en: {
      subject: () => 'We have turned your second factor off',
      body: 'As you asked, we have turned two-factor authentication off and ended all sessions. Log in with your password and turn it on again under Profile, Security.',
      after: notYou.en,
    },
    de: {
      subject: () => 'Wir haben Ihren zweiten Faktor abgeschaltet',
      body: 'Wie gewünscht haben wir die Zwei-Faktor-Anmeldung abgeschaltet und alle Sitzungen beendet. Melden Sie sich mit Ihrem Passwort an und schalten Sie sie unter Profil, Sicherheit wieder ein.',
      after: notYou.de,
    },
  },
  received: {
    en: {
      subject: () => 'We have your registration',
      body: 'Thank you: your registration is complete. Next, upload a proof of identity and a proof of address and send them for approval.',
      button: 'Upload documents',
      after: 'As soon as both are with us, we check them within 48 hours.',
    },
    de: {
      subject: () => 'Ihre Registrierung ist bei uns',
      body: 'Vielen Dank: Ihre Registrierung ist vollständig. Laden Sie als Nächstes einen Identitätsnachweis und einen Adressnachweis hoch und senden Sie beide zur Freigabe.',
      button: 'Dokumente hochladen',
      after: 'Sobald beide bei uns sind, prüfen wir sie innerhalb von 48 Stunden.',
    },
  },
} as const satisfies Record<string, Record<Language, Words>>

const labels = {
  en: { at: 'Time', device: 'Device', address: 'Internet address' },
  de: { at: 'Zeit', device: 'Gerät', address: 'Internetadresse' },
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
