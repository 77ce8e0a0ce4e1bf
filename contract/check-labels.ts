/**
 * The words of checks in both languages, written by the server alone: no app imports this. `{name}` stands for a value
 * that comes formatted for its reader.
 */
import type { Language } from '#rules/choices.ts'
import type { CheckName } from '#rules/checks/check.ts'

type Text = Readonly<Record<Language, string>>

/** What a check is called. */
export const checkTitles: Readonly<Record<CheckName, Text>> = {
  'client-status': { en: 'Client status', de: 'Kundenstatus' },
  'payments-on-hold': { en: 'Payments on hold', de: 'Zahlungssperre' },
  screening: { en: 'Screening', de: 'Sanktions- und PEP-Prüfung' },
  'documents-requested': { en: 'Requested documents', de: 'Angeforderte Dokumente' },
  'identity-document': { en: 'Identity document', de: 'Ausweisdokument' },
  'proof-of-address': { en: 'Proof of address', de: 'Adressnachweis' },
  balances: { en: 'Balances', de: 'Salden' },
  available: { en: 'Available amount', de: 'Verfügbarer Betrag' },
  'margin-level': { en: 'Margin level', de: 'Margin-Level' },
  discrepancy: { en: 'Ledger and platform', de: 'Hauptbuch und Plattform' },
  'account-holder': { en: 'Account holder', de: 'Kontoinhaber' },
  payer: { en: 'Payer', de: 'Auftraggeber' },
  'same-elsewhere': { en: 'Same details at another client', de: 'Gleiche Angaben bei einem anderen Kunden' },
  'new-bank-details': { en: 'New bank details', de: 'Neue Bankverbindung' },
  'sign-in-change': { en: 'Sign-in details', de: 'Anmeldedaten' },
  'closed-loop': { en: 'Origin of deposits', de: 'Herkunft der Einzahlungen' },
  chargeback: { en: 'Chargebacks', de: 'Rückbelastungen' },
}

/** Who can unblock a block, and how. */
export const waysOut: Readonly<Record<CheckName, Text>> = {
  'client-status': {
    en: 'Compliance reactivates the client first. This block cannot be overridden.',
    de: 'Compliance aktiviert den Kunden zuerst wieder. Eine Ausnahme ist nicht möglich.',
  },
  'payments-on-hold': { en: 'Compliance can lift the hold.', de: 'Compliance kann die Sperre aufheben.' },
  screening: {
    en: 'Compliance decides the case and removes the sanctions flag.',
    de: 'Compliance entscheidet den Fall und entfernt die Sanktionsmarkierung.',
  },
  'documents-requested': {
    en: 'Compliance approves the document or overrides the block.',
    de: 'Compliance akzeptiert das Dokument oder gibt eine Ausnahme frei.',
  },
  'identity-document': {
    en: 'Compliance approves a valid document or overrides the block.',
    de: 'Compliance akzeptiert ein gültiges Dokument oder gibt eine Ausnahme frei.',
  },
  'proof-of-address': {
    en: 'Compliance approves a newer document.',
    de: 'Compliance akzeptiert ein neueres Dokument.',
  },
  balances: {
    en: 'Try again when the platform answers. This block cannot be overridden.',
    de: 'Versuchen Sie es erneut, sobald die Plattform antwortet. Eine Ausnahme ist nicht möglich.',
  },
  available: {
    en: 'Reject the request, or wait until more is available. This block cannot be overridden.',
    de: 'Lehnen Sie den Auftrag ab oder warten Sie, bis mehr verfügbar ist. Eine Ausnahme ist nicht möglich.',
  },
  'margin-level': {
    en: 'Try again when the platform answers.',
    de: 'Versuchen Sie es erneut, sobald die Plattform antwortet.',
  },
  discrepancy: {
    en: 'Finance decides the discrepancy, or a second person of finance overrides the block.',
    de: 'Finance entscheidet die Abweichung, oder eine zweite Person aus Finance gibt eine Ausnahme frei.',
  },
  'account-holder': {
    en: 'Compliance can override this block.',
    de: 'Compliance kann eine Ausnahme freigeben.',
  },
  payer: {
    en: 'Finance overrides the block with proof, or the payment is returned to its sender.',
    de: 'Finance gibt mit einem Nachweis eine Ausnahme frei, oder die Zahlung wird an den Absender zurücküberwiesen.',
  },
  'same-elsewhere': { en: 'Acknowledge the warning.', de: 'Nehmen Sie die Warnung zur Kenntnis.' },
  'new-bank-details': { en: 'Acknowledge the warning.', de: 'Nehmen Sie die Warnung zur Kenntnis.' },
  'sign-in-change': {
    en: 'Wait until then, or a second person of finance overrides the block.',
    de: 'Warten Sie bis dahin, oder eine zweite Person aus Finance gibt eine Ausnahme frei.',
  },
  'closed-loop': { en: 'Acknowledge the warning.', de: 'Nehmen Sie die Warnung zur Kenntnis.' },
  chargeback: {
    en: 'Two people of finance decide the chargeback, or a second person of finance overrides the block.',
    de: 'Zwei Personen aus Finance entscheiden über die Rückbelastung, oder eine zweite Person aus Finance gibt eine Ausnahme frei.',
  },
}

