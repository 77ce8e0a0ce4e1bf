/**
 * Finds accounts by the reference of their opening. Only logins are listed completely; records are read for those that
 * are not ours.
 */
import { Unavailable } from '../../errors.ts'
import { inParts } from '#rules/in-parts.ts'
import type { AccountSearch, OpenedAccount } from '../trading-server.ts'
import type { Mt5Caller } from './caller.ts'
import { textOf } from './values.ts'

/** The number of accounts that are read in one query. */
export const accountsAtOnce = 100
const hourMs = 3_600_000

type Known = AccountSearch['known']

/** Yields the records of a group's logins that are not ours, newest first, a hundred at a time. */
async function* strangers(caller: Mt5Caller, group: string, known: Known): AsyncGenerator<Record<string, unknown>[]> {
  const logins = (await caller.texts('/api/user/logins', { group })).toSorted((a, b) => Number(b) - Number(a))
  for (const some of inParts(logins, accountsAtOnce * 10)) {
    const ours = await known(some)
    for (const login of inParts(
      some.filter((one) => !ours.has(one)),
      accountsAtOnce,
    ))
      yield await caller.list('/api/user/get_batch', { login: login.join(',') })
  }
}

/** Finds the account that was opened under a reference. `toOurs` converts the platform's seconds into our ms. */
export async function findByRef(
  caller: Mt5Caller,
  ref: string,
  { groups, sentAt, known }: AccountSearch,
  toOurs: (seconds: number) => number,
): Promise<{ login: string } | null> {
  const oldest = sentAt.getTime() - hourMs
  let isHidden = false
  for (const group of new Set(groups)) {
    for await (const users of strangers(caller, group, known)) {
      const young = users.filter((user) => toOurs(Number(textOf(user, 'Registration'))) >= oldest)
      const found = young.find((user) => openedUnder(user) === ref || user.ID === ref)
      if (found !== undefined) return { login: textOf(found, 'Login') }
      isHidden ||= young.some((user) => openedUnder(user) === '' && user.Name === '')
      // Logins are assigned in ascending order: earlier accounts are among the lower ones.
      if (young.length === 0) break
    }
  }
  if (isHidden) throw new Unavailable('The platform hides comments: our login there has no right to personal data')
  return null
}

/** Lists the accounts that were opened since a time and that `known` does not return, group by group. */
export async function openedSince(
  caller: Mt5Caller,
  groups: readonly string[],
  from: Date,
  known: Known,
  toOurs: (seconds: number) => number,
): Promise<OpenedAccount[]> {
  const opened: OpenedAccount[] = []
  for (const group of groups)
    for await (const users of strangers(caller, group, known))
      for (const user of users) {
        const at = new Date(toOurs(Number(textOf(user, 'Registration'))))
        if (at >= from) opened.push({ login: textOf(user, 'Login'), group, comment: openedUnder(user), at })
      }
  return opened
}

/**
 * Returns the reference of the account's opening: its comment, or the document number field if a dealer moved it there.
 */
function openedUnder(user: Record<string, unknown>): string {
  return textOf(user, 'Comment') || textOf(user, 'ID')
}
