/**
 * Standard reasons for a rejection. The office fills its field with one in the client's language; sent as it stands, it is
 * kept by its key, and everybody reads it in a language of their own. A key keeps its meaning: another one is a new key.
 */
import type { Language } from '#rules/choices.ts'
import type { WorkItemKind } from '#rules/work-items.ts'

const standardReasons = {
  'neutral-client': {
    en: 'After reviewing your application, we are unable to open an account for you.',
    de: 'Nach Prüfung Ihres Antrags können wir leider kein Konto für Sie eröffnen.',
  },
  'neutral-suspension': {
    en: 'We have suspended your access to the portal while we review your account.',
    de: 'Wir haben Ihren Zugang zum Portal gesperrt, während wir Ihr Konto prüfen.',
  },
  'neutral-closure': {
    en: 'Our business relationship with you has ended.',
    de: 'Unsere Geschäftsbeziehung mit Ihnen ist beendet.',
  },
  'neutral-payment': {
    en: 'We have reviewed your request and are unable to carry it out. Please contact us if you have any questions.',
    de: 'Wir haben Ihren Auftrag geprüft und können ihn leider nicht ausführen. Bei Fragen wenden Sie sich bitte an uns.',
  },
  'neutral-request': {
    en: 'We have reviewed your request and are unable to approve it. Please contact us if you have any questions.',
    de: 'Wir haben Ihren Antrag geprüft und können ihn leider nicht genehmigen. Bei Fragen wenden Sie sich bitte an uns.',
  },
  'document-corner': {
    en: 'A corner of the page is cut off. Please take the picture again so that all four corners are visible.',
    de: 'Eine Ecke der Seite ist abgeschnitten. Bitte nehmen Sie das Bild so auf, dass alle vier Ecken zu sehen sind.',
  },
  'document-blurred': {
    en: 'The picture is blurred. Please take it again in good light and hold the camera still.',
    de: 'Das Bild ist unscharf. Bitte nehmen Sie es bei gutem Licht noch einmal auf und halten Sie die Kamera ruhig.',
  },
  'document-glare': {
    en: 'A reflection hides part of the text. Please take the picture again without flash.',
    de: 'Eine Spiegelung verdeckt einen Teil der Schrift. Bitte nehmen Sie das Bild ohne Blitz noch einmal auf.',
  },
  'document-expired': {
    en: 'This document has expired. Please upload one that is valid.',
    de: 'Dieses Dokument ist abgelaufen. Bitte laden Sie ein gültiges hoch.',
  },
  'document-too-old': {
    en: 'This proof of address is older than 3 months. Please upload a newer one.',
    de: 'Dieser Adressnachweis ist älter als 3 Monate. Bitte laden Sie einen neueren hoch.',
  },
  'document-name': {
    en: 'The name on this document is not the name of your registration.',
    de: 'Der Name auf diesem Dokument ist nicht der Name Ihrer Registrierung.',
  },
  'document-address': {
    en: 'The address on this document is not the address of your registration.',
    de: 'Die Adresse auf diesem Dokument ist nicht die Adresse Ihrer Registrierung.',
  },
  'document-other-kind': {
    en: 'This is another kind of document than you chose.',
    de: 'Das ist eine andere Art von Dokument, als Sie gewählt haben.',
  },
  'money-asked': {
    en: 'You asked us not to carry it out.',
    de: 'Sie haben uns gebeten, den Auftrag nicht auszuführen.',
  },
  'money-margin': {
    en: 'Your open positions need this money as margin. Close positions or ask for less.',
    de: 'Ihre offenen Positionen brauchen dieses Geld als Margin. Schließen Sie Positionen oder beantragen Sie weniger.',
  },
  'money-unreached': {
    en: 'We could not reach you to confirm this request. Please contact us, then ask again.',
    de: 'Wir konnten Sie zur Bestätigung nicht erreichen. Bitte melden Sie sich bei uns und stellen Sie den Antrag dann erneut.',
  },
  'client-country': {
    en: 'We cannot offer our services in your country.',
    de: 'In Ihrem Land können wir unsere Dienste nicht anbieten.',
  },
  'client-unverified': {
    en: 'We could not verify your identity from the documents that you sent.',
    de: 'Mit den gesendeten Dokumenten konnten wir Ihre Identität nicht bestätigen.',
  },
  'client-unsuitable': {
    en: 'From your answers, these products are not appropriate for you.',
    de: 'Nach Ihren Angaben sind diese Produkte für Sie nicht angemessen.',
  },
  'account-twice': { en: 'You have an account of this kind already.', de: 'Sie haben bereits ein Konto dieser Art.' },
  'account-closed': { en: 'We open no new accounts of this kind.', de: 'Konten dieser Art eröffnen wir nicht mehr.' },
  'leverage-margin': {
    en: 'Your open positions would need more margin than the account holds.',
    de: 'Ihre offenen Positionen bräuchten mehr Margin, als das Konto enthält.',
  },
  'leverage-retail': {
    en: 'This leverage is open to professional accounts only.',
    de: 'Dieser Hebel steht nur professionellen Konten offen.',
  },
  'bank-holder': { en: 'The bank account is not in your name.', de: 'Das Bankkonto läuft nicht auf Ihren Namen.' },
  'bank-statement': {
    en: 'The bank statement does not show the account number. Please upload one that does.',
    de: 'Der Kontoauszug zeigt die Kontonummer nicht. Bitte laden Sie einen hoch, auf dem sie steht.',
  },
  'bank-differs': {
    en: 'The numbers that you typed differ from those on the statement.',
    de: 'Die eingegebenen Nummern weichen von denen auf dem Auszug ab.',
  },
  'deposit-never-came': { en: 'The payment did not arrive.', de: 'Die Zahlung ist nicht eingegangen.' },
  'deposit-third-party': {
    en: 'The payment came from an account that is not yours. We send it back.',
    de: 'Die Zahlung kam von einem Konto, das nicht Ihnen gehört. Wir senden sie zurück.',
  },
  'line-third-party': { en: 'The payer is not our client.', de: 'Der Zahler ist nicht unser Kunde.' },
  'professional-one-of-three': {
    en: 'Two of the three tests must be passed; your answers pass fewer.',
    de: 'Zwei der drei Kriterien müssen erfüllt sein; nach Ihren Angaben sind es weniger.',
  },
  'professional-evidence': {
    en: 'We need evidence for your answers. Please send us statements or a letter of your employer.',
    de: 'Wir brauchen Nachweise zu Ihren Angaben. Bitte senden Sie uns Auszüge oder ein Schreiben Ihres Arbeitgebers.',
  },
  'profile-document': {
    en: 'Please upload a document that shows the new value.',
    de: 'Bitte laden Sie ein Dokument hoch, das die neue Angabe zeigt.',
  },
} as const satisfies Record<string, Readonly<Record<Language, string>>>
type Key = keyof typeof standardReasons

