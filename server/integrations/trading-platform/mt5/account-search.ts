/**
 * Finds accounts by the reference of their opening. Only logins are listed completely; records are read for those that
 * are not ours.
 */
import { Unavailable } from '../../errors.ts'
import { inParts } from '#rules/in-parts.ts'
import type { AccountSearch, OpenedAccount } from '../trading-server.ts'
import type { Mt5Caller } from './caller.ts'
import { accountRecords } from './account-records.ts'
import { textOf, timeOf, unlessOdd } from './values.ts'

/** The number of accounts that are read in one query. */
export const accountsAtOnce = 100
const hourMs = 3_600_000

type Known = AccountSearch['known']
type WireRecord = Record<string, unknown>

interface Strangers {
  readonly users: readonly WireRecord[]
  /** Whether each of them has a record that names it. */
  readonly isWhole: boolean
}

/** Yields the records of a group's logins that are not ours, newest first, a hundred at a time. */
async function* strangers(caller: Mt5Caller, group: string, known: Known): AsyncGenerator<Strangers> {
  const logins = (await caller.texts('/api/user/logins', { group })).toSorted((a, b) => Number(b) - Number(a))
  for (const some of inParts(logins, accountsAtOnce * 10)) {
    const ours = await known(some)
    for (const login of inParts(
      some.filter((one) => !ours.has(one)),
      accountsAtOnce,
    )) {
      const { of } = accountRecords(await caller.list('/api/user/get_batch', { login: login.join(',') }), login)
      yield { users: [...of.values()], isWhole: of.size === login.length }
    }
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
  let [isHidden, isIncomplete] = [false, false]
  for (const group of new Set(groups)) {
    for await (const { users, isWhole } of strangers(caller, group, known)) {
      isIncomplete ||= !isWhole
      const young = users.filter((user) => (registeredAt(user, toOurs) ?? oldest) >= oldest)
      const found = young.find((user) => openedUnder(user) === ref || user.ID === ref)
      if (found !== undefined) return { login: textOf(found, 'Login') }
      isHidden ||= young.some((user) => openedUnder(user) === '' && user.Name === '')
      // Logins are assigned in ascending order: earlier accounts are among the lower ones.
      if (young.length === 0 && isWhole) break
    }
  }
  if (isIncomplete) throw new Unavailable('The record of an account cannot be read: it may be the one searched for')
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
    for await (const { users, isWhole } of strangers(caller, group, known)) {
      if (!isWhole) throw new Unavailable('The record of an account cannot be read: it may have been opened since')
      for (const user of users) {
        const at = registeredAt(user, toOurs) ?? from.getTime()
        if (at >= from.getTime())
          opened.push({ login: textOf(user, 'Login'), group, comment: openedUnder(user), at: new Date(at) })
      }
    }
  return opened
}

/** Returns when an account was opened, in our ms; null if it cannot be read. */
function registeredAt(user: WireRecord, toOurs: (seconds: number) => number): number | null {
  const ms = unlessOdd(() => timeOf(user, 'Registration'))
  return ms === null ? null : toOurs(ms / 1000)
}

/**
 * Returns the reference of the account's opening: its comment, or the document number field if a dealer moved it there.
 */
function openedUnder(user: Record<string, unknown>): string {
  return textOf(user, 'Comment') || textOf(user, 'ID')
}
