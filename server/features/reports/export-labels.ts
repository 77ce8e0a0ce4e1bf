/**
 * The words that the office's screens have for states and kinds, for its files: a code is in its column, its word in
 * the reader's language beside it. A test holds them against the words of the screens.
 */
import { mailLabel } from '#contract/office/mail-kinds.ts'
import type { exportedLists } from '#contract/office/records.ts'
import type { Language } from '#rules/choices.ts'

type Labels = Readonly<Record<string, Readonly<Record<Language, string>>>>

const states: Labels = {
  uploaded: { en: 'Uploaded', de: 'Hochgeladen' },
  pending: { en: 'Pending', de: 'Offen' },
  pending_approval: { en: 'Pending', de: 'Offen' },
  lifted: { en: 'Lifted', de: 'Aufgehoben' },
  recovery: { en: 'Recovery', de: 'Wiederherstellung' },
  second_approval: { en: 'Second approval', de: 'Zweite Freigabe' },
  processing: { en: 'Processing', de: 'In Bearbeitung' },
  approved: { en: 'Approved', de: 'Genehmigt' },
  paid: { en: 'Paid', de: 'Ausgezahlt' },
  rejected: { en: 'Rejected', de: 'Abgelehnt' },
  returned: { en: 'Returned', de: 'Rückläufer' },
  expired: { en: 'Expired', de: 'Abgelaufen' },
  cancelled: { en: 'Cancelled', de: 'Storniert' },
  suspended: { en: 'Suspended', de: 'Gesperrt' },
  registering: { en: 'Registering', de: 'In Registrierung' },
  closed: { en: 'Closed', de: 'Geschlossen' },
  more_asked: { en: 'Information requested', de: 'Rückfrage offen' },
  confirming: { en: 'Awaiting confirmation', de: 'Bestätigung ausstehend' },
  reversed: { en: 'Reversed', de: 'Rückgängig gemacht' },
  replaced: { en: 'Replaced', de: 'Ersetzt' },
  unmatched: { en: 'Unmatched', de: 'Nicht zugeordnet' },
  matched: { en: 'Matched', de: 'Zugeordnet' },
  sent_back: { en: 'Returned to sender', de: 'An Absender zurücküberwiesen' },
  own_money: { en: 'Firm money', de: 'Firmengelder' },
  came_back: { en: 'Returned payout', de: 'Rückläufer' },
  open: { en: 'Open', de: 'Offen' },
  explained: { en: 'Explained', de: 'Begründet' },
  gone: { en: 'Cleared automatically', de: 'Automatisch bereinigt' },
  created: { en: 'Created', de: 'Erstellt' },
  released: { en: 'Released', de: 'Zur Ausführung freigegeben' },
  sent: { en: 'Sent', de: 'Gesendet' },
  partly_returned: { en: 'Partly returned', de: 'Teilweise Rückläufer' },
  void_requested: { en: 'Void requested', de: 'Aufhebung beantragt' },
  void: { en: 'Void', de: 'Aufgehoben' },
  proposed: { en: 'Proposed', de: 'Vorgeschlagen' },
  settled: { en: 'Settled', de: 'Erledigt' },
  invited: { en: 'Invited', de: 'Eingeladen' },
  active: { en: 'Active', de: 'Aktiv' },
  deactivated: { en: 'Deactivated', de: 'Deaktiviert' },
  waiting: { en: 'pending', de: 'offen' },
  sending: { en: 'no response', de: 'keine Antwort' },
  unknown: { en: 'outcome unknown', de: 'Ergebnis unbekannt' },
  refused: { en: 'rejected', de: 'abgelehnt' },
  dead: { en: 'failed permanently', de: 'endgültig fehlgeschlagen' },
  absent: { en: 'not found on the platform', de: 'auf der Plattform nicht gefunden' },
  done: { en: 'done', de: 'erledigt' },
  'not-settled': { en: 'Cannot be settled', de: 'Kann nicht abgeschlossen werden' },
  'kind-unknown': { en: 'Unknown operation type', de: 'Unbekannte Art von Übermittlung' },
  'unknown-long': { en: 'Outcome unknown for a long time', de: 'Ergebnis seit Langem unbekannt' },
}