/** Of a block whose row has no override in this one case. */
export const recoveryDecides: Text = {
  en: 'Recovery settles this discrepancy. This block cannot be overridden.',
  de: 'Der Abgleich nach einer Wiederherstellung klärt diese Abweichung. Eine Ausnahme ist nicht möglich.',
}

/** Of bank details whose holder has not been entered. */
export const enterHolder: Text = {
  en: 'Enter the name from the bank statement. This block cannot be overridden.',
  de: 'Übernehmen Sie den Namen vom Kontoauszug. Eine Ausnahme ist nicht möglich.',
}

/** What staff read of a check. */
export const checkSentences = {
  'not-read': {
    en: 'This could not be read: {source} did not answer. Try again.',
    de: 'Das konnte nicht gelesen werden: {source} hat nicht geantwortet. Versuchen Sie es erneut.',
  },
  'client-active': { en: 'The client is {state}.', de: 'Der Kunde ist {state}.' },
  'client-stopped': {
    en: 'The client is {state}. Requests of this client are not approved.',
    de: 'Der Kunde ist {state}. Aufträge und Anträge dieses Kunden werden nicht freigegeben.',
  },
  'client-last-balance': {
    en: 'The client is {state}. Finance entered this payout of the last balance with proof.',
    de: 'Der Kunde ist {state}. Die Finanzabteilung hat diese Auszahlung des letzten Guthabens mit Nachweis erfasst.',
  },
  'no-hold': { en: 'Payments are not on hold.', de: 'Die Zahlungen sind nicht gesperrt.' },
  'on-hold': { en: 'Compliance has put payments on hold.', de: 'Compliance hat die Zahlungen gesperrt.' },
  'on-hold-until': {
    en: 'Compliance has put payments on hold until {until}.',
    de: 'Compliance hat die Zahlungen bis {until} gesperrt.',
  },
  'screening-not-connected': {
    en: 'Not carried out: no screening service is connected. There is no sanctions flag.',
    de: 'Nicht durchgeführt: Es ist kein Prüfdienst angebunden. Eine Sanktionsmarkierung liegt nicht vor.',
  },
  'sanction-flag': { en: 'The client has a sanctions flag.', de: 'Der Kunde hat eine Sanktionsmarkierung.' },
  'no-documents-open': {
    en: 'No requested document is outstanding.',
    de: 'Es steht kein angefordertes Dokument aus.',
  },
  'documents-open': {
    en: 'A requested document is not approved: {document}.',
    de: 'Ein angefordertes Dokument ist nicht akzeptiert: {document}.',
  },
  'documents-open-small': {
    en: 'A requested document is not approved: {document}. It counts for transfers at or over {threshold}.',
    de: 'Ein angefordertes Dokument ist nicht akzeptiert: {document}. Es zählt für Umbuchungen ab {threshold}.',
  },
  'identity-valid': { en: 'Valid until {day}.', de: 'Gültig bis {day}.' },
  'identity-expired': { en: 'Expired on {day}.', de: 'Abgelaufen am {day}.' },
  'identity-unknown': {
    en: 'No approved identity document is on file.',
    de: 'Es liegt kein akzeptiertes Ausweisdokument vor.',
  },
  'address-age-off': {
    en: 'The age of the proof of address is not checked.',
    de: 'Das Alter des Adressnachweises wird nicht geprüft.',
  },
  'address-recent': { en: 'Issued on {day}.', de: 'Ausgestellt am {day}.' },
  'address-old': {
    en: 'Issued on {day}, more than {months} months ago.',
    de: 'Ausgestellt am {day}, vor mehr als {months} Monaten.',
  },
  'address-unknown': {
    en: 'No approved proof of address is on file.',
    de: 'Es liegt kein akzeptierter Adressnachweis vor.',
  },
  'balances-current': {
    en: 'Balances were read from the platform on {time}.',
    de: 'Die Salden wurden am {time} von der Plattform gelesen.',
  },
  'balances-old': {
    en: 'Balances are as of {time}. They cannot be read while another operation on the account is in progress.',
    de: 'Die Salden sind vom {time}. Solange ein anderer Vorgang auf dem Konto läuft, können sie nicht gelesen werden.',
  },
  'available-enough': {
    en: 'The amount is available. {rest} remains after it.',
    de: 'Der Betrag ist verfügbar. Danach bleiben {rest}.',
  },
  'available-short': {
    en: 'Only {available} is available for this request now.',
    de: 'Für diesen Auftrag sind jetzt nur {available} verfügbar.',
  },
  'margin-level-off': { en: 'The margin level is not checked.', de: 'Das Margin-Level wird nicht geprüft.' },
  'no-margin-used': { en: 'No margin is in use.', de: 'Es ist keine Margin gebunden.' },
  'margin-level-enough': {
    en: 'The margin level after the payment is {level} %.',
    de: 'Nach der Zahlung liegt das Margin-Level bei {level} %.',
  },
  'margin-level-low': {
    en: 'The margin level after the payment is {level} %, under {least} %.',
    de: 'Nach der Zahlung liegt das Margin-Level bei {level} % und damit unter {least} %.',
  },
  'ledger-agrees': { en: 'Ledger and platform are reconciled.', de: 'Hauptbuch und Plattform sind abgestimmt.' },
  'ledger-differs': {
    en: 'Ledger and platform are not reconciled on this account.',
    de: 'Hauptbuch und Plattform sind bei diesem Konto nicht abgestimmt.',
  },
  'discrepancy-open': {
    en: 'Open discrepancies on this account: {count}.',
    de: 'Offene Abweichungen bei diesem Konto: {count}.',
  },
  'reference-unknown': {
    en: 'The platform shows an operation under a reference of ours that is not on file.',
    de: 'Die Plattform zeigt einen Vorgang unter einer unserer Referenzen, der hier nicht vorliegt.',
  },
  'holder-same': {
    en: 'The bank account is in the client’s name.',
    de: 'Das Bankkonto lautet auf den Namen des Kunden.',
  },
  'holder-near': {
    en: 'The account holder {holder} resembles the client {client}.',
    de: 'Der Kontoinhaber {holder} ähnelt dem Kunden {client}.',
  },
  'holder-far': {
    en: 'The account holder {holder} is not the client {client}.',
    de: 'Der Kontoinhaber {holder} ist nicht der Kunde {client}.',
  },
  'holder-not-entered': {
    en: 'The account holder’s name has not been entered from the bank statement.',
    de: 'Der Name des Kontoinhabers wurde noch nicht vom Kontoauszug übernommen.',
  },
  'holder-required': {
    en: 'The account holder’s name has not been entered from the bank statement.',
    de: 'Der Name des Kontoinhabers wurde noch nicht vom Kontoauszug übernommen.',
  },
  'payer-same': { en: 'The payer is the client.', de: 'Der Auftraggeber ist der Kunde.' },
  'payer-near': {
    en: 'The payer {payer} resembles the client {client}.',
    de: 'Der Auftraggeber {payer} ähnelt dem Kunden {client}.',
  },
  'payer-far': {
    en: 'The payer {payer} is not the client {client}.',
    de: 'Der Auftraggeber {payer} ist nicht der Kunde {client}.',
  },
  'payer-missing': {
    en: 'The bank transaction names no payer.',
    de: 'Der Bankumsatz nennt keinen Auftraggeber.',
  },
  'nothing-elsewhere': {
    en: 'No other client has the same identity document, bank account or phone number.',
    de: 'Bei keinem anderen Kunden gibt es dasselbe Ausweisdokument oder Bankkonto oder dieselbe Telefonnummer.',
  },
  'shared-elsewhere': {
    en: 'Other clients have the same details: {clients}.',
    de: 'Andere Kunden haben dieselben Angaben: {clients}.',
  },
  'no-client-on-hold': {
    en: 'Payments of the likely sender are not on hold.',
    de: 'Die Zahlungen des vermutlichen Absenders sind nicht gesperrt.',
  },
  'client-on-hold': {
    en: 'This seems to be a payment of a client whose payments are on hold: {clients}.',
    de: 'Das ist vermutlich die Zahlung eines Kunden, dessen Zahlungen gesperrt sind: {clients}.',
  },
  'client-flagged': {
    en: 'This seems to be a payment of a client with a sanctions flag: {clients}.',
    de: 'Das ist vermutlich die Zahlung eines Kunden mit Sanktionsmarkierung: {clients}.',
  },
  'bank-entered-first': {
    en: 'These bank details are new. They have not been approved yet and have never been used for a payout.',
    de: 'Diese Bankverbindung ist neu. Sie ist noch nicht freigegeben und wurde noch nie für eine Auszahlung genutzt.',
  },
  'bank-entered': {
    en: 'These bank details are new and have not been approved yet. Payouts have been made to this bank account before.',
    de: 'Diese Bankverbindung ist neu und noch nicht freigegeben. Auf dieses Bankkonto wurde schon ausgezahlt.',
  },
  'bank-new-first': {
    en: 'Approved less than {days} days ago, and never used for a payout.',
    de: 'Vor weniger als {days} Tagen freigegeben und noch nie für eine Auszahlung genutzt.',
  },
  'bank-new': { en: 'Approved less than {days} days ago.', de: 'Vor weniger als {days} Tagen freigegeben.' },
  'bank-first': {
    en: 'This is the first payout to this bank account.',
    de: 'Das ist die erste Auszahlung auf dieses Bankkonto.',
  },
  'bank-known': {
    en: 'Approved over {days} days ago and used for payouts before.',
    de: 'Vor über {days} Tagen freigegeben und schon für Auszahlungen genutzt.',
  },
  'no-sign-in-change': {
    en: 'No change of sign-in details in the last {hours} hours.',
    de: 'Keine Änderung der Anmeldedaten in den letzten {hours} Stunden.',
  },
  'sign-in-changed': {
    en: '{change} on {time}.',
    de: '{change} am {time}.',
  },
  'sign-in-changed-wait': {
    en: '{change} on {time}. The payout waits until {until}.',
    de: '{change} am {time}. Die Auszahlung wartet bis {until}.',
  },
  'loop-closed': {
    en: 'The payout goes back to where the deposits came from.',
    de: 'Die Auszahlung geht dorthin zurück, woher die Einzahlungen kamen.',
  },
  'loop-open': {
    en: '{share} of this payout came from elsewhere: {origin}.',
    de: '{share} dieser Auszahlung kamen von anderer Stelle: {origin}.',
  },
  'no-chargeback': {
    en: 'No chargeback or dispute is open.',
    de: 'Es ist keine Rückbelastung oder Reklamation offen.',
  },
  'chargeback-open': {
    en: 'Open chargebacks or disputes of this client: {count}.',
    de: 'Offene Rückbelastungen oder Reklamationen dieses Kunden: {count}.',
  },
} as const satisfies Readonly<Record<string, Text>>

