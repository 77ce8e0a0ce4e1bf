/** Refusals that every call can meet, and those of fields that many forms share. */
export const generalProblems = {
  // Fields.
  'check-fields': {
    status: 400,
    en: 'Check the fields marked below.',
    de: 'Prüfen Sie die markierten Felder.',
  },
  required: { status: 400, en: 'This field is required.', de: 'Diese Angabe ist erforderlich.' },
  invalid: {
    status: 400,
    en: 'This value is not valid. Check your entry.',
    de: 'Dieser Wert ist ungültig. Prüfen Sie Ihre Eingabe.',
  },
  'unknown-field': {
    status: 400,
    en: 'This field does not exist. Leave it out.',
    de: 'Dieses Feld gibt es nicht. Lassen Sie es weg.',
  },
  'whole-number': {
    status: 400,
    en: 'Enter a whole number from 0 to {most}.',
    de: 'Geben Sie eine ganze Zahl von 0 bis {most} ein.',
  },
  'unknown-value': {
    status: 400,
    en: 'Choose a value from the list.',
    de: 'Wählen Sie einen Wert aus der Liste.',
  },
  'too-long': {
    status: 400,
    en: 'Enter {max} characters or fewer.',
    de: 'Geben Sie höchstens {max} Zeichen ein.',
  },
  'too-short': {
    status: 400,
    en: 'Enter at least 2 characters.',
    de: 'Geben Sie mindestens 2 Zeichen ein.',
  },
  'not-a-line': {
    status: 400,
    en: 'This contains a line break or an unsupported character. Enter it on one line.',
    de: 'Diese Angabe enthält einen Zeilenumbruch oder ein ungültiges Zeichen. Geben Sie sie in einer Zeile ein.',
  },
  'not-a-text': {
    status: 400,
    en: 'This contains an unsupported character. Remove it and try again.',
    de: 'Diese Angabe enthält ein ungültiges Zeichen. Entfernen Sie es und versuchen Sie es erneut.',
  },
  'hidden-characters': {
    status: 400,
    en: 'This text contains invisible characters. Delete the text and type it again.',
    de: 'Dieser Text enthält unsichtbare Zeichen. Löschen Sie ihn und geben Sie ihn neu ein.',
  },
  'email-invalid': {
    status: 400,
    en: 'Enter a valid email address, for example name@example.com.',
    de: 'Geben Sie eine gültige E-Mail-Adresse ein, z. B. name@example.com.',
  },
  'phone-invalid': {
    status: 400,
    en: 'Enter the number with its country code, for example +44 20 7946 0018.',
    de: 'Geben Sie die Nummer mit Landesvorwahl ein, z. B. +49 30 901820.',
  },
  'date-invalid': {
    status: 400,
    en: 'Enter a valid date.',
    de: 'Geben Sie ein gültiges Datum ein.',
  },
  'amount-invalid': {
    status: 400,
    en: 'Enter an amount above 0 with up to 2 decimals, for example 250.00.',
    de: 'Geben Sie einen Betrag über 0 mit höchstens 2 Nachkommastellen ein, z. B. 250,00.',
  },
  'amount-large': {
    status: 400,
    en: 'This amount is too large. Enter a smaller amount.',
    de: 'Dieser Betrag ist zu hoch. Geben Sie einen kleineren Betrag ein.',
  },
  'rate-invalid': {
    status: 400,
    en: 'Enter a rate above 0 with up to 8 decimals, for example 1.0850.',
    de: 'Geben Sie einen Kurs über 0 mit höchstens 8 Nachkommastellen ein, z. B. 1,0850.',
  },
  'fee-invalid': {
    status: 400,
    en: 'Enter a fee of 0 or more with up to 8 decimals, for example 1.5.',
    de: 'Geben Sie eine Gebühr von 0 oder mehr mit höchstens 8 Nachkommastellen ein, z. B. 1,5.',
  },
  'must-accept': { status: 400, en: 'Tick this box to continue.', de: 'Setzen Sie den Haken, um fortzufahren.' },
  'file-unknown': {
    status: 400,
    en: 'We cannot find this file. Choose it again.',
    de: 'Diese Datei wurde nicht gefunden. Wählen Sie sie erneut aus.',
  },
  'cursor-invalid': {
    status: 400,
    en: 'This page of the list is no longer available. Start from the first page.',
    de: 'Diese Seite der Liste ist nicht mehr verfügbar. Beginnen Sie mit der ersten.',
  },

  // Requests.
  malformed: {
    status: 400,
    en: 'We could not read the request. Reload the page and try again.',
    de: 'Die Anfrage war nicht lesbar. Laden Sie die Seite neu und versuchen Sie es erneut.',
  },
  'key-invalid': {
    status: 400,
    en: 'The Idempotency-Key is not valid. Send 1 to 255 printable characters without spaces.',
    de: 'Der Idempotency-Key ist ungültig. Senden Sie 1 bis 255 druckbare Zeichen ohne Leerzeichen.',
  },
  'not-signed-in': { status: 401, en: 'Please log in.', de: 'Bitte melden Sie sich an.' },
  'session-ended': {
    status: 401,
    en: 'Your session has ended. Please log in again.',
    de: 'Ihre Sitzung ist beendet. Bitte melden Sie sich erneut an.',
  },
  'wrong-role': {
    status: 403,
    en: 'You do not have permission to do this. Contact an administrator if you need it.',
    de: 'Sie haben dafür keine Berechtigung. Wenden Sie sich bei Bedarf an die Administration.',
  },
  'not-yours': {
    status: 403,
    en: 'This belongs to another user. Log in with the correct account.',
    de: 'Das gehört zu einem anderen Zugang. Melden Sie sich mit dem richtigen Zugang an.',
  },
  'prove-again': {
    status: 403,
    en: 'Confirm your identity with your password or an authenticator code.',
    de: 'Bestätigen Sie Ihre Identität mit Passwort oder Authenticator-Code.',
  },
  'registration-first': {
    status: 403,
    en: 'Complete your registration first.',
    de: 'Schließen Sie zuerst Ihre Registrierung ab.',
  },
  'approval-first': {
    status: 403,
    en: 'This is available after we approve your documents and your application.',
    de: 'Das ist möglich, sobald Ihre Dokumente und Ihr Antrag genehmigt sind.',
  },
  'not-found': {
    status: 404,
    en: 'This no longer exists. Go back and open it from its list.',
    de: 'Das gibt es nicht mehr. Gehen Sie zurück und öffnen Sie es aus der Liste.',
  },
  'wrong-state': {
    status: 409,
    en: 'This is no longer possible. Current status: {state}.',
    de: 'Das ist nicht mehr möglich. Aktueller Status: {state}.',
  },
  'decided-meanwhile': {
    status: 409,
    en: 'This has already been decided. Current status: {state}.',
    de: 'Hierüber wurde bereits entschieden. Aktueller Status: {state}.',
  },
  'decided-by': {
    status: 409,
    en: '{name} has already decided this. Current status: {state}.',
    de: '{name} hat hierüber bereits entschieden. Aktueller Status: {state}.',
  },
  'stale-page': {
    status: 409,
    en: 'This item has changed since you opened it. Check the changes before you decide.',
    de: 'Dieser Vorgang hat sich geändert, seit Sie ihn geöffnet haben. Prüfen Sie die Änderungen, bevor Sie entscheiden.',
  },
  'twin-running': {
    status: 409,
    en: 'The same request is still being processed. Wait a moment.',
    de: 'Dieselbe Anfrage wird noch bearbeitet. Warten Sie einen Moment.',
  },
  'body-large': {
    status: 413,
    en: 'The request is too large. Send less data or split it into parts.',
    de: 'Die Anfrage ist zu groß. Senden Sie weniger Daten oder teilen Sie sie auf.',
  },
  'body-type': {
    status: 415,
    en: 'This content type is not supported. Send JSON, or a file where one is required.',
    de: 'Dieser Inhaltstyp wird nicht unterstützt. Senden Sie JSON oder, wo verlangt, eine Datei.',
  },
  'key-reused': {
    status: 422,
    en: 'This Idempotency-Key has been used for another request. Send a new key.',
    de: 'Dieser Idempotency-Key wurde für eine andere Anfrage verwendet. Senden Sie einen neuen.',
  },
  'too-many': {
    status: 429,
    en: 'Too many attempts. Wait a moment and try again.',
    de: 'Zu viele Versuche. Warten Sie einen Moment und versuchen Sie es erneut.',
  },
  server: { status: 500, en: 'Server error.', de: 'Serverfehler.' },
  'something-wrong': { status: 500, en: 'Something went wrong!', de: 'Etwas ist schiefgegangen!' },
  unavailable: {
    status: 503,
    en: 'This service is not available at the moment. Nothing was changed. Try again in a minute.',
    de: 'Dieser Dienst ist derzeit nicht verfügbar. Es wurde nichts geändert. Versuchen Sie es in einer Minute erneut.',
  },
  'database-read-only': {
    status: 503,
    en: 'Our records are read-only at the moment. Nothing was changed. Try again in a minute.',
    de: 'Unsere Daten sind derzeit schreibgeschützt. Es wurde nichts geändert. Versuchen Sie es in einer Minute erneut.',
  },
  'money-stopped': {
    status: 503,
    en: 'We are checking our records with the trading platforms and the bank. You cannot request or change payments or transfers until we finish. Try again later.',
    de: 'Wir gleichen unsere Daten mit den Handelsplattformen und der Bank ab. Bis dahin sind keine Zahlungen oder Umbuchungen möglich. Versuchen Sie es später erneut.',
  },
  'money-stopped-office': {
    status: 503,
    en: 'Recovery is in progress. No money moves until platforms, card provider and bank have been reconciled. See Recovery.',
    de: 'Die Wiederherstellung läuft. Es wird kein Geld bewegt, bis Plattformen, Kartenanbieter und Bank abgestimmt sind. Siehe Wiederherstellung.',
  },
  'outcome-unknown': {
    status: 503,
    en: 'We could not confirm the result. You can safely try again. It will be carried out only once.',
    de: 'Das Ergebnis ist noch unklar. Sie können es ohne Risiko erneut versuchen. Die Ausführung erfolgt nur einmal.',
  },
  'outcome-unseen': {
    status: 503,
    en: 'We could not confirm the result. Check the current status before you try again.',
    de: 'Das Ergebnis ist noch unklar. Prüfen Sie den aktuellen Status, bevor Sie es erneut versuchen.',
  },
  'platform-unavailable': {
    status: 503,
    en: 'The trading platform is not responding. Nothing was changed. Try again in a minute.',
    de: 'Die Handelsplattform antwortet nicht. Es wurde nichts geändert. Versuchen Sie es in einer Minute erneut.',
  },
  'figures-old': {
    status: 503,
    en: 'We could not read the balance of this account. Nothing was changed. Try again in a minute.',
    de: 'Der Saldo dieses Kontos ist derzeit nicht abrufbar. Es wurde nichts geändert. Versuchen Sie es in einer Minute erneut.',
  },
  'platform-refused': {
    status: 422,
    en: 'The trading platform rejected this: {reason}',
    de: 'Von der Handelsplattform abgelehnt: {reason}',
  },
} as const