const workKinds: Labels = {
  document: { en: 'Documents', de: 'Dokumente' },
  client: { en: 'Client', de: 'Kunde' },
  account: { en: 'Account request', de: 'Kontoantrag' },
  leverage_request: { en: 'Leverage request', de: 'Hebelantrag' },
  bank_details: { en: 'Bank details', de: 'Bankverbindungen' },
  professional: { en: 'Professional application', de: 'Antrag auf professionellen Status' },
  profile_change: { en: 'Profile change', de: 'Profiländerung' },
  deposit: { en: 'Deposit', de: 'Einzahlung' },
  bank_line: { en: 'Bank transaction', de: 'Bankumsatz' },
  withdrawal: { en: 'Withdrawal', de: 'Auszahlung' },
  transfer: { en: 'Transfer', de: 'Umbuchung' },
  correction: { en: 'Correction', de: 'Korrektur' },
  firm_money: { en: 'Firm money', de: 'Firmengelder' },
  difference: { en: 'Discrepancy', de: 'Abweichung' },
  setting_change: { en: 'Setting change', de: 'Änderung einer Einstellung' },
  staff_change: { en: 'Role change', de: 'Rollenänderung' },
  staff: { en: 'Staff', de: 'Mitarbeitende' },
  operation: { en: 'Operation', de: 'Übermittlung' },
  erasure: { en: 'Erasure', de: 'Löschung' },
  factor_reset: { en: 'Lost 2FA device', de: '2FA-Gerät verloren' },
  recovery: { en: 'Recovery', de: 'Wiederherstellung' },
}

const differenceKinds: Labels = {
  'balance-differs': { en: 'The balances differ', de: 'Die Salden weichen ab' },
  'amount-differs': { en: 'The amounts differ', de: 'Die Beträge weichen ab' },
  'ledger-only': { en: 'In the ledger, not on the platform', de: 'Im Hauptbuch, nicht auf der Plattform' },
  'platform-only': { en: 'On the platform, not in the ledger', de: 'Auf der Plattform, nicht im Hauptbuch' },
  'trading-result': { en: 'Trading P&L', de: 'Handelsergebnis' },
  'bank-outgoing': { en: 'Unknown outgoing payment at the bank', de: 'Unbekannte ausgehende Zahlung bei der Bank' },
  'bank-balance': {
    en: 'Bank balance does not match the ledger',
    de: 'Banksaldo weicht vom Hauptbuch ab',
  },
  'bank-line-differs': {
    en: 'The bank reports a known transaction with different details',
    de: 'Die Bank meldet einen bekannten Umsatz mit anderen Angaben',
  },
  refunded: { en: 'Refunded by the card provider', de: 'Vom Kartenanbieter erstattet' },
  charged_back: { en: 'Chargeback at the card provider', de: 'Rückbelastung beim Kartenanbieter' },
  'credit-refused': {
    en: 'The platform rejected a paid deposit',
    de: 'Die Plattform hat eine bezahlte Einzahlung abgelehnt',
  },
  'payout-not-paid': {
    en: 'Paid by the bank, not marked as paid',
    de: 'Von der Bank ausgeführt, nicht als ausgezahlt markiert',
  },
  'paid-late': { en: 'Paid after the request had ended', de: 'Nach Ende des Auftrags bezahlt' },
  'payment-denied': {
    en: 'The card provider no longer confirms a payment',
    de: 'Der Kartenanbieter bestätigt eine Zahlung nicht mehr',
  },
  'provider-silent': {
    en: 'No response from the card provider about a payment',
    de: 'Keine Antwort des Kartenanbieters zu einer Zahlung',
  },
  invariant: { en: 'Ledger rule violated', de: 'Regel des Hauptbuchs verletzt' },
}

const jobKinds: Labels = {
  'withdrawal-debit': { en: 'Debit a withdrawal', de: 'Auszahlung belasten' },
  'withdrawal-reversal': {
    en: 'Reverse an unpaid withdrawal',
    de: 'Nicht ausgezahlte Auszahlung zurückbuchen',
  },
  'withdrawal-return': { en: 'Credit a returned withdrawal', de: 'Rückläufer einer Auszahlung gutschreiben' },
  'deposit-credit': { en: 'Credit a deposit', de: 'Einzahlung gutschreiben' },
  'transfer-withdraw': { en: 'Debit a transfer', de: 'Umbuchung belasten' },
  'transfer-deposit': { en: 'Credit a transfer', de: 'Umbuchung gutschreiben' },
  'transfer-compensate': { en: 'Reverse a transfer', de: 'Umbuchung zurückbuchen' },
  'demo-balance': {
    en: 'Credit the starting balance of a demo account',
    de: 'Startguthaben eines Demokontos gutschreiben',
  },
  correction: { en: 'Post a correction', de: 'Korrektur buchen' },
  'open-account': { en: 'Open a trading account', de: 'Handelskonto eröffnen' },
  'set-leverage': { en: 'Change leverage', de: 'Hebel ändern' },
  'set-status': { en: 'Change the client category of an account', de: 'Kundenkategorie eines Kontos ändern' },
  'card-refund': { en: 'Refund a card payment', de: 'Kartenzahlung erstatten' },
  'password-reset': { en: 'Password reset email', de: 'E-Mail zum Zurücksetzen des Passworts' },
  mail: { en: 'Email', de: 'E-Mail' },
  operation: { en: 'Operation', de: 'Übermittlung' },
}

