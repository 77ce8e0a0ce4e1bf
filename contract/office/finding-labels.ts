/** Labels of what a recovery found. */
import type { RecoveryItemKind } from '#rules/recovery-items.ts'
import { msg, type Message } from '../message.ts'

export const findingLabels: Readonly<Record<RecoveryItemKind, Message>> = {
  'decision-lost': msg`Lost staff decision`,
  'request-lost': msg`Lost request`,
  mismatch: msg`Amount or account differs`,
  'account-unknown': msg`Account unknown`,
  'checkout-lost': msg`Card payment without a request`,
  'line-missing': msg`Unknown bank transaction`,
  'account-found': msg`Account without a record`,
}
