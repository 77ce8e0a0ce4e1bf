const noBreak = '\u00a0'

/** An IBAN or account number in groups of four for the eye, not to be broken across lines. */
export function groupedByFour(number: string): string {
  return number.replace(/\s/g, '').replace(/(.{4})(?=.)/g, `$1${noBreak}`)
}
