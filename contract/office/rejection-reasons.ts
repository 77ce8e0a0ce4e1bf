/**
 * Ready reasons for a rejection, in the client's language. The office fills its field with one; what is sent is the text,
 * so that the client reads exactly what the clerk saw, changed or not.
 */
import type { WorkKind } from '#rules/work.ts'

export interface ReadyReason {
  readonly key: string
  readonly en: string
  readonly de: string
}

const documentReasons: readonly ReadyReason[] = [
  {
    key: 'corner',
    en: 'A corner of the page is cut off. Please take the picture again so that all four corners are visible.',
    de: 'Eine Ecke der Seite ist abgeschnitten. Bitte nehmen Sie das Bild so auf, dass alle vier Ecken zu sehen sind.',
  },
  {
    key: 'blurred',
    en: 'The picture is blurred. Please take it again in good light and hold the camera still.',
    de: 'Das Bild ist unscharf. Bitte nehmen Sie es bei gutem Licht noch einmal auf und halten Sie die Kamera ruhig.',
  },
  {
    key: 'glare',
    en: 'A reflection hides part of the text. Please take the picture again without flash.',
    de: 'Eine Spiegelung verdeckt einen Teil der Schrift. Bitte nehmen Sie das Bild ohne Blitz noch einmal auf.',
  },
  {
    key: 'expired',
    en: 'This document has expired. Please upload one that is valid.',
    de: 'Dieses Dokument ist abgelaufen. Bitte laden Sie ein gültiges hoch.',
  },
  {
    key: 'too-old',
    en: 'This proof of address is older than 3 months. Please upload a newer one.',
    de: 'Dieser Adressnachweis ist älter als 3 Monate. Bitte laden Sie einen neueren hoch.',
  },
  {
    key: 'name',
    en: 'The name on this document is not the name of your registration.',
    de: 'Der Name auf diesem Dokument ist nicht der Name Ihrer Registrierung.',
  },
  {
    key: 'address',
    en: 'The address on this document is not the address of your registration.',
    de: 'Die Adresse auf diesem Dokument ist nicht die Adresse Ihrer Registrierung.',
  },
  {
    key: 'other-kind',
    en: 'This is another kind of document than you chose.',
    de: 'Das ist eine andere Art von Dokument, als Sie gewählt haben.',
  },
]

const moneyReasons: readonly ReadyReason[] = [
  {
    key: 'asked',
    en: 'You asked us not to carry it out.',
    de: 'Sie haben uns gebeten, den Auftrag nicht auszuführen.',
  },
  {
    key: 'margin',
    en: 'Your open positions need this money as margin. Close positions or ask for less.',
    de: 'Ihre offenen Positionen brauchen dieses Geld als Margin. Schließen Sie Positionen oder beantragen Sie weniger.',
  },
  {
    key: 'unreached',
    en: 'We could not reach you to confirm this request. Please contact us, then ask again.',
    de: 'Wir konnten Sie zur Bestätigung nicht erreichen. Bitte melden Sie sich bei uns und stellen Sie den Antrag dann erneut.',
  },
]

/** The ready reasons of each kind; a free text is always possible. */
export const rejectionReasons: Partial<Readonly<Record<WorkKind, readonly ReadyReason[]>>> = {
  document: documentReasons,
  client: [
    {
      key: 'country',
      en: 'We cannot offer our services in your country.',
      de: 'In Ihrem Land können wir unsere Dienste nicht anbieten.',
    },
    {
      key: 'unverified',
      en: 'We could not verify your identity from the documents that you sent.',
      de: 'Mit den gesendeten Dokumenten konnten wir Ihre Identität nicht bestätigen.',
    },
    {
      key: 'unsuitable',
      en: 'From your answers, these products are not appropriate for you.',
      de: 'Nach Ihren Angaben sind diese Produkte für Sie nicht angemessen.',
    },
  ],
  account: [
    { key: 'twice', en: 'You have an account of this kind already.', de: 'Sie haben bereits ein Konto dieser Art.' },
    { key: 'closed', en: 'We open no new accounts of this kind.', de: 'Konten dieser Art eröffnen wir nicht mehr.' },
  ],
  leverage_request: [
    {
      key: 'margin',
      en: 'Your open positions would need more margin than the account holds.',
      de: 'Ihre offenen Positionen bräuchten mehr Margin, als das Konto enthält.',
    },
    {
      key: 'retail',
      en: 'This leverage is open to professional accounts only.',
      de: 'Dieser Hebel steht nur professionellen Konten offen.',
    },
  ],
  bank_details: [
    { key: 'holder', en: 'The bank account is not in your name.', de: 'Das Bankkonto läuft nicht auf Ihren Namen.' },
    {
      key: 'statement',
      en: 'The bank statement does not show the account number. Please upload one that does.',
      de: 'Der Kontoauszug zeigt die Kontonummer nicht. Bitte laden Sie einen hoch, auf dem sie steht.',
    },
    {
      key: 'differs',
      en: 'The numbers that you typed differ from those on the statement.',
      de: 'Die eingegebenen Nummern weichen von denen auf dem Auszug ab.',
    },
  ],
  deposit: [
    { key: 'never-came', en: 'The payment did not arrive.', de: 'Die Zahlung ist nicht eingegangen.' },
    {
      key: 'third-party',
      en: 'The payment came from an account that is not yours. We send it back.',
      de: 'Die Zahlung kam von einem Konto, das nicht Ihnen gehört. Wir senden sie zurück.',
    },
  ],
  bank_line: [{ key: 'third-party', en: 'The payer is not our client.', de: 'Der Zahler ist nicht unser Kunde.' }],
  withdrawal: moneyReasons,
  transfer: moneyReasons,
  professional: [
    {
      key: 'one-of-three',
      en: 'Two of the three tests must be passed; your answers pass fewer.',
      de: 'Zwei der drei Kriterien müssen erfüllt sein; nach Ihren Angaben sind es weniger.',
    },
    {
      key: 'evidence',
      en: 'We need evidence for your answers. Please send us statements or a letter of your employer.',
      de: 'Wir brauchen Nachweise zu Ihren Angaben. Bitte senden Sie uns Auszüge oder ein Schreiben Ihres Arbeitgebers.',
    },
  ],
  profile_change: [
    {
      key: 'document',
      en: 'Please upload a document that shows the new value.',
      de: 'Bitte laden Sie ein Dokument hoch, das die neue Angabe zeigt.',
    },
  ],
}
