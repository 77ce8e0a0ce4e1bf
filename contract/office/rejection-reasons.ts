/**
 * Standard reasons for a rejection. The back office fills its field with one in the client's language; if sent
 * unchanged, it is stored by its key, and every reader sees it in their own language. A key never changes its meaning:
 * another meaning is a new key.
 */
import { msg, type Labels, type Message } from '../message.ts'
import type { WorkItemKind } from '#rules/work-items.ts'

export const standardReasons = {
  'neutral-client': msg`After reviewing your application, we are unable to open an account for you.`,
  'neutral-suspension': msg`We have suspended your access to the portal while we review your account.`,
  'neutral-closure': msg`Our business relationship with you has ended.`,
  'neutral-payment': msg`We have reviewed your request and are unable to carry it out. Please contact us if you have any questions.`,
  'neutral-request': msg`We have reviewed your request and are unable to approve it. Please contact us if you have any questions.`,
  'document-corner': msg`A corner of the page is cut off. Please take the picture again so that all four corners are visible.`,
  'document-blurred': msg`The picture is blurred. Please take it again in good light and hold the camera still.`,
  'document-glare': msg`A reflection hides part of the text. Please take the picture again without flash.`,
  'document-expired': msg`This document has expired. Please upload one that is valid.`,
  'document-too-old': msg`This proof of address is older than 3 months. Please upload a newer one.`,
  'document-name': msg`The name on this document is not the name of your registration.`,
  'document-address': msg`The address on this document is not the address of your registration.`,
  'document-other-kind': msg`This is another kind of document than you chose.`,
  'money-asked': msg`You asked us not to carry it out.`,
  'money-margin': msg`Your open positions need this money as margin. Close positions or ask for less.`,
  'money-unreached': msg`We could not reach you to confirm this request. Please contact us, then ask again.`,
  'client-country': msg`We cannot offer our services in your country.`,
  'client-unverified': msg`We could not verify your identity from the documents that you sent.`,
  'client-unsuitable': msg`From your answers, these products are not appropriate for you.`,
  'account-twice': msg`You have an account of this kind already.`,
  'account-closed': msg`We open no new accounts of this kind.`,
  'leverage-margin': msg`Your open positions would need more margin than the account holds.`,
  'leverage-retail': msg`This leverage is open to professional accounts only.`,
  'bank-holder': msg`The bank account is not in your name.`,
  'bank-statement': msg`The bank statement does not show the account number. Please upload one that does.`,
  'bank-differs': msg`The numbers that you typed differ from those on the statement.`,
  'deposit-never-came': msg`The payment did not arrive.`,
  'deposit-third-party': msg`The payment came from an account that is not yours. We send it back.`,
  'line-third-party': msg`The payer is not our client.`,
  'professional-one-of-three': msg`Two of the three tests must be passed; your answers pass fewer.`,
  'professional-evidence': msg`We need evidence for your answers. Please send us statements or a letter of your employer.`,
  'profile-document': msg`Please upload a document that shows the new value.`,
} as const satisfies Labels
type Key = keyof typeof standardReasons

export interface StandardReason {
  readonly key: Key
  readonly text: Message
}

const reasonsByKeys = (...keys: readonly Key[]): readonly StandardReason[] =>
  keys.map((key) => ({ key, text: standardReasons[key] }))

const moneyReasons = reasonsByKeys('money-asked', 'money-margin', 'money-unreached')

/** The standard reasons of each kind; a free text is always possible. */
export const rejectionReasons: Partial<Readonly<Record<WorkItemKind, readonly StandardReason[]>>> = {
  document: reasonsByKeys(
    'document-corner',
    'document-blurred',
    'document-glare',
    'document-expired',
    'document-too-old',
    'document-name',
    'document-address',
    'document-other-kind',
  ),
  client: reasonsByKeys('client-country', 'client-unverified', 'client-unsuitable'),
  account: reasonsByKeys('account-twice', 'account-closed'),
  leverage_request: reasonsByKeys('leverage-margin', 'leverage-retail'),
  bank_details: reasonsByKeys('bank-holder', 'bank-statement', 'bank-differs'),
  deposit: reasonsByKeys('deposit-never-came', 'deposit-third-party'),
  bank_line: reasonsByKeys('line-third-party'),
  withdrawal: moneyReasons,
  transfer: moneyReasons,
  professional: reasonsByKeys('professional-one-of-three', 'professional-evidence'),
  profile_change: reasonsByKeys('profile-document'),
}

/** The neutral texts, which are the default text for the client (ADR 160). */
export const neutralKeys = {
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
/** Decisions about the client as a whole, whose reason is internal. */
export type ClientActKind = 'client' | 'suspension' | 'closure'

/** Returns the neutral text of a kind with its key, the default. */
export function neutralReason(kind: NeutralKind): StandardReason {
  const key = neutralKeys[kind]
  return { key, text: standardReasons[key] }
}
