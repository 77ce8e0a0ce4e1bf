/** Letters about the client relationship, the professional status, and changes of the profile. */
import { neutralReason } from '#contract/office/rejection-reasons.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import type { ChangedField } from '#rules/profile-changes.ts'
import type { Language } from '../../http/problem.ts'
import { text, type Block, type MailTemplate, type Letterhead } from '../template.ts'

type Facts = Readonly<Record<string, unknown>>

interface Words {
  readonly subject: (firm: string) => string
  readonly body: (facts: Facts, firm: Letterhead) => readonly string[]
  readonly button?: string
}

interface Kind {
  readonly path?: string | ((facts: Facts, letterhead: Letterhead) => string)
  readonly en: Words
  readonly de: Words
}

const fields: Readonly<Record<Language, Readonly<Record<ChangedField, string>>>> = {
  en: {
    name: 'first name',
    surname: 'surname',
    birthDate: 'date of birth',
    nationality: 'nationality',
    country: 'country',
    email: 'e-mail address',
  },
  de: {
    name: 'Vorname',
    surname: 'Nachname',
    birthDate: 'Geburtsdatum',
    nationality: 'Staatsangehörigkeit',
    country: 'Land',
    email: 'E-Mail-Adresse',
  },
}

/** Emails written before suspensions had a text of their own carry none: theirs is the neutral one. */
function suspensionText({ reason }: Facts, language: Language): string {
  return typeof reason === 'string' ? reason : neutralReason('suspension')[language]
}

function fieldIn(facts: Facts, language: Language): string {
  return fields[language][text(facts, 'field') as ChangedField]
}