const jobSources: Labels = {
  operation: { en: 'Platform or provider', de: 'Plattform oder Anbieter' },
  job: { en: 'Internal', de: 'Intern' },
}

const clientStatuses: Labels = {
  retail: { en: 'Retail', de: 'Privatkunde' },
  professional: { en: 'Professional', de: 'Professionell' },
}

const roles: Labels = {
  compliance: { en: 'Compliance officer', de: 'Compliance' },
  operations: { en: 'Operations clerk', de: 'Sachbearbeitung' },
  finance: { en: 'Finance supervisor', de: 'Leitung Finanzen' },
  administrator: { en: 'Administrator', de: 'Administration' },
  auditor: { en: 'Auditor', de: 'Revision' },
}

const profileFields: Labels = {
  name: { en: 'Name', de: 'Name' },
  surname: { en: 'Surname', de: 'Nachname' },
  birthDate: { en: 'Date of birth', de: 'Geburtsdatum' },
  nationality: { en: 'Nationality', de: 'Staatsangehörigkeit' },
  country: { en: 'Country of residence', de: 'Wohnsitzland' },
}

const documentKinds: Labels = {
  passport: { en: 'Passport', de: 'Reisepass' },
  id: { en: 'Identity card', de: 'Personalausweis' },
  drivers_licence: { en: 'Driving licence', de: 'Führerschein' },
  bank_statement: { en: 'Bank statement', de: 'Kontoauszug' },
  utility_bill: { en: 'Utility bill', de: 'Versorgerrechnung' },
  government_letter: { en: 'Government letter', de: 'Behördenschreiben' },
  proofOfAddress: { en: 'Proof of address', de: 'Adressnachweis' },
  source_of_wealth: { en: 'Source of wealth', de: 'Herkunft des Vermögens' },
}

const requestTypes: Labels = { live: { en: 'Live', de: 'Live' }, demo: { en: 'Demo', de: 'Demo' } }

/** All of them, for the person who compares them with the screens. */
export const allLabels: readonly Labels[] = [
  states,
  workKinds,
  differenceKinds,
  jobKinds,
  jobSources,
  clientStatuses,
  roles,
  profileFields,
  documentKinds,
]

/** Columns of codes by their heading, in whichever list. */
const columns: Readonly<Record<string, Labels>> = {
  state: states,
  kind: workKinds,
  request: requestTypes,
  client_status: clientStatuses,
  roles,
  field: profileFields,
  documents: documentKinds,
  source: jobSources,
}
const ownKinds: Partial<Readonly<Record<(typeof exportedLists)[number], Labels>>> = {
  reconciliation: differenceKinds,
  'failed-jobs': jobKinds,
}

/** What says a column's codes in words, or null for a column that has none. */
export function labelsOf(
  list: (typeof exportedLists)[number],
  column: string,
): ((codes: string, language: Language) => string) | null {
  const words = (column === 'kind' ? ownKinds[list] : undefined) ?? columns[column]
  if (!words) return null
  if (column === 'documents') return documentLabels
  if (words === jobKinds)
    return (code, language) =>
      (Object.hasOwn(jobKinds, code) ? null : mailLabel(code, language)) ?? labelOf(jobKinds, code, language)
  // A member of staff has several roles.
  const between = column === 'roles' ? ' ' : null
  return (codes, language) =>
    (between === null ? [codes] : codes.split(between)).map((code) => labelOf(words, code, language)).join(', ')
}

/** "passport approved, id pending" */
function documentLabels(codes: string, language: Language): string {
  const parts = codes === '' ? [] : codes.split(', ').map((one) => one.split(' '))
  return parts
    .map(([kind = '', state = '']) => `${labelOf(documentKinds, kind, language)}: ${labelOf(states, state, language)}`)
    .join(', ')
}

/** What waits or was decided, by the kind of its work. */
export function workItemKindLabel(kind: string, language: Language): string {
  return labelOf(workKinds, kind, language)
}

/** A code that has no word stays as it is. */
function labelOf(words: Labels, code: string, language: Language): string {
  return Object.hasOwn(words, code) ? (words[code]?.[language] ?? code) : code
}