export interface StandardReason {
  readonly key: Key
  readonly en: string
  readonly de: string
}

const listed = (...keys: readonly Key[]): readonly StandardReason[] =>
  keys.map((key) => ({ key, ...standardReasons[key] }))

const moneyReasons = listed('money-asked', 'money-margin', 'money-unreached')

/** The standard reasons of each kind; a free text is always possible. */
export const rejectionReasons: Partial<Readonly<Record<WorkItemKind, readonly StandardReason[]>>> = {
  document: listed(
    'document-corner',
    'document-blurred',
    'document-glare',
    'document-expired',
    'document-too-old',
    'document-name',
    'document-address',
    'document-other-kind',
  ),
  client: listed('client-country', 'client-unverified', 'client-unsuitable'),
  account: listed('account-twice', 'account-closed'),
  leverage_request: listed('leverage-margin', 'leverage-retail'),
  bank_details: listed('bank-holder', 'bank-statement', 'bank-differs'),
  deposit: listed('deposit-never-came', 'deposit-third-party'),
  bank_line: listed('line-third-party'),
  withdrawal: moneyReasons,
  transfer: moneyReasons,
  professional: listed('professional-one-of-three', 'professional-evidence'),
  profile_change: listed('profile-document'),
}

/** The neutral texts: offered first for what the client reads (ADR 160). */
const neutralKeys = {
  client: 'neutral-client',
  suspension: 'neutral-suspension',
  closure: 'neutral-closure',
  deposit: 'neutral-payment',
  withdrawal: 'neutral-payment',
  transfer: 'neutral-payment',
  account: 'neutral-request',
  leverage_request: 'neutral-request',
  bank_details: 'neutral-request',
  professional: 'neutral-request',
  profile_change: 'neutral-request',
} as const satisfies Partial<Record<WorkItemKind, Key>> & Record<string, Key>
export type NeutralKind = keyof typeof neutralKeys
/** Decisions about the client as a whole: their reason is for staff alone. */
export type ClientActKind = 'client' | 'suspension' | 'closure'

/** The neutral text of a kind, with its key: the one that is offered first. */
export function neutralReason(kind: NeutralKind): StandardReason {
  const key = neutralKeys[kind]
  return { key, ...standardReasons[key] }
}

const mark = 'ready:'

/** What is kept of the text that a client reads who is rejected, suspended or closed: the given one, else the neutral one. */
export function clientReasonOf(kind: ClientActKind, given: string | undefined): string {
  return given ?? `${mark}${neutralKeys[kind]}`
}

/** What is kept of the text that the client reads of a rejected request: their own, else the reason, so that it names what was wrong. */
export function requestReason(given: { readonly reason: string; readonly clientReason?: string | undefined }): string {
  return given.clientReason ?? keptReason(given.reason)
}

const kept = new Map<string, string>(
  Object.entries(standardReasons).flatMap(([key, { en, de }]) =>
    [en, de].map((text) => [text, `${mark}${key}`] as const),
  ),
)

/** What is kept of a reason: the key of a ready one that stands word for word as it was offered, else the text. */
export function keptReason(text: string): string {
  return kept.get(text) ?? text
}

/** The words of a standard reason that was kept by its key; null for a text. */
export function standardReasonText(stored: string, language: Language): string | null {
  if (!stored.startsWith(mark)) return null
  const key = stored.slice(mark.length)
  return Object.hasOwn(standardReasons, key) ? standardReasons[key as Key][language] : null
}

/** How the standard reasons are kept in which words stand, in any language: what a search for words finds. */
export function standardReasonsWith(words: string): string[] {
  const wanted = words.toLowerCase()
  return [...kept].flatMap(([text, key]) => (text.toLowerCase().includes(wanted) ? [key] : []))
}