const kinds = {
  'client-invited': {
    path: (facts, letterhead) => portalPaths.confirmEmailAndSetPassword(letterhead.oneTimeId(text(facts, 'link'))),
    en: {
      subject: (firm) => `${firm} invites you to open an account`,
      body: (facts) => [
        'Press the button to confirm your address and choose a password. Your registration then goes on from what we have noted for you.',
        `The link works for ${String(facts['hours'])} hours and once.`,
      ],
      button: 'Accept the invitation',
    },
    de: {
      subject: (firm) => `${firm} lädt Sie ein, ein Konto zu eröffnen`,
      body: (facts) => [
        'Bestätigen Sie mit der Schaltfläche Ihre Adresse und wählen Sie ein Passwort. Ihre Registrierung geht dann mit dem weiter, was wir für Sie notiert haben.',
        `Der Link gilt ${String(facts['hours'])} Stunden und einmal.`,
      ],
      button: 'Einladung annehmen',
    },
  },
  'client-approved': {
    path: portalPaths.tradingAccounts,
    en: {
      subject: (firm) => `Welcome to ${firm}: your account is approved`,
      body: ({ wanted }) => [
        'Your documents are checked and you are approved. The whole portal is open to you now.',
        wanted === true
          ? 'The trading account that you chose at registration is requested. We usually open an account within one working day and write to you when it is ready.'
          : 'Request your first trading account there. We usually open an account within one working day.',
      ],
      button: 'Open the portal',
    },
    de: {
      subject: (firm) => `Willkommen bei ${firm}: Sie sind freigegeben`,
      body: ({ wanted }) => [
        'Ihre Dokumente sind geprüft und Sie sind freigegeben. Das ganze Portal steht Ihnen jetzt offen.',
        wanted === true
          ? 'Das Handelskonto, das Sie bei der Registrierung gewählt haben, ist beantragt. Wir eröffnen Konten meist innerhalb eines Werktags und schreiben Ihnen, sobald es bereit ist.'
          : 'Beantragen Sie dort Ihr erstes Handelskonto. Wir eröffnen Konten meist innerhalb eines Werktags.',
      ],
      button: 'Portal öffnen',
    },
  },
  'client-rejected': {
    en: {
      subject: (firm) => `Your application at ${firm}`,
      body: (facts) => ['We have reviewed your application.', text(facts, 'reason')],
    },
    de: {
      subject: (firm) => `Ihr Antrag bei ${firm}`,
      body: (facts) => ['Wir haben Ihren Antrag geprüft.', text(facts, 'reason')],
    },
  },
  'client-suspended': {
    en: {
      subject: () => 'Your access is suspended',
      body: (facts, { supportEmail }) => [
        suspensionText(facts, 'en'),
        `Your money remains yours. To contact us, email ${supportEmail}.`,
      ],
    },
    de: {
      subject: () => 'Ihr Zugang ist gesperrt',
      body: (facts, { supportEmail }) => [
        suspensionText(facts, 'de'),
        `Ihr Guthaben bleibt Ihr Eigentum. Sie erreichen uns unter ${supportEmail}.`,
      ],
    },
  },
  'client-reactivated': {
    path: portalPaths.home,
    en: {
      subject: () => 'Your access is open again',
      body: () => ['The suspension of your access has ended. You can log in as before.'],
      button: 'Log in',
    },
    de: {
      subject: () => 'Ihr Zugang ist wieder offen',
      body: () => ['Die Sperre Ihres Zugangs ist aufgehoben. Sie können sich wie zuvor anmelden.'],
      button: 'Anmelden',
    },
  },
  'client-closed': {
    en: {
      subject: (firm) => `Your relationship with ${firm} has ended`,
      body: (facts) => [text(facts, 'reason'), 'There is no balance left and no open request.'],
    },
    de: {
      subject: (firm) => `Ihre Geschäftsbeziehung mit ${firm} ist beendet`,
      body: (facts) => [text(facts, 'reason'), 'Es ist kein Guthaben und kein Auftrag mehr offen.'],
    },
  },
  'professional-approved': {
    path: portalPaths.tradingAccounts,
    en: {
      subject: () => 'You are a Professional Client now',
      body: () => [
        'We have approved your application. Higher leverage is open to you on the accounts that became professional, and the protections of a retail client no longer apply there.',
      ],
      button: 'See your accounts',
    },
    de: {
      subject: () => 'Sie sind jetzt professioneller Kunde',
      body: () => [
        'Wir haben Ihren Antrag angenommen. Auf den Konten, die nun professionell sind, steht Ihnen ein höherer Hebel offen; der Schutz für Privatkunden gilt dort nicht mehr.',
      ],
      button: 'Ihre Konten ansehen',
    },
  },
  'professional-rejected': {
    en: {
      subject: () => 'Your application for professional client status',
      body: (facts) => [
        'We could not approve your application. You remain a Retail Client with all protections. The reason:',
        text(facts, 'reason'),
      ],
    },
    de: {
      subject: () => 'Ihr Antrag auf Einstufung als professioneller Kunde',
      body: (facts) => [
        'Wir konnten Ihren Antrag nicht annehmen. Sie bleiben Privatkunde mit allem Schutz. Der Grund:',
        text(facts, 'reason'),
      ],
    },
  },
  'professional-more-asked': {
    path: portalPaths.professionalClientStatus,
    en: {
      subject: () => 'We need more for your professional client application',
      body: (facts) => ['Before we decide, we need this from you:', text(facts, 'reason')],
      button: 'Open the form',
    },
    de: {
      subject: () => 'Für Ihren Antrag als professioneller Kunde fehlt noch etwas',
      body: (facts) => ['Bevor wir entscheiden, benötigen wir von Ihnen:', text(facts, 'reason')],
      button: 'Formular öffnen',
    },
  },
  'professional-reversed': {
    path: portalPaths.tradingAccounts,
    en: {
      subject: () => 'You are a Retail Client again',
      body: (facts) => [
        'Your professional client status has ended. All protections of a retail client apply again, and so does the leverage of 1:30. The reason:',
        text(facts, 'reason'),
      ],
      button: 'See your accounts',
    },
    de: {
      subject: () => 'Sie sind wieder Privatkunde',
      body: (facts) => [
        'Ihre Einstufung als professioneller Kunde ist beendet. Es gilt wieder aller Schutz für Privatkunden und der Hebel 1:30. Der Grund:',
        text(facts, 'reason'),
      ],
      button: 'Ihre Konten ansehen',
    },
  },
  'profile-change-approved': {
    path: portalPaths.profile,
    en: {
      subject: () => 'Your change is in your profile',
      body: (facts) => [`We have approved your change. Your ${fieldIn(facts, 'en')} is updated.`],
      button: 'See your profile',
    },
    de: {
      subject: () => 'Ihre Änderung steht im Profil',
      body: (facts) => [`Wir haben Ihre Änderung angenommen. Aktualisiert wurde: ${fieldIn(facts, 'de')}.`],
      button: 'Profil ansehen',
    },
  },
  'profile-change-rejected': {
    path: portalPaths.profile,
    en: {
      subject: () => 'We could not make your change',
      body: (facts) => [`Your ${fieldIn(facts, 'en')} stays as it was. The reason:`, text(facts, 'reason')],
      button: 'See your profile',
    },
    de: {
      subject: () => 'Wir konnten Ihre Änderung nicht übernehmen',
      body: (facts) => [`Unverändert bleibt: ${fieldIn(facts, 'de')}. Der Grund:`, text(facts, 'reason')],
      button: 'Profil ansehen',
    },
  },
  'profile-corrected': {
    path: portalPaths.profile,
    en: {
      subject: () => 'We corrected your profile',
      body: () => [
        'We have corrected an entry of your profile. See whether it is right now, and write to us if it is not.',
      ],
      button: 'See your profile',
    },
    de: {
      subject: () => 'Wir haben Ihr Profil berichtigt',
      body: () => [
        'Wir haben eine Angabe in Ihrem Profil berichtigt. Sehen Sie nach, ob sie jetzt stimmt, und schreiben Sie uns, falls nicht.',
      ],
      button: 'Profil ansehen',
    },
  },
  'requests-to-confirm': {
    path: portalPaths.tradingAccounts,
    en: {
      subject: () => 'Please confirm your open requests',
      body: ({ count }) => [
        'After a technical fault we have checked our records. Some of your latest changes may have been lost. Your money is safe.',
        count === 1
          ? 'You have 1 open request. We will continue with it once you have confirmed it.'
          : `You have ${String(count)} open requests. We will continue with each of them once you have confirmed it.`,
      ],
      button: 'Review open requests',
    },
    de: {
      subject: () => 'Bitte bestätigen Sie Ihre offenen Aufträge',
      body: ({ count }) => [
        'Nach einer technischen Störung haben wir unsere Daten geprüft. Einige Ihrer letzten Änderungen sind möglicherweise verloren gegangen. Ihr Geld ist sicher.',
        count === 1
          ? 'Sie haben 1 offenen Auftrag. Wir bearbeiten ihn weiter, sobald Sie ihn bestätigt haben.'
          : `Sie haben ${String(count)} offene Aufträge. Wir bearbeiten jeden weiter, sobald Sie ihn bestätigt haben.`,
      ],
      button: 'Offene Aufträge prüfen',
    },
  },
} as const satisfies Record<string, Kind>

function template(kind: Kind): MailTemplate {
  return (facts, language, letterhead) => {
    const { subject, body, button } = kind[language]
    const title = subject(letterhead.firmName)
    const blocks: Block[] = [{ heading: title }, ...body(facts, letterhead).map((line) => ({ text: line }))]
    if (button !== undefined && kind.path !== undefined) {
      const path = typeof kind.path === 'string' ? kind.path : kind.path(facts, letterhead)
      blocks.push({ button, href: `${letterhead.portalUrl}${path}` })
    }
    return { subject: title, blocks }
  }
}

type ClientMail = keyof typeof kinds

export const clientMailTemplates = Object.fromEntries(
  Object.entries(kinds).map(([name, kind]) => [name, template(kind)]),
) as Record<ClientMail, MailTemplate>