/** What a fact is called; one that is no key here is a name of its own, such as where a deposit came from. */
export const factNames: Readonly<Record<string, Text>> = {
  source: { en: 'Source', de: 'Quelle' },
  status: { en: 'Status', de: 'Status' },
  since: { en: 'Since', de: 'Seit' },
  until: { en: 'Until', de: 'Bis' },
  sanctionFlag: { en: 'Sanctions flag', de: 'Sanktionsmarkierung' },
  source_of_wealth: { en: 'Source of wealth requested', de: 'Herkunft des Vermögens angefordert' },
  expires: { en: 'Expires', de: 'Läuft ab' },
  issued: { en: 'Issued', de: 'Ausgestellt' },
  read: { en: 'Balances as of', de: 'Salden, Stand' },
  free: { en: 'Free on the platform', de: 'Frei auf der Plattform' },
  reserved: { en: 'Reserved', de: 'Reserviert' },
  after: { en: 'Available afterwards', de: 'Danach verfügbar' },
  equity: { en: 'Equity', de: 'Eigenkapital' },
  margin: { en: 'Margin used', de: 'Gebundene Margin' },
  level: { en: 'Margin level, %', de: 'Margin-Level, %' },
  discrepancy: { en: 'Discrepancy found', de: 'Abweichung gefunden' },
  chargeback: { en: 'Chargeback reported', de: 'Rückbelastung gemeldet' },
  holder: { en: 'Account holder', de: 'Kontoinhaber' },
  client: { en: 'Client', de: 'Kunde' },
  clientNumber: { en: 'Client number', de: 'Kundennummer' },
  payer: { en: 'Payer', de: 'Auftraggeber' },
  likelyClient: { en: 'Likely client', de: 'Vermutlicher Kunde' },
  document: { en: 'Same document number at', de: 'Gleiche Dokumentnummer bei' },
  bankAccount: { en: 'Same bank account at', de: 'Gleiches Bankkonto bei' },
  device: { en: 'Same device at', de: 'Gleiches Gerät bei' },
  phone: { en: 'Same phone number at', de: 'Gleiche Telefonnummer bei' },
  approved: { en: 'Bank details approved', de: 'Bankverbindung freigegeben' },
  payouts: { en: 'Earlier payouts', de: 'Frühere Auszahlungen' },
  change: { en: 'Change', de: 'Änderung' },
  changed: { en: 'Changed', de: 'Geändert' },
  here: { en: 'Deposited from this account', de: 'Von diesem Konto eingezahlt' },
}

