/** Mails about the client relationship, the professional status, and changes of the profile. */
import { neutralReason } from '#contract/office/rejection-reasons.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { profileLabels } from '#contract/profile-labels.ts'
import type { Language } from '#rules/choices.ts'
import { labelText, translate } from '../../i18n/translate.ts'
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

/** Emails written before suspensions had a text of their own carry none: theirs is the neutral one. */
function suspensionText({ reason }: Facts, language: Language): string {
  return typeof reason === 'string' ? reason : translate(neutralReason('suspension').text, language)
}

/** The label of the changed field as it is written inside a sentence: English has no capital there. */
function fieldIn(facts: Facts, language: Language): string {
  const label = labelText(profileLabels, text(facts, 'field'), language)
  return language === 'en' ? label.charAt(0).toLowerCase() + label.slice(1) : label
}

const kinds = {
  'client-invited': {
    path: (facts, letterhead) => portalPaths.confirmEmailAndSetPassword(letterhead.oneTimeId(text(facts, 'link'))),
    en: {
      subject: (firm) => `${firm} invites you to open an account`,
      body: (facts) => [
        'Select the button to confirm your address and choose a password. Then continue your registration. We have entered some details for you.',
        `The link is valid for ${String(facts['hours'])} hours and works once.`,
      ],
      button: 'Accept invitation',
    },
    de: {
      subject: (firm) => `${firm} lädt Sie ein, ein Konto zu eröffnen`,
      body: (facts) => [
        'Bestätigen Sie mit der Schaltfläche Ihre Adresse und wählen Sie ein Passwort. Danach setzen Sie Ihre Registrierung fort. Einige Angaben haben wir für Sie erfasst.',
        `Der Link gilt ${String(facts['hours'])} Stunden und funktioniert einmal.`,
      ],
      button: 'Einladung annehmen',
    },
  },
  'client-approved': {
    path: portalPaths.tradingAccounts,
    en: {
      subject: (firm) => `Welcome to ${firm}: your application has been approved`,
      body: ({ wanted }) => [
        'We have checked your documents and approved your application. You now have full access to the portal.',
        wanted === true
          ? 'We have received your request for the trading account you chose at registration. We usually open an account within one working day. We will email you when it is ready.'
          : 'Request your first trading account in the portal. We usually open an account within one working day.',
      ],
      button: 'Open the portal',
    },
    de: {
      subject: (firm) => `Willkommen bei ${firm}: Ihr Antrag wurde genehmigt`,
      body: ({ wanted }) => [
        'Wir haben Ihre Dokumente geprüft und Ihren Antrag genehmigt. Sie haben jetzt Zugang zum gesamten Portal.',
        wanted === true
          ? 'Das bei der Registrierung gewählte Handelskonto ist beantragt. Wir eröffnen Konten meist innerhalb eines Werktags. Wir schreiben Ihnen, sobald es bereit ist.'
          : 'Beantragen Sie im Portal Ihr erstes Handelskonto. Wir eröffnen Konten meist innerhalb eines Werktags.',
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
      subject: () => 'Your access has been suspended',
      body: (facts, { supportEmail }) => [
        suspensionText(facts, 'en'),
        `Your money still belongs to you. Contact ${supportEmail} to find out what we need.`,
      ],
    },
    de: {
      subject: () => 'Ihr Zugang ist gesperrt',
      body: (facts, { supportEmail }) => [
        suspensionText(facts, 'de'),
        `Ihr Guthaben gehört weiterhin Ihnen. Bitte schreiben Sie an ${supportEmail}. Wir sagen Ihnen, was wir benötigen.`,
      ],
    },
  },
  'client-reactivated': {
    path: portalPaths.home,
    en: {
      subject: () => 'Your access has been restored',
      body: () => ['The suspension of your access has ended. You can log in as before.'],
      button: 'Log in',
    },
    de: {
      subject: () => 'Ihr Zugang ist wieder freigeschaltet',
      body: () => ['Die Sperre Ihres Zugangs ist aufgehoben. Sie können sich wie zuvor anmelden.'],
      button: 'Anmelden',
    },
  },
  'client-closed': {
    en: {
      subject: (firm) => `Your relationship with ${firm} has ended`,
      body: (facts) => [text(facts, 'reason'), 'You have no remaining balance or open requests.'],
    },
    de: {
      subject: (firm) => `Ihre Geschäftsbeziehung mit ${firm} ist beendet`,
      body: (facts) => [text(facts, 'reason'), 'Es bestehen kein Guthaben und keine offenen Aufträge mehr.'],
    },
  },
  'professional-approved': {
    path: portalPaths.tradingAccounts,
    en: {
      subject: () => 'You are now a Professional Client',
      body: () => [
        'We have approved your application. Higher leverage is available on your professional accounts. Retail client protections no longer apply to them.',
      ],
      button: 'View accounts',
    },
    de: {
      subject: () => 'Sie sind jetzt professioneller Kunde',
      body: () => [
        'Wir haben Ihren Antrag genehmigt. Auf Ihren professionellen Konten ist ein höherer Hebel verfügbar. Der Schutz für Privatkunden gilt dort nicht mehr.',
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
        'Wir konnten Ihren Antrag nicht genehmigen. Sie bleiben Privatkunde mit vollem Schutz. Der Grund:',
        text(facts, 'reason'),
      ],
    },
  },
  'professional-more-asked': {
    path: portalPaths.professionalClientStatus,
    en: {
      subject: () => 'We need more information for your professional client application',
      body: (facts) => ['Before we decide, we need this information from you:', text(facts, 'reason')],
      button: 'Open the form',
    },
    de: {
      subject: () => 'Rückfrage zu Ihrem Antrag auf Einstufung als professioneller Kunde',
      body: (facts) => ['Vor unserer Entscheidung benötigen wir diese Angaben von Ihnen:', text(facts, 'reason')],
      button: 'Formular öffnen',
    },
  },
  'professional-reversed': {
    path: portalPaths.tradingAccounts,
    en: {
      subject: () => 'You are a Retail Client again',
      body: (facts) => [
        'Your professional client status has ended. All retail client protections and the leverage of 1:30 apply again. The reason:',
        text(facts, 'reason'),
      ],
      button: 'View accounts',
    },
    de: {
      subject: () => 'Sie sind wieder Privatkunde',
      body: (facts) => [
        'Ihre Einstufung als professioneller Kunde ist beendet. Es gelten wieder der volle Schutz für Privatkunden und der Hebel 1:30. Der Grund:',
        text(facts, 'reason'),
      ],
      button: 'Ihre Konten ansehen',
    },
  },
  'profile-change-approved': {
    path: portalPaths.profile,
    en: {
      subject: () => 'Your profile has been updated',
      body: (facts) => [`We have approved your change. Your ${fieldIn(facts, 'en')} has been updated.`],
      button: 'View profile',
    },
    de: {
      subject: () => 'Ihr Profil wurde aktualisiert',
      body: (facts) => [`Wir haben Ihre Änderung genehmigt. Aktualisiert wurde: ${fieldIn(facts, 'de')}.`],
      button: 'Profil ansehen',
    },
  },
  'profile-change-rejected': {
    path: portalPaths.profile,
    en: {
      subject: () => 'We could not update your profile',
      body: (facts) => [`Your ${fieldIn(facts, 'en')} has not changed. The reason:`, text(facts, 'reason')],
      button: 'View profile',
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
      subject: () => 'We have corrected your profile',
      body: () => [
        'We have corrected an entry in your profile. Check whether it is correct now. If it is not, contact us.',
      ],
      button: 'View profile',
    },
    de: {
      subject: () => 'Wir haben Ihr Profil berichtigt',
      body: () => [
        'Wir haben eine Angabe in Ihrem Profil berichtigt. Prüfen Sie, ob sie jetzt stimmt. Wenn nicht, kontaktieren Sie uns.',
      ],
      button: 'Profil ansehen',
    },
  },
  'requests-to-confirm': {
    path: portalPaths.tradingAccounts,
    en: {
      subject: () => 'Please confirm your open requests',
      body: ({ count }) => [
        'We have checked our records after a technical problem. Some of your latest changes may have been lost. Your money is safe.',
        count === 1
          ? 'You have 1 open request. We will continue after you confirm it.'
          : `You have ${String(count)} open requests. We will continue with each request after you confirm it.`,
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
