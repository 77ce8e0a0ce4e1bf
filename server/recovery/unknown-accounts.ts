/**
 * Accounts that were opened at a platform in the lost time and that the database does not have: found by group where the
 * platform lists its accounts, by the operator's list where it does not, and disabled there until staff decide
 * (mechanics section 13, ADR 149). They hold up no channel.
 */
import type { Act } from '../db/events.ts'
import { record } from '../db/events.ts'
import { row, rows, run, sql, type Connection } from '../db/sql.ts'
import { transaction } from '../db/transaction.ts'
import { operationRefPattern } from '../ids.ts'
import { isConnected } from '../office/decide.ts'
import { Rejected, Unavailable } from '../outside/failure.ts'
import type { Parts, Platform } from '../parts.ts'
import { recoveryOf, type Recovery } from './stopped-money.ts'

type Ground = Pick<Parts, 'platforms' | 'jobs' | 'now' | 'config'>

export interface UnknownAccountsReport {
  readonly found: number
  readonly disabled: number
  /** Platforms that gave no answer. */
  readonly unread: readonly Platform[]
  /** Of the operator's list, logins that the platform does not have. */
  readonly absent: readonly string[]
}

interface Unknown {
  readonly platform: Platform
  readonly login: string
  readonly group: string
  readonly openedAt: Date | null
}

const hourMs = 3_600_000

/** Looks for them and disables them. `mt4Logins`: what the operator lists. Does nothing where no recovery is open. */
export async function disableUnknownAccounts(
  parts: Ground,
  { since, mt4Logins }: { readonly since: Date; readonly mt4Logins: readonly string[] },
): Promise<UnknownAccountsReport> {
  const recovery = await recoveryOf(parts.jobs)
  if (!recovery) return { found: 0, disabled: 0, unread: [], absent: [] }
  const unread = new Set<Platform>()
  const absent: string[] = []
  const answered = async <T>(platform: Platform, work: () => Promise<T>): Promise<T | null> => {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error
      unread.add(platform)
      return null
    }
  }
  const found: Unknown[] = []
  if (isConnected(parts, 'MT5')) found.push(...((await answered('MT5', () => openedSince(parts, since))) ?? []))
  const known = await knownLogins(parts.jobs, 'MT4', mt4Logins)
  if (isConnected(parts, 'MT4'))
    for (const login of mt4Logins.filter((one) => !known.has(one))) {
      const group = await answered('MT4', () => groupOf(parts, login))
      if (group === undefined) absent.push(login)
      else if (group) found.push({ platform: 'MT4', login, group, openedAt: null })
    }
  for (const one of found) await keep(parts, recovery, one)
  const disabled = await disableKept(parts, recovery, answered)
  return { found: found.length, disabled, unread: [...unread], absent }
}

/** Accounts that carry a reference of ours and that no request of this database has. */
async function openedSince(parts: Ground, since: Date): Promise<Unknown[]> {
  const opened = await parts.platforms.MT5.accountsOpenedSince(new Date(since.getTime() - hourMs), (logins) =>
    knownLogins(parts.jobs, 'MT5', logins),
  )
  const ours = opened.filter(({ comment }) => operationRefPattern.test(comment))
  const asked = await rows<{ ref: string }>(
    parts.jobs,
    sql`select ref from operations where ref = any (${ours.map(({ comment }) => comment)}::text[])`,
  )
  const pending = new Set(asked.map(({ ref }) => ref))
  return ours
    .filter(({ comment }) => !pending.has(comment))
    .map(({ login, group, at }) => ({ platform: 'MT5', login, group, openedAt: at }))
}

/** The group of an account, or undefined where the platform has none with this number. */
async function groupOf(parts: Ground, login: string): Promise<string | undefined> {
  try {
    return (await parts.platforms.MT4.getAccount(login)).group
  } catch (error) {
    if (error instanceof Rejected && error.reason === 'not-found') return undefined
    throw error
  }
}

async function knownLogins(
  connection: Connection,
  platform: Platform,
  logins: readonly string[],
): Promise<ReadonlySet<string>> {
  const known = await rows<{ login: string }>(
    connection,
    sql`select login from trading_accounts where platform = ${platform} and login = any (${[...logins]}::text[])`,
  )
  return new Set(known.map(({ login }) => login))
}

function keep({ jobs, now }: Ground, recovery: Recovery, one: Unknown): Promise<number> {
  return run(
    jobs,
    sql`insert into recovery_accounts (platform, login, recovery, group_name, opened_at, found_at)
        values (${one.platform}, ${one.login}, ${recovery.id}, ${one.group}, ${one.openedAt}, ${now()})
        on conflict do nothing`,
  )
}

/** Disables what is kept and not yet disabled; a platform that is silent leaves it for the next run. */
async function disableKept(
  parts: Ground,
  recovery: Recovery,
  answered: <T>(platform: Platform, work: () => Promise<T>) => Promise<T | null>,
): Promise<number> {
  const due = await rows<{ platform: Platform; login: string }>(
    parts.jobs,
    sql`select platform, login from recovery_accounts a where disabled_at is null and not exists
          (select from trading_accounts t where t.platform = a.platform and t.login = a.login)`,
  )
  let disabled = 0
  for (const { platform, login } of due) {
    const done = await answered(platform, async () => {
      await parts.platforms[platform].setEnabled(login, false)
      return true
    })
    if (!done) continue
    const act: Act = { acting: { kind: 'recovery' }, now: parts.now(), reference: 'operator' }
    await transaction(parts.jobs, async (tx) => {
      const written = await row(
        tx,
        sql`update recovery_accounts set disabled_at = ${act.now}
            where platform = ${platform} and login = ${login} and disabled_at is null returning login`,
      )
      const details = { platform, login }
      if (written) await record(tx, act, { kind: 'recovery', verb: 'disableAccount', record: recovery.id, details })
    })
    disabled += 1
  }
  return disabled
}

export interface UnknownAccount {
  readonly platform: Platform
  readonly accountNumber: string
  readonly group: string
  readonly openedAt: Date | null
  readonly disabledAt: Date | null
}

/** Those that the database still does not have, the newest last. */
export function unknownAccounts(connection: Connection): Promise<UnknownAccount[]> {
  return rows<UnknownAccount>(
    connection,
    sql`select platform, login as "accountNumber", group_name as "group", opened_at as "openedAt", disabled_at as "disabledAt"
        from recovery_accounts a where not exists
          (select from trading_accounts t where t.platform = a.platform and t.login = a.login)
        order by found_at, platform, login`,
  )
}
