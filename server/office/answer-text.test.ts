import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { refusals as gatewayRefusals } from '../integrations/trading-platform/mt4/answers.ts'
import { refusals } from '../integrations/trading-platform/mt5/caller.ts'
import { answerLabels, sentenceLabels } from '../integrations/trading-platform/answer-labels.ts'
import { failureOf, smtpMail } from '../integrations/mail/smtp.ts'
import { answerText, findingText } from './answer-text.ts'

test.each([
  [
    'The platform answered 10019 Not enough money',
    'Das Konto hat nicht genug Guthaben. Antwort der Plattform: „10019 Not enough money“.',
  ],
  [
    'The gateway answered no_money not enough money',
    'Das Konto hat nicht genug Guthaben. Antwort der Plattform: „no_money not enough money“.',
  ],
  ['The gateway answered busy', 'Die Plattform ist ausgelastet. Antwort der Plattform: „busy“.'],
  [
    'mt5:3008 The platform answered 3008 User has open trades',
    'Das Konto hat offene Positionen. Antwort der Plattform: „3008 User has open trades“.',
  ],
  ['The platform answered 9999 Something new', 'Antwort der Plattform: „9999 Something new“.'],
])('the platform response “%s” is explained in German and quoted', (error, text) => {
  expect(answerText(error, 'de')).toBe(text)
})

test('platform responses are also explained in English, and other texts are left unchanged', () => {
  expect(answerText('The platform answered 10019 Not enough money', 'en')).toBe(
    'The account does not have enough money. The platform answered “10019 Not enough money”.',
  )
  for (const other of ['no answer', 'The platform returned no record', 'Please send it again.', null])
    expect(answerText(other, 'de')).toBe(other)
})

test('every code that an adapter handles has an explanation', () => {
  const codes = [...[...refusals.keys()].map(String), ...gatewayRefusals.keys(), 'busy', 'timeout']
  expect(codes.length).toBeGreaterThan(20)
  expect(codes.filter((code) => !Object.hasOwn(answerLabels, code))).toEqual([])
})

test.each([
  ['/api/user/add: no usable response', '/api/user/add: keine verwertbare Antwort.'],
  ['/api/user/add: no usable response (mt5:8)', '/api/user/add: keine verwertbare Antwort (mt5:8).'],
  ['/v1/accounts: no response', '/v1/accounts: keine verwertbare Antwort.'],
  ['mt5:3010 The account is in USD', 'Das Konto wird in USD geführt.'],
  ['MetaTrader 5 is not connected.', 'MetaTrader 5 ist nicht verbunden.'],
  [
    'The platform executed another attempt: CR-ABCDEFGH-C0-0123456789ABCD. Two people in finance must decide on it in Reconciliation or Recovery.',
    'Die Plattform hat einen anderen Versuch dieser Übermittlung ausgeführt: CR-ABCDEFGH-C0-0123456789ABCD. Zwei Personen der Finanzabteilung müssen in der Abstimmung oder der Wiederherstellung darüber entscheiden.',
  ],
  ['The integration does not know this reference.', 'Die Anbindung kennt diese Referenz nicht.'],
])('our own sentence “%s” is translated into German', (error, text) => {
  expect(answerText(error, 'de')).toBe(text)
})

test('every translated sentence is still used by an adapter or the worker', () => {
  const files = ['trading-platform/mt4/mt4.ts', 'trading-platform/mt5/mt5.ts', 'trading-platform/mt5/session.ts']
  const written = [
    ...[...files, 'card-provider/worldline/calls.ts'].map((file) => `../integrations/${file}`),
    '../jobs/balance.ts',
    '../jobs/card-refund.ts',
    '../jobs/drive-claimed.ts',
  ].map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
  const unknown = Object.keys(sentenceLabels).filter((one) => !written.some((text) => text.includes(`'${one}'`)))
  expect(unknown).toEqual([])
})

test.each([
  [
    { responseCode: 550, response: '550 5.1.1 No such user', command: 'RCPT TO' },
    'Antwort des Mailservers: „550 5.1.1“.',
  ],
  [{ responseCode: 421, command: 'CONN' }, 'Antwort des Mailservers auf die Verbindung: „421“.'],
  [{ responseCode: 452, command: 'MAIL FROM' }, 'Antwort des Mailservers auf MAIL FROM: „452“.'],
  [
    { code: 'EAUTH', responseCode: 535, response: '535 5.7.8 Bad credentials' },
    'Der Mailserver hat unsere Anmeldung abgelehnt. Prüfen Sie Benutzer und Passwort in SMTP_URL. Antwort des Mailservers: „535 5.7.8“.',
  ],
  [{ code: 'ECONNREFUSED' }, 'Der Mailserver war nicht erreichbar.'],
  [{ code: 'EOTHER' }, 'Der Mailserver hat nicht geantwortet.'],
])('the mail server response %o is explained in German and quoted', (facts, text) => {
  const failure = failureOf(Object.assign(new Error('x'), facts), null)
  expect(answerText(failure.message, 'de')).toBe(text)
})

