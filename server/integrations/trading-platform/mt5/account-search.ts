/**
 * Finds accounts by the reference of their opening. Only logins are listed completely; records are read for those that
 * are not ours.
 */
import { hourMs } from '#rules/dates.ts'
import { Unavailable } from '../../errors.ts'
import { splitIntoParts } from '#rules/split-into-parts.ts'
import type { AccountSearch, OpenedAccount } from '../trading-server.ts'
import type { Mt5Caller } from './caller.ts'
import { unreadableOpeningError, type UnreadableValue } from '../unreadable-records.ts'
import { accountRecords } from './account-records.ts'
import type { ListedGroups } from './server-groups.ts'
import { isNumber, timeOf, nullIfUnreadable } from './values.ts'

/** The number of accounts that are read in one query. */
export const accountsAtOnce = 100
const loginsNamedMax = 5

type Known = AccountSearch['known']
type WireRecord = Record<string, unknown>

interface ForeignUsers {
  readonly users: ReadonlyMap<string, WireRecord>
  /** The logins without a record that names them, and the records that are of none of the others. */
  readonly absent: readonly string[]
  readonly strays: readonly WireRecord[]
}

/** Yields the records of a group's logins that are not ours, newest first, a hundred at a time. */
async function* foreignUsers(caller: Mt5Caller, group: string, known: Known): AsyncGenerator<ForeignUsers> {
  const logins = (await caller.texts('/api/user/logins', { group })).toSorted((a, b) => Number(b) - Number(a))
  for (const some of splitIntoParts(logins, accountsAtOnce * 10)) {
    const knownLogins = await known(some)
    for (const login of splitIntoParts(
      some.filter((one) => !knownLogins.has(one)),
      accountsAtOnce,
    )) {
      const records = await caller.list('/api/user/get_batch', { login: login.join(',') })
      const found = accountRecords(records, login)
      const named = new Set(found.of.values())
      yield { users: found.of, absent: found.without(login), strays: records.filter((record) => !named.has(record)) }
    }
  }
}

/**
 * Finds the account that was opened under a reference. `toOurs` converts the platform's seconds into our ms. Throws
 * `UnreadableValue` if it is not found, but an account with an unreadable field may be it.
 */
export async function findByRef(
  caller: Mt5Caller,
  ref: string,
  { groups, sentAt, known }: AccountSearch,
  toOurs: (seconds: number) => number,
): Promise<{ login: string } | null> {
  const oldest = sentAt.getTime() - hourMs
  const isYoung = (user: WireRecord) => (registeredAt(user, toOurs) ?? oldest) >= oldest
  let [isHidden, mayBeIt]: [boolean, UnreadableValue | null] = [false, null]
  for (const group of new Set(groups)) {
    for await (const { users, absent, strays } of foreignUsers(caller, group, known)) {
      const young = [...users].filter(([, user]) => isYoung(user))
      const found = young.find(([, user]) => matchOpening(user, ref) === 'ours')
      if (found !== undefined) return { login: found[0] }
      for (const [login, user] of young) {
        const field = matchOpening(user, ref)
        if (field === 'Comment' || field === 'ID') mayBeIt ??= unreadableOpeningError(field, login, user[field])
      }
      const youngStrays = strays.filter(isYoung)
      // A record that names another account may belong to that one; then the record of an absent login is missing.
      const isComplete = strays.filter(({ Login }) => !isNumber(Login)).length >= absent.length
      if (!isComplete || youngStrays.some((user) => matchOpening(user, ref) !== 'other'))
        mayBeIt ??= unreadableOpeningError('Login', absent.slice(0, loginsNamedMax).join(', '), strays[0]?.['Login'])
      isHidden ||= young.some(([, { Comment, ID, Name }]) => Comment === '' && ID === '' && Name === '')
      // Logins are assigned in ascending order: earlier accounts are among the lower ones.
      if (young.length === 0 && youngStrays.length === 0 && isComplete) break
    }
  }
  if (mayBeIt) throw mayBeIt
  if (isHidden) throw new Unavailable('The platform hides comments: our login there has no right to personal data')
  return null
}

/** Returns whether an account was opened under a reference, or the unreadable field that may contain it. */
function matchOpening({ Comment, ID }: WireRecord, ref: string): 'ours' | 'other' | 'Comment' | 'ID' {
  if (Comment === ref || ID === ref) return 'ours'
  if (typeof Comment !== 'string') return 'Comment'
  return Comment === '' && typeof ID !== 'string' ? 'ID' : 'other'
}

/**
 * Lists the accounts that were opened since a time and that `known` does not return, group by group; also accounts for
 * which this is unreadable, and each group with an unreadable name.
 */
export async function listOpenedSince(
  caller: Mt5Caller,
  { names, unreadableNames }: ListedGroups,
  from: Date,
  known: Known,
  toOurs: (seconds: number) => number,
): Promise<OpenedAccount[]> {
  const opened: OpenedAccount[] = unreadableNames.map(() => ({ login: null, group: null, comment: null, at: from }))
  for (const group of names)
    for await (const { users, absent, strays } of foreignUsers(caller, group, known)) {
      const unnamed = strays.filter(({ Login }) => !isNumber(Login))
      // A record that names another account may belong to that one; then the record of an absent login is missing.
      const withoutRecord = unnamed.length >= absent.length ? [] : absent
      for (const login of withoutRecord) opened.push({ login, group, comment: null, at: from })
      const records = [...users, ...(withoutRecord.length > 0 ? [] : unnamed.map((user) => [null, user] as const))]
      for (const [login, user] of records) {
        const at = new Date(registeredAt(user, toOurs) ?? from)
        if (at >= from) opened.push({ login, group, comment: openingReference(user), at })
      }
    }
  return opened
}

/** Returns when an account was opened, in our ms; null if it cannot be read. */
function registeredAt(user: WireRecord, toOurs: (seconds: number) => number): number | null {
  const ms = nullIfUnreadable(() => timeOf(user, 'Registration'))
  return ms === null ? null : toOurs(ms / 1000)
}

/**
 * Returns the reference of the account's opening: its comment, or the document number field if a dealer moved it there;
 * null if it cannot be read.
 */
function openingReference({ Comment, ID }: WireRecord): string | null {
  const shown = Comment === '' ? ID : Comment
  return typeof shown === 'string' ? shown : null
}
