const noBreak = '\u00a0'

/** Returns an IBAN or account number in groups of four, with non-breaking spaces. */
export function groupByFour(number: string): string {
  return number.replace(/\s/g, '').replace(/(.{4})(?=.)/g, `$1${noBreak}`)
}

/** Returns the same for a narrow container: it may break between two groups, but not within one. */
export function groupInPlace(number: string): string {
  return groupByFour(number).replaceAll(noBreak, ' ')
}
