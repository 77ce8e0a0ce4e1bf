/** What each kind of mail is called where staff read of it: lists of what could not be sent, and their files. */
import type { Language } from '#rules/choices.ts'

export const mailKinds = {
  'account-opened': { en: 'trading account opened', de: 'Handelskonto eröffnet' },
  'account-rejected': { en: 'trading account not opened', de: 'Handelskonto nicht eröffnet' },
  'leverage-changed': { en: 'leverage changed', de: 'Hebel geändert' },
  'leverage-rejected': { en: 'leverage not changed', de: 'Hebel nicht geändert' },
  'bank-details-added': { en: 'bank account added', de: 'Bankkonto hinzugefügt' },
  'bank-details-approved': { en: 'bank account approved', de: 'Bankkonto genehmigt' },
  'bank-details-rejected': { en: 'bank account not approved', de: 'Bankkonto nicht genehmigt' },
  'client-invited': { en: 'invitation to open an account', de: 'Einladung, ein Konto zu eröffnen' },
  'client-approved': { en: 'client approved', de: 'Kunde freigegeben' },
  'client-rejected': { en: 'application not accepted', de: 'Antrag nicht angenommen' },
  'client-suspended': { en: 'access suspended', de: 'Zugang gesperrt' },
  'client-reactivated': { en: 'access open again', de: 'Zugang wieder offen' },
  'client-closed': { en: 'client relationship ended', de: 'Kundenbeziehung beendet' },
  'professional-approved': { en: 'professional status approved', de: 'Als professioneller Kunde eingestuft' },
  'professional-rejected': { en: 'professional status not approved', de: 'Nicht als professioneller Kunde eingestuft' },
  'professional-more-asked': {
    en: 'more asked for the professional status',
    de: 'Mehr für die Einstufung angefordert',
  },
  'professional-reversed': { en: 'professional status ended', de: 'Einstufung als professioneller Kunde beendet' },
  'profile-change-approved': { en: 'profile change approved', de: 'Profiländerung genehmigt' },
  'profile-change-rejected': { en: 'profile change rejected', de: 'Profiländerung abgelehnt' },
  'profile-corrected': { en: 'profile corrected', de: 'Profil berichtigt' },
  'requests-to-confirm': { en: 'open requests to confirm', de: 'Offene Aufträge zu bestätigen' },
  'correction-booked': { en: 'balance corrected', de: 'Kontostand berichtigt' },
  'deposit-credited': { en: 'deposit credited', de: 'Einzahlung gutgeschrieben' },
  'deposit-rejected': { en: 'deposit rejected', de: 'Einzahlung abgelehnt' },
  'deposit-refused': { en: 'deposit refused by the platform', de: 'Einzahlung von der Plattform abgelehnt' },
  'deposit-cancelled': { en: 'announced deposit expired', de: 'Angekündigte Einzahlung abgelaufen' },
  'deposit-refunded': { en: 'deposit refunded', de: 'Einzahlung erstattet' },
  'deposit-charged-back': { en: 'deposit charged back', de: 'Einzahlung rückbelastet' },
  'wire-details': { en: 'bank details for a transfer', de: 'Bankdaten für eine Überweisung' },
  'document-approved': { en: 'document approved', de: 'Dokument freigegeben' },
  'document-rejected': { en: 'document needed once more', de: 'Dokument noch einmal benötigt' },
  'document-asked': { en: 'source of wealth asked for', de: 'Nachweis der Herkunft des Vermögens angefordert' },
  'document-expiring': { en: 'document expires soon', de: 'Dokument läuft bald ab' },
  'document-expired': { en: 'document expired', de: 'Dokument abgelaufen' },
  'confirm-email': { en: 'confirmation of the address', de: 'Bestätigung der Adresse' },
  'known-address': { en: 'registered already', de: 'Schon registriert' },
  'email-change-asked': { en: 'another address asked for', de: 'Andere Adresse erbeten' },
  'confirm-new-email': { en: 'confirmation of the new address', de: 'Bestätigung der neuen Adresse' },
  'email-changed': { en: 'address changed', de: 'Adresse geändert' },
  'password-reset': { en: 'new password', de: 'Neues Passwort' },
  'password-changed': { en: 'password changed', de: 'Passwort geändert' },
  'new-device': { en: 'login from a new device', de: 'Anmeldung von einem neuen Gerät' },
  'second-factor-on': { en: 'two-factor authentication on', de: 'Zwei-Faktor-Anmeldung eingeschaltet' },
  'second-factor-off': { en: 'two-factor authentication off', de: 'Zwei-Faktor-Anmeldung ausgeschaltet' },
  'second-factor-reset-asked': {
    en: 'reset of the second factor asked for',
    de: 'Abschalten des zweiten Faktors erbeten',
  },
  'second-factor-reset': { en: 'second factor turned off by us', de: 'Zweiter Faktor von uns abgeschaltet' },
  'registration-received': { en: 'registration received', de: 'Registrierung eingegangen' },
  'transfer-approved': { en: 'transfer done', de: 'Umbuchung erledigt' },
  'transfer-rejected': { en: 'transfer rejected', de: 'Umbuchung abgelehnt' },
  'withdrawal-requested': { en: 'withdrawal requested', de: 'Auszahlung beauftragt' },
  'withdrawal-approved': { en: 'withdrawal approved', de: 'Auszahlung genehmigt' },
  'withdrawal-paid': { en: 'withdrawal sent', de: 'Auszahlung gesendet' },
  'withdrawal-rejected': { en: 'withdrawal rejected', de: 'Auszahlung abgelehnt' },
  'withdrawal-reversed': { en: 'withdrawal reversed', de: 'Auszahlung rückgebucht' },
  'withdrawal-returned': { en: 'withdrawal came back', de: 'Auszahlung zurückgekommen' },
  'staff-invitation': { en: 'invitation of staff', de: 'Einladung von Personal' },
  'staff-new-device': { en: 'sign-in of staff from a new device', de: 'Anmeldung im Backoffice von einem neuen Gerät' },
} as const satisfies Record<string, Readonly<Record<Language, string>>>

export type MailKind = keyof typeof mailKinds

/** "Mail: document approved"; null for what is no kind of mail. */
export function mailLabel(kind: string, language: Language): string | null {
  if (!Object.hasOwn(mailKinds, kind)) return null
  return `${language === 'de' ? 'E-Mail' : 'Mail'}: ${mailKinds[kind as MailKind][language]}`
}
