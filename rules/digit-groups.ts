const noBreak = '\u00a0'

/** Returns an IBAN or account number in groups of four for the eye, not to be broken across lines. */
export function groupByFour(number: string): string {
  return number.replace(/\s/g, '').replace(/(.{4})(?=.)/g, `$1${noBreak}`)
}

/**
 * Returns the same in a place of its own, which may be too narrow for it: then it is broken between two groups, never
 * in one.
 */
export function groupInPlace(number: string): string {
  return groupByFour(number).replaceAll(noBreak, ' ')
}
