export { groupByFour as groupedByFour, groupInPlace as groupedInPlace } from '#rules/digit-groups.ts'

/** Returns "20-00-00" for a British sort code. */
export function sortCodeText(code: string): string {
  return code.replace(/\D/g, '').replace(/(\d{2})(?=\d)/g, '$1-')
}

/** Returns "1:30", the form of leverage (requirements 7.9). */
export function leverageText(leverage: number): string {
  return `1:${leverage}`
}