test.each([
  [
    { messageId: 'a@example.com' },
    'The message ID of the email is not valid.',
    'Die Nachrichten-ID der E-Mail ist ungültig.',
  ],
  [
    { to: 'no-address' },
    'The email address of the recipient is not valid.',
    'Die Empfängeradresse der E-Mail ist ungültig.',
  ],
  [
    { subject: 'one\nline' },
    'The subject or sender of the email contains an unsupported character.',
    'Betreff oder Absender der E-Mail enthält ein nicht erlaubtes Zeichen.',
  ],
])('an email that the adapter rejects before it is sent (%o) is explained in each language', async (wrong, en, de) => {
  const mail = { messageId: '<a@example.com>', to: 'a@example.com', subject: 'x', text: 'x', html: 'x', ...wrong }
  const refused = await smtpMail({ url: 'smtp://127.0.0.1', from: 'b@example.com' }).send(mail).catch(String)
  const message = String(refused).replace(/^\w+: /, '')
  expect([answerText(message, 'en'), answerText(message, 'de')]).toEqual([en, de])
})

test('a rejection by the mail server is shown without our own code in front', () => {
  expect(answerText('smtp:550 The mail server answered 550 5.1.1', 'de')).toBe('Antwort des Mailservers: „550 5.1.1“.')
  expect(answerText('smtp:550 The mail server answered 550 5.1.1', 'en')).toBe('The mail server answered “550 5.1.1”.')
})

test.each([
  [
    'The mail server rejects every email. The mail server answered 550 5.1.1',
    'The mail server rejects every email. The mail server answered “550 5.1.1”.',
    'Der Mailserver lehnt alle E-Mails ab. Antwort des Mailservers: „550 5.1.1“.',
  ],
  [
    'The mail server rejects every email. The mail server did not respond',
    'The mail server rejects every email. The mail server did not respond.',
    'Der Mailserver lehnt alle E-Mails ab. Der Mailserver hat nicht geantwortet.',
  ],
  [
    'The mail server rejects every email.',
    'The mail server rejects every email.',
    'Der Mailserver lehnt alle E-Mails ab.',
  ],
])('the outage of a mail server is explained in each language, with the rejection: %s', (error, en, de) => {
  expect([answerText(error, 'en'), answerText(error, 'de')]).toEqual([en, de])
})

test('the name of a virus is quoted as the scanner’s own message', () => {
  expect(findingText('Win.Test.EICAR_HDB-1', 'de')).toBe('Meldung des Virenscanners: „Win.Test.EICAR_HDB-1“.')
})

test.each([
  [
    '401 invalid_client AADSTS7000222',
    'Check SMTP_OAUTH_CLIENT_ID, and whether SMTP_OAUTH_CLIENT_SECRET has expired.',
    'Prüfen Sie SMTP_OAUTH_CLIENT_ID und ob SMTP_OAUTH_CLIENT_SECRET abgelaufen ist.',
  ],
  ['400 invalid_scope', 'Check SMTP_OAUTH_SCOPE.', 'Prüfen Sie SMTP_OAUTH_SCOPE.'],
  ['404', 'Check SMTP_OAUTH_TOKEN_URL.', 'Prüfen Sie SMTP_OAUTH_TOKEN_URL.'],
  [
    '400 invalid_request',
    'Check SMTP_OAUTH_TOKEN_URL and SMTP_OAUTH_SCOPE.',
    'Prüfen Sie SMTP_OAUTH_TOKEN_URL und SMTP_OAUTH_SCOPE.',
  ],
  [
    '400 unauthorized_client',
    'Allow the client the "client credentials" flow there.',
    'Erlauben Sie der Anwendung dort den Ablauf „client credentials“.',
  ],
])('the error %s of a token endpoint is explained with its remedy', (words, remedy, german) => {
  const sentence = `The token endpoint login.example.com gave no access token (${words}). ${remedy}`
  expect(answerText(sentence, 'en')).toContain(remedy.replaceAll(/"([^"]+)"/g, '“$1”'))
  expect(answerText(sentence, 'de')).toBe(
    `Der Token-Endpunkt login.example.com hat kein Zugriffstoken ausgestellt. ${german} Seine Antwort: „${words}“.`,
  )
})
