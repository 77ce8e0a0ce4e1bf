/** Values of checks as the event log and a digest store them: tagged, in JSON, amounts and times as text. */
import { createHash } from 'node:crypto'
import type { CheckValue, Judged } from '#rules/checks/check.ts'

/**
 * Returns a value as JSON: `{"time": "2026-…Z"}`, `{"amount": {"minor": "100", "currency": "EUR"}}`, others as they
 * are.
 */
export function plainValue(value: CheckValue): unknown {
  if (value === null) return null
  if ('time' in value) return { time: value.time.toISOString() }
  if ('amount' in value) return { amount: { minor: String(value.amount.minor), currency: value.amount.currency } }
  return value
}

/** Returns an object with each value converted in the same way. */
export function plainValues(values: Readonly<Record<string, CheckValue>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, plainValue(value)]))
}

/** Returns the digest of the facts that were checked and shown, without the time of reading. */
export function digestOf({ name, result, sentence, facts }: Judged): string {
  const named = facts.map((fact) => [fact.name, plainValue(fact.value)] as const)
  const sorted = named.toSorted(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([name, result, sentence, sorted]))
    .digest('hex')
}
