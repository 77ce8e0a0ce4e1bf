/** Refusals that every call can meet, and those of fields that many forms share. */
import type { ProblemText } from './problems.ts'

export const generalProblems = {
  // Fields.
  'check-fields': {
    status: 400,
    en: 'Some fields need another look. What is wrong stands beside each of them.',
    de: 'Einige Angaben müssen Sie noch einmal ansehen. Was nicht stimmt, steht jeweils daneben.',
  },
  required: { status: 400, en: 'This is missing.', de: 'Diese Angabe fehlt.' },
  invalid: {
    status: 400,
    en: 'This does not fit here. Check what you entered and enter it again.',
    de: 'Das passt hier nicht. Prüfen Sie Ihre Eingabe und geben Sie sie noch einmal ein.',
  },
  'unknown-field': {
    status: 400,
    en: 'This field is not known here. Leave it out.',
    de: 'Dieses Feld ist hier nicht bekannt. Lassen Sie es weg.',
  },
  'whole-number': {
    status: 400,
    en: 'Write a whole number from 0 to {most}.',
    de: 'Geben Sie eine ganze Zahl von 0 bis {most} an.',
  },
  'unknown-value': {
    status: 400,
    en: 'Choose one of the values in the list.',
    de: 'Wählen Sie einen der Werte aus der Liste.',
  },
  'too-long': {
    status: 400,
    en: 'Shorten this to at most {max} characters.',
    de: 'Kürzen Sie diese Angabe auf höchstens {max} Zeichen.',
  },
  'too-short': {
    status: 400,
    en: 'This needs at least 2 characters.',
    de: 'Diese Angabe braucht mindestens 2 Zeichen.',
  },
  'not-a-line': {
    status: 400,
    en: 'This holds a line break or another character that cannot be shown. Type it anew on one line.',
    de: 'Diese Angabe enthält einen Zeilenumbruch oder ein nicht darstellbares Zeichen. Geben Sie sie neu in einer Zeile ein.',
  },
  'not-a-text': {
    status: 400,
    en: 'This holds a character that cannot be shown. Type it anew.',
    de: 'Diese Angabe enthält ein nicht darstellbares Zeichen. Geben Sie sie neu ein.',
  },
  'hidden-characters': {
    status: 400,
    en: 'This text contains invisible characters. Delete it and type it again.',
    de: 'Dieser Text enthält unsichtbare Zeichen. Löschen Sie ihn und tippen Sie ihn neu ein.',
  },
  'email-invalid': {
    status: 400,
    en: 'This is not a valid e-mail address. Write it like name@example.com.',
    de: 'Das ist keine gültige E-Mail-Adresse. Schreiben Sie sie wie name@example.com.',
  },
  'phone-invalid': {
    status: 400,
    en: 'Write the number with its country prefix, such as +44 20 7946 0018.',
    de: 'Schreiben Sie die Nummer mit Landesvorwahl, etwa +49 30 901820.',
  },
  'date-invalid': {
    status: 400,
    en: 'This day does not exist or cannot be right. Check day, month and year.',
    de: 'Diesen Tag gibt es nicht, oder er kann nicht stimmen. Prüfen Sie Tag, Monat und Jahr.',
  },
  'amount-invalid': {
    status: 400,
    en: 'Write an amount over 0 with at most 2 decimals, such as 250.00.',
    de: 'Geben Sie einen Betrag über 0 mit höchstens 2 Nachkommastellen an, etwa 250,00.',
  },
  'amount-large': {
    status: 400,
    en: 'This is more than can be moved at once. Write a smaller amount.',
    de: 'Das ist mehr, als auf einmal bewegt werden kann. Geben Sie einen kleineren Betrag an.',
  },
  'rate-invalid': {
    status: 400,
    en: 'Write a rate over 0 with at most 8 decimals, such as 1.0850.',
    de: 'Geben Sie einen Kurs über 0 mit höchstens 8 Nachkommastellen an, etwa 1,0850.',
  },
  'fee-invalid': {
    status: 400,
    en: 'Write a fee of 0 or more with at most 8 decimals, such as 1.5.',
    de: 'Geben Sie eine Gebühr von 0 oder mehr mit höchstens 8 Nachkommastellen an, etwa 1,5.',
  },
  'must-accept': { status: 400, en: 'Tick this to go on.', de: 'Bitte setzen Sie hier den Haken, um fortzufahren.' },
  'file-unknown': {
    status: 400,
    en: 'This file is not known. Choose it again.',
    de: 'Diese Datei ist nicht bekannt. Wählen Sie sie noch einmal aus.',
  },
  'cursor-invalid': {
    status: 400,
    en: 'This place in the list is not known any more. Start at the top.',
    de: 'Diese Stelle der Liste gibt es nicht mehr. Beginnen Sie oben.',
  },

  // Requests.
  malformed: {
    status: 400,
    en: 'The request could not be read. Load the page again and try once more.',
    de: 'Die Anfrage war nicht lesbar. Laden Sie die Seite neu und versuchen Sie es noch einmal.',
  },
  'key-invalid': {
    status: 400,
    en: 'The Idempotency-Key is not valid. Send 1 to 255 printable characters without spaces.',
    de: 'Der Idempotency-Key ist nicht gültig. Senden Sie 1 bis 255 druckbare Zeichen ohne Leerzeichen.',
  },
  'not-signed-in': { status: 401, en: 'Please log in.', de: 'Bitte melden Sie sich an.' },
  'session-ended': {
    status: 401,
    en: 'Your session has ended. Please log in again.',
    de: 'Ihre Sitzung ist beendet. Bitte melden Sie sich erneut an.',
  },
  'wrong-role': {
    status: 403,
    en: 'Your role does not allow this. Ask an administrator if you need it.',
    de: 'Ihre Rolle erlaubt das nicht. Wenden Sie sich an die Administration, wenn Sie es brauchen.',
  },
  'not-yours': {
    status: 403,
    en: 'This belongs to somebody else. Log in with the account that it belongs to.',
    de: 'Das gehört jemand anderem. Melden Sie sich mit dem Zugang an, zu dem es gehört.',
  },
  'prove-again': {
    status: 403,
    en: 'Show first that it is you: with your password, or with a code of your app.',
    de: 'Zeigen Sie zuerst, dass Sie es sind: mit Ihrem Passwort oder mit einem Code Ihrer App.',
  },
  'registration-first': {
    status: 403,
    en: 'Finish your registration first.',
    de: 'Schließen Sie zuerst Ihre Registrierung ab.',
  },
  'approval-first': {
    status: 403,
    en: 'This opens as soon as your documents and your account are approved.',
    de: 'Das wird möglich, sobald Ihre Dokumente und Ihr Konto freigegeben sind.',
  },
  'not-found': {
    status: 404,
    en: 'This does not exist, or no longer. Go back and open it from its list.',
    de: 'Das gibt es nicht oder nicht mehr. Gehen Sie zurück und öffnen Sie es aus seiner Liste.',
  },
  'wrong-state': {
    status: 409,
    en: 'This is not possible any more: it is {state} now.',
    de: 'Das ist nicht mehr möglich: Der Stand ist jetzt {state}.',
  },
  'decided-meanwhile': {
    status: 409,
    en: 'This was decided meanwhile: it is {state} now.',
    de: 'Hierüber wurde inzwischen entschieden: Der Stand ist jetzt {state}.',
  },
  'decided-by': {
    status: 409,
    en: '{name} decided this meanwhile: it is {state} now.',
    de: '{name} hat inzwischen entschieden: Der Stand ist jetzt {state}.',
  },
  'stale-page': {
    status: 409,
    en: 'This record changed while you looked at it. See what is new, then decide.',
    de: 'Dieser Vorgang hat sich geändert, während Sie ihn angesehen haben. Sehen Sie sich den neuen Stand an und entscheiden Sie dann.',
  },
  'twin-running': {
    status: 409,
    en: 'The same request is still being worked on. Its answer comes in a moment.',
    de: 'Dieselbe Anfrage wird gerade bearbeitet. Die Antwort kommt gleich.',
  },
  'body-large': {
    status: 413,
    en: 'This is more than can be sent at once. Send less of it, or several parts.',
    de: 'Das ist mehr, als auf einmal gesendet werden kann. Senden Sie weniger oder mehrere Teile.',
  },
  'body-type': {
    status: 415,
    en: 'This kind of content is not understood here. Send JSON, or a file where one is asked for.',
    de: 'Diese Art von Inhalt wird hier nicht verstanden. Senden Sie JSON oder, wo eine Datei verlangt ist, eine Datei.',
  },
  'key-reused': {
    status: 422,
    en: 'This Idempotency-Key was used for another request. Send a new key.',
    de: 'Dieser Idempotency-Key wurde für eine andere Anfrage verwendet. Senden Sie einen neuen.',
  },
  'too-many': {
    status: 429,
    en: 'That was too often in a short time. Wait a little, then try again.',
    de: 'Das war zu oft in kurzer Zeit. Warten Sie etwas und versuchen Sie es dann erneut.',
  },
  server: { status: 500, en: 'Server error.', de: 'Serverfehler.' },
  'something-wrong': { status: 500, en: 'Something went wrong!', de: 'Etwas ist schiefgegangen!' },
  unavailable: {
    status: 503,
    en: 'We cannot do this at the moment. Nothing was changed; try again in a minute.',
    de: 'Das ist im Augenblick nicht möglich. Es wurde nichts geändert; versuchen Sie es in einer Minute erneut.',
  },
  'database-read-only': {
    status: 503,
    en: 'Our records can be read at the moment, but not changed. Nothing was changed; try again in a minute.',
    de: 'Unsere Daten lassen sich im Augenblick lesen, aber nicht ändern. Es wurde nichts geändert; versuchen Sie es in einer Minute erneut.',
  },
  'money-stopped': {
    status: 503,
    en: 'We are checking our records with the trading platforms and the bank. Until that is done no payment or transfer can be requested or changed. Please try again later.',
    de: 'Wir gleichen unsere Daten mit den Handelsplattformen und der Bank ab. Bis das fertig ist, kann keine Zahlung oder Umbuchung beantragt oder geändert werden. Bitte versuchen Sie es später erneut.',
  },
  'money-stopped-office': {
    status: 503,
    en: 'Recovery is in progress. Money does not move until the platforms, the card provider and the bank have been compared with our records. See Recovery.',
    de: 'Die Wiederherstellung läuft. Es bewegt sich kein Geld, bis Plattformen, Kartenanbieter und Bank mit unseren Daten abgeglichen sind. Siehe Wiederherstellung.',
  },
  'outcome-unknown': {
    status: 503,
    en: 'We do not know yet whether this was done: our database did not answer at the last moment. Trying again is safe and does it only once.',
    de: 'Wir wissen noch nicht, ob das ausgeführt wurde: Unsere Datenbank hat im letzten Augenblick nicht geantwortet. Ein neuer Versuch ist sicher und führt es nur einmal aus.',
  },
  'outcome-unseen': {
    status: 503,
    en: 'We do not know yet whether this was done: our database did not answer at the last moment. See how it stands now before you repeat it.',
    de: 'Wir wissen noch nicht, ob das ausgeführt wurde: Unsere Datenbank hat im letzten Augenblick nicht geantwortet. Sehen Sie den jetzigen Stand an, bevor Sie es wiederholen.',
  },
  'platform-unavailable': {
    status: 503,
    en: 'The trading platform does not answer at the moment. Nothing was changed; try again in a minute.',
    de: 'Die Handelsplattform antwortet im Augenblick nicht. Es wurde nichts geändert; versuchen Sie es in einer Minute erneut.',
  },
  'figures-old': {
    status: 503,
    en: 'We could not read the balance of this account just now. Nothing was changed; try again in a minute.',
    de: 'Der Stand dieses Kontos war gerade nicht abrufbar. Es wurde nichts geändert; versuchen Sie es in einer Minute erneut.',
  },
  'platform-refused': {
    status: 422,
    en: 'The trading platform refused this: {reason}',
    de: 'Die Handelsplattform hat das abgelehnt: {reason}',
  },
} as const satisfies Record<string, ProblemText>
