/** Checks as stored in an event, with title and result in the reader's language. */
import type { CheckName, CheckValue } from '#rules/checks/check.ts'
import type { CheckResult } from '#rules/choices.ts'
import { money, type Currency } from '#rules/money.ts'
import { sentenceOfCheck, titleOfCheck, type CheckReader } from './check-texts.ts'

export interface KeptCheck {
  readonly name: CheckName
  readonly result: CheckResult
  readonly sentence: string
  readonly values: Readonly<Record<string, unknown>>
  readonly acknowledged?: boolean
  readonly override?: unknown
}

/**
 * Returns a stored sentence such as "Account holder: The account holder Peter Olsen is not the client Hannah Brandt."
 */
export function storedCheckSentence(kept: KeptCheck, reader: CheckReader): string {
  const values = Object.fromEntries(
    Object.entries(kept.values).map(([name, value]) => [
      name,
      name === 'origin' ? parseStoredOrigin(value) : parseStoredValue(value),
    ]),
  )
  return `${titleOfCheck(kept.name, reader.language)}: ${sentenceOfCheck({ sentence: kept.sentence, values }, reader)}`
}

/** Returns the inverse of `plainValue`. */
function parseStoredValue(plain: unknown): CheckValue {
  if (plain === null || typeof plain !== 'object') return null
  const { time, amount } = plain as { time?: string; amount?: { minor: string; currency: Currency } }
  if (time !== undefined) return { time: new Date(time) }
  if (amount !== undefined) return { amount: money(BigInt(amount.minor), amount.currency) }
  return plain as CheckValue
}

/** Returns the origins of deposits. Earlier decisions stored them as one text, methods by their names in records. */
function parseStoredOrigin(plain: unknown): CheckValue {
  const value = parseStoredValue(plain)
  if (value === null || !('text' in value)) return value
  return { list: value.text.split(', ').map((method) => ({ method })) }
}
