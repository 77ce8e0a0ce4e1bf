/**
 * Masks bank and document numbers in events and records for readers without access to them: auditors see no number, and
 * readers without access to documents see none of a document (requirements 1.9).
 */
import type { StaffRole } from '#rules/actors.ts'
import { maskBankNumber } from '#rules/bank-details.ts'
import { canRead, canSeeNumbers } from '#rules/permissions.ts'
import { workItemAreas, workItemKinds } from '#rules/work-items.ts'

const ofDocuments = ['documentNumber', 'document_number', 'mrz']
const ofBanks = [
  'iban',
  'IBAN',
  'swift',
  'accountNumber',
  'account_number',
  'BankAccountNumber',
  'sortCode',
  'sort_code',
]

function maskedFor(roles: readonly StaffRole[]): readonly string[] {
  if (!canSeeNumbers(roles)) return [...ofBanks, ...ofDocuments]
  return canRead('documents', roles) ? [] : ofDocuments
}

/** Returns the value with each number that these roles may not see cut to its last characters. */
export function maskNumbers<Value>(value: Value, roles: readonly StaffRole[]): Value {
  const hidden = maskedFor(roles)
  return hidden.length === 0 ? value : (maskedIn(value, hidden, false) as Value)
}

/** Returns an event as these roles may read it. */
export function eventFor<Event extends { readonly kind: string; readonly verb: string; readonly details: unknown }>(
  event: Event,
  roles: readonly StaffRole[],
): Event {
  return { ...event, details: isHiddenComment(event, roles) ? null : maskNumbers(event.details, roles) }
}

/** Comments on items of a kind are visible to those who may read that kind (requirements 24.7). */
function isHiddenComment({ kind, verb }: { kind: string; verb: string }, roles: readonly StaffRole[]): boolean {
  const known = workItemKinds.find((one) => one === kind)
  const ofItem = verb === 'comment' || verb === 'snooze'
  return ofItem && known !== undefined && !canRead(workItemAreas[known], roles)
}

/** Masks the numbers in a value. `isNumber`: the value has the name of a number, as a text or as its lines. */
function maskedIn(value: unknown, hidden: readonly string[], isNumber: boolean): unknown {
  if (typeof value === 'string') return isNumber && value !== '' ? maskBankNumber(value) : value
  if (value === null || typeof value !== 'object' || value instanceof Date) return value
  if (Array.isArray(value)) return value.map((part) => maskedIn(part, hidden, isNumber))
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      // A setting is named by its whole path: "EUR.IBAN".
      maskedIn(part, hidden, isNumber || hidden.includes(name.split('.').at(-1) ?? '')),
    ]),
  )
}
