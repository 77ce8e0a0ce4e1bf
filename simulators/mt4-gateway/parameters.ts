/** The parameters of a call, in its query or its body. */
import type { Fields } from '../process/http.ts'

/** A call that is rejected with `bad_request`. */
export class BadRequest extends Error {}

const namesMax = 100
const bodyLoginsMax = 1000

/** Returns the logins of the query, or null if it has none. */
export function loginsOf(query: URLSearchParams): string[] | null {
  return namesOf(query, 'logins')
}

/** Returns a list of the query, at most a hundred names, or null if there is none. */
export function namesOf(query: URLSearchParams, name: string): string[] | null {
  const names = query.get(name)?.split(',') ?? null
  if (names !== null && names.length > namesMax) throw new BadRequest(`at most ${namesMax} ${name}`)
  return names
}

/** Returns the logins of a body, at most a thousand. */
export function loginsIn({ logins }: Fields): string[] {
  if (!Array.isArray(logins) || !logins.every((login) => typeof login === 'string'))
    throw new BadRequest('logins is a list of texts')
  if (logins.length > bodyLoginsMax) throw new BadRequest(`at most ${bodyLoginsMax} logins`)
  return logins
}

/** Returns the window of the query in seconds, including both ends. */
export function windowOf(query: URLSearchParams): { from: number; to: number } {
  const [from = Number.NaN, to = Number.NaN] = ['from', 'to'].map((name) => Date.parse(query.get(name) ?? '') / 1000)
  if (Number.isNaN(from) || Number.isNaN(to)) throw new BadRequest('from and to are times')
  return { from: Math.floor(from), to: Math.ceil(to) }
}

interface Ticketed {
  readonly ticket: string
}

/** Returns a page of rows by their tickets, and the `after` of the next one. */
export function pageOf<Row extends Ticketed>(
  rows: readonly Row[],
  afterText: string | null | undefined,
  size: number,
): { rows: Row[]; next: string | null } {
  const after = Number(afterText ?? 0)
  if (!Number.isSafeInteger(after)) throw new BadRequest('after is a ticket')
  const left = rows
    .filter(({ ticket }) => Number(ticket) > after)
    .toSorted((one, other) => Number(one.ticket) - Number(other.ticket))
  const shown = left.slice(0, size)
  return { rows: shown, next: left.length > shown.length ? (shown.at(-1)?.ticket ?? null) : null }
}