/** Words that stand as values. */
export const checkLabels: Readonly<Record<string, Text>> = {
  registering: { en: 'registering', de: 'in Registrierung' },
  pending: { en: 'not approved yet', de: 'noch nicht freigeschaltet' },
  approved: { en: 'approved', de: 'freigeschaltet' },
  suspended: { en: 'suspended', de: 'gesperrt' },
  closed: { en: 'closed', de: 'geschlossen' },
  rejected: { en: 'rejected', de: 'abgelehnt' },
  yes: { en: 'Yes', de: 'Ja' },
  no: { en: 'No', de: 'Nein' },
  source_of_wealth: { en: 'source of wealth', de: 'Herkunft des Vermögens' },
  password: { en: 'The password was changed', de: 'Das Passwort wurde geändert' },
  'factor-off': {
    en: 'Two-factor authentication was turned off',
    de: 'Die Zwei-Faktor-Authentifizierung wurde deaktiviert',
  },
  'factor-reset': {
    en: 'Two-factor authentication was reset',
    de: 'Die Zwei-Faktor-Authentifizierung wurde zurückgesetzt',
  },
  email: { en: 'The email address was changed', de: 'Die E-Mail-Adresse wurde geändert' },
  phone: { en: 'The phone number was changed', de: 'Die Telefonnummer wurde geändert' },
  records: { en: 'our records', de: 'unser Datenbestand' },
  ledger: { en: 'the ledger', de: 'das Hauptbuch' },
  platform: { en: 'the trading platform', de: 'die Handelsplattform' },
  bank: { en: 'the bank', de: 'die Bank' },
  settings: { en: 'the settings', de: 'die Einstellungen' },
}

/** Who may override, as a report and a refusal name the role. */
export const overrideRoles: Readonly<Record<'compliance' | 'finance', Text>> = {
  compliance: { en: 'Compliance', de: 'Compliance' },
  finance: { en: 'Finance', de: 'Finance' },
}
