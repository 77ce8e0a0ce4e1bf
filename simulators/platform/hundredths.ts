/** Amounts in hundredths, and as the text of the protocols. */

/** Returns "-12.50" for -1250. */
export function decimal(hundredths: number): string {
  const sign = hundredths < 0 ? '-' : ''
  const whole = Math.abs(hundredths)
  return `${sign}${Math.trunc(whole / 100)}.${String(whole % 100).padStart(2, '0')}`
}

/** Returns the hundredths of "-12.50" or "-12.5"; null for anything else. */
export function hundredths(text: string): number | null {
  const match = /^([+-]?)(\d{1,13})(?:\.(\d{1,2})0*)?$/.exec(text)
  if (match === null) return null
  const whole = Number(match[2]) * 100 + Number((match[3] ?? '').padEnd(2, '0'))
  return match[1] === '-' ? -whole : whole
}
