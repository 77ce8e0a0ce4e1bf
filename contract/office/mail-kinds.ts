/** What each kind of mail is called where staff read of it: lists of what could not be sent, and their files. */
import type { Language } from '#rules/choices.ts'

export const mailKinds = {
  'account-opened': { en: 'trading account opened', de: 'Handelskonto eröffnet' },
  'account-rejected': { en: 'trading account not opened', de: 'Handelskonto nicht eröffnet' },
  'leverage-changed': { en: 'leverage changed', de: 'Hebel geändert' },
  'leverage-rejected': { en: 'leverage not changed', de: 'Hebel nicht geändert' },
  'bank-details-added': { en: 'bank account added', de: 'Bankkonto hinzugefügt' },
  'bank-details-approved': { en: 'bank account approved', de: 'Bankkonto freigegeben' },
  'bank-details-rejected': { en: 'bank account not approved', de: 'Bankkonto nicht freigegeben' },
  'client-invited': { en: 'invitation to open an account', de: 'Einladung zur Kontoeröffnung' },
  'client-approved': { en: 'client approved', de: 'Kunde freigeschaltet' },
  'client-rejected': { en: 'application not accepted', de: 'Antrag nicht angenommen' },
  'client-suspended': { en: 'access suspended', de: 'Zugang gesperrt' },
  'client-reactivated': { en: 'access restored', de: 'Zugang wieder freigeschaltet' },
  'client-closed': { en: 'client relationship ended', de: 'Kundenbeziehung beendet' },
  'professional-approved': { en: 'professional status approved', de: 'Als professioneller Kunde eingestuft' },
  'professional-rejected': { en: 'professional status not approved', de: 'Nicht als professioneller Kunde eingestuft' },
  'professional-more-asked': {
    en: 'information requested for professional status',
    de: 'Rückfrage zum Antrag auf professionellen Status',
  },
  'professional-reversed': { en: 'professional status ended', de: 'Einstufung als professioneller Kunde beendet' },
  'profile-change-approved': { en: 'profile change approved', de: 'Profiländerung genehmigt' },
  'profile-change-rejected': { en: 'profile change rejected', de: 'Profiländerung abgelehnt' },
  'profile-corrected': { en: 'profile corrected', de: 'Profil berichtigt' },
  'requests-to-confirm': { en: 'open requests to confirm', de: 'Offene Aufträge zu bestätigen' },
  'correction-booked': { en: 'balance corrected', de: 'Kontosaldo korrigiert' },
  'deposit-credited': { en: 'deposit credited', de: 'Einzahlung gutgeschrieben' },
  'deposit-rejected': { en: 'deposit rejected', de: 'Einzahlung abgelehnt' },
  'deposit-refused': { en: 'deposit rejected by the platform', de: 'Einzahlung von der Plattform abgelehnt' },
  'deposit-cancelled': { en: 'expected deposit expired', de: 'Erwartete Einzahlung abgelaufen' },
  'deposit-refunded': { en: 'deposit refunded', de: 'Einzahlung erstattet' },
  'deposit-charged-back': { en: 'deposit charged back', de: 'Einzahlung rückbelastet' },
  'wire-details': { en: 'bank transfer details', de: 'Überweisungsdaten' },
  'document-approved': { en: 'document approved', de: 'Dokument akzeptiert' },
  'document-rejected': { en: 'document to upload again', de: 'Dokument erneut hochzuladen' },
  'document-asked': { en: 'source of wealth requested', de: 'Nachweis der Herkunft des Vermögens angefordert' },
  'document-expiring': { en: 'document expires soon', de: 'Dokument läuft bald ab' },
  'document-expired': { en: 'document expired', de: 'Dokument abgelaufen' },
  'confirm-email': { en: 'email address confirmation', de: 'Bestätigung der E-Mail-Adresse' },
  'known-address': { en: 'already registered', de: 'Bereits registriert' },
  'email-change-asked': { en: 'email change requested', de: 'Änderung der E-Mail-Adresse beantragt' },
  'confirm-new-email': { en: 'new email address confirmation', de: 'Bestätigung der neuen E-Mail-Adresse' },
  'email-changed': { en: 'email address changed', de: 'E-Mail-Adresse geändert' },
  'password-reset': { en: 'password reset', de: 'Passwort zurücksetzen' },
  'password-changed': { en: 'password changed', de: 'Passwort geändert' },
  'new-device': { en: 'login from a new device', de: 'Anmeldung von einem neuen Gerät' },
  'second-factor-on': { en: 'two-factor authentication on', de: 'Zwei-Faktor-Authentifizierung eingeschaltet' },
  'second-factor-off': { en: 'two-factor authentication off', de: 'Zwei-Faktor-Authentifizierung ausgeschaltet' },
  'second-factor-reset-asked': {
    en: '2FA reset requested',
    de: '2FA-Zurücksetzung beantragt',
  },
  'second-factor-reset': { en: '2FA reset', de: '2FA zurückgesetzt' },
  'registration-received': { en: 'registration received', de: 'Registrierung eingegangen' },
  'transfer-approved': { en: 'transfer completed', de: 'Umbuchung ausgeführt' },
  'transfer-rejected': { en: 'transfer rejected', de: 'Umbuchung abgelehnt' },
  'withdrawal-requested': { en: 'withdrawal requested', de: 'Auszahlung beantragt' },
  'withdrawal-approved': { en: 'withdrawal approved', de: 'Auszahlung freigegeben' },
  'withdrawal-paid': { en: 'withdrawal sent', de: 'Auszahlung gesendet' },
  'withdrawal-rejected': { en: 'withdrawal rejected', de: 'Auszahlung abgelehnt' },
  'withdrawal-reversed': { en: 'withdrawal reversed', de: 'Auszahlung zurückgebucht' },
  'withdrawal-returned': { en: 'withdrawal returned', de: 'Rückläufer einer Auszahlung' },
  'staff-invitation': { en: 'staff invitation', de: 'Einladung an Mitarbeitende' },
  'staff-new-device': { en: 'staff sign-in from a new device', de: 'Anmeldung im Backoffice von einem neuen Gerät' },
} as const satisfies Record<string, Readonly<Record<Language, string>>>

export type MailKind = keyof typeof mailKinds

/** "Email: document approved"; null for what is no kind of mail. */
export function mailLabel(kind: string, language: Language): string | null {
  if (!Object.hasOwn(mailKinds, kind)) return null
  return `${language === 'de' ? 'E-Mail' : 'Email'}: ${mailKinds[kind as MailKind][language]}`
}
