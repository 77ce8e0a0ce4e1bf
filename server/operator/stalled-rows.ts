/** The list of stalled work, which `doctor` prints: a line each. */

export interface Stalled {
  readonly what: string
  readonly cause: string
  readonly effect: string
  readonly next: string
  readonly action: string
  /** False for work that only waits for people: the product itself works. */
  readonly sick: boolean
}

export function countedRow(count: number, rest: Omit<Stalled, 'sick'>, sick = false): Stalled[] {
  return count === 0 ? [] : [{ ...rest, what: `${rest.what}: ${count}`, sick }]
}

/** Returns how many exceed the limit of the list. */
export function moreRow(count: number, what: string): Stalled[] {
  if (count <= 0) return []
  const others = { what: `more ${what}: ${count}`, cause: 'as above', effect: 'as above', next: 'as above' }
  return [{ ...others, action: 'Resolve the entries above first, then run this again.', sick: true }]
}
