/**
 * Accounts that were opened on a platform in the lost time and that the database does not have: found by group if the
 * platform lists its accounts, otherwise by the operator's list, and disabled there until staff decide (requirements
 * 20.17, ADR 149). They delay no channel.
 */
import { hourMs } from '#rules/dates.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { getRecovery } from '#contract/office/recovery.ts'
import { decimalOf } from '#rules/money.ts'
import { recoveryItemMachine } from '#rules/recovery-items.ts'
import type { RecoveryItemId } from '#rules/ids.ts'
import { applyTransition, recordCreation } from '../db/transition.ts'
import { recordEvent, type AuditContext } from '../db/events.ts'
import { row, rows, run, type Connection, transaction } from '../db/sql.ts'
import { operationRefPattern } from '../db/ids.ts'
import { Rejected, Unavailable } from '../integrations/errors.ts'
import { unreadableAccountOf } from '../integrations/trading-platform/unreadable-records.ts'
import type { PlatformAccount } from '../integrations/trading-platform/trading-server.ts'
import { isConnected, type Dependencies, type Platform } from '../dependencies.ts'
import { knownLogins } from './known-logins.ts'
import type { Recovery } from './stopped-money.ts'

type UnknownAccountsDependencies = Pick<Dependencies, 'platforms' | 'jobs' | 'now' | 'config'>

export interface UnknownAccountsReport {
  readonly found: number
  readonly disabled: number
  /** Platforms that did not respond. */
  readonly unread: readonly Platform[]
  /** Logins of the operator's list that do not exist on the platform. */
  readonly absent: readonly string[]
  /** Accounts that cannot be read and may be among those searched for, in sentences for the operator. */
  readonly problems: readonly string[]
}

/** Returns null if the platform did not respond, or if the account cannot be read. */
type Answered = <T>(platform: Platform, login: string | null, work: () => Promise<T>) => Promise<T | null>

interface Unknown {
  readonly platform: Platform
  readonly login: string
  readonly openedAt: Date | null
  /** The reference of its opening; empty if the operator's list named it. */
  readonly comment: string
}

/**
 * Searches for them and disables them, even after recovery was closed: the operator may learn of an account later.
 * `mt4Logins`: the operator's list. Returns null if this database has never been in recovery.
 */
export async function disableUnknownAccounts(
  parts: UnknownAccountsDependencies,
  { since, mt4Logins }: { readonly since: Date; readonly mt4Logins: readonly string[] },
): Promise<UnknownAccountsReport | null> {
  const recovery = await latestRecovery(parts.jobs)
  if (!recovery) return null
  const unread = new Set<Platform>()
  const absent: string[] = []
  const problems = new Set<string>()
  const answered: Answered = async (platform, login, work) => {
    try {
      return await work()
    } catch (error) {
      if (login !== null && error instanceof Error && unreadableAccountOf(error) !== null)
        problems.add(correctOnPlatformText(`Account ${platform} ${login}: ${error.message}.`))
      else if (error instanceof Unavailable) unread.add(platform)
      else throw error
      return null
    }
  }
  const found: Unknown[] = []
  if (isConnected(parts, 'MT5')) {
    const opened = await answered('MT5', null, () => openedSince(parts, since))
    found.push(...(opened?.found ?? []))
    for (const text of opened?.problems ?? []) problems.add(text)
  }
  const known = await knownLogins(parts.jobs, 'MT4', mt4Logins)
  if (isConnected(parts, 'MT4'))
    for (const login of mt4Logins.filter((one) => !known.has(one))) {
      found.push({ platform: 'MT4', login, openedAt: null, comment: '' })
    }
  const seen = new Set(found.map(({ platform, login }) => `${platform} ${login}`))
  found.push(...(await withDeals(parts)).filter(({ platform, login }) => !seen.has(`${platform} ${login}`)))
  let kept = 0
  for (const one of found) {
    const read = await answered(one.platform, one.login, () => accountAt(parts, one))
    if (read === undefined) absent.push(...(one.platform === 'MT4' ? [one.login] : []))
    else if (read) {
      await storeUnknownAccount(parts, recovery, one, read)
      kept += 1
    }
  }
  await clearKnown(parts)
  const disabled = await disableStored(parts, recovery, answered)
  return { found: kept, disabled, unread: [...unread], absent, problems: [...problems] }
}

/** Returns the open recovery, otherwise the one closed last. */
function latestRecovery(connection: Connection) {
  return row<Pick<Recovery, 'id'>>(connection)`select id from recovery order by closed_at desc nulls first limit 1`
}

function correctOnPlatformText(what: string): string {
  return `${what} Correct it on the platform. Then run recover again.`
}

/**
 * Returns accounts with a reference of ours that no request in this database has, and texts about unreadable accounts
 * that may be among them.
 */
async function openedSince(parts: UnknownAccountsDependencies, since: Date) {
  const opened = await parts.platforms.MT5.accountsOpenedSince(new Date(since.getTime() - hourMs), (logins) =>
    knownLogins(parts.jobs, 'MT5', logins),
  )
  const candidates = opened.filter(({ comment }) => comment === null || operationRefPattern.test(comment))
  const asked = await rows<{ ref: string }>(parts.jobs)`
    select ref from operations where ref = any (${candidates.map(({ comment }) => comment)}::text[])`
  const pending = new Set(asked.map(({ ref }) => ref))
  const [found, problems]: [Unknown[], string[]] = [[], []]
  for (const { login, group, comment, at } of candidates.filter(
    (one) => one.comment === null || !pending.has(one.comment),
  ))
    if (group === null)
      problems.push(
        correctOnPlatformText(
          'A group on MT5 whose name cannot be read: accounts of our clients may have been opened in it.',
        ),
      )
    else if (login === null)
      problems.push(
        correctOnPlatformText(`Group MT5 ${group}, account opened under ${comment ?? '?'}: the number cannot be read.`),
      )
    else if (comment === null)
      problems.push(
        correctOnPlatformText(
          `Account MT5 ${login}: the comment cannot be read. It may have been opened for a client of ours.`,
        ),
      )
    else found.push({ platform: 'MT5', login, comment, openedAt: at })
  return { found, problems }
}

/** Returns accounts of deals that cannot be decided before their account, and that no group or list names. */
async function withDeals(dependencies: UnknownAccountsDependencies): Promise<Unknown[]> {
  const found = await rows<Unknown>(dependencies.jobs)`
    select distinct i.platform, i.login, null::timestamptz as "openedAt", '' as comment from recovery_items i
      where i.kind = 'account-unknown' and i.state = 'open' and not exists
        (select from recovery_items a where a.kind = 'account-found' and a.platform = i.platform and a.login = i.login)
      order by i.platform, i.login`
  return found.filter(({ platform }) => isConnected(dependencies, platform))
}

/** Returns an account as its platform has it, or undefined if there is none with this number. */
async function accountAt(
  { platforms }: UnknownAccountsDependencies,
  { platform, login }: Unknown,
): Promise<PlatformAccount | undefined> {
  try {
    return await platforms[platform].getAccount(login)
  } catch (error) {
    if (error instanceof Rejected && error.reason === 'not-found') return undefined
    throw error
  }
}

/** Stores an account, and writes the finding that two people decide, once. */
function storeUnknownAccount(
  { jobs, now }: UnknownAccountsDependencies,
  recovery: Pick<Recovery, 'id'>,
  one: Unknown,
  read: PlatformAccount,
): Promise<void> {
  const auditContext: AuditContext = { identity: { kind: 'recovery' }, now: now(), reference: 'operator' }
  const { platform, login, openedAt, comment } = one
  const { minor, currency } = read.balance
  return transaction(jobs, async (tx) => {
    await run(tx)`insert into recovery_accounts (platform, login, recovery, group_name, leverage, opened_at, found_at)
        values (${platform}, ${login}, ${recovery.id}, ${read.group}, ${read.leverage}, ${openedAt}, ${auditContext.now})
        on conflict (platform, login) do update set group_name = excluded.group_name, leverage = excluded.leverage`
    // Instead of a deal's ticket: no ticket has this form.
    const written = await row<{ id: RecoveryItemId }>(tx)`
      insert into recovery_items (kind, platform, login, ticket, comment, amount_minor, currency, deal_at, reference,
          leg, subject, found_at)
        values ('account-found', ${platform}, ${login}, ${`account ${login}`}, ${comment}, ${minor}, ${currency},
          ${auditContext.now}, '', '', 'account', ${auditContext.now})
        on conflict (platform, ticket) do nothing returning id`
    if (!written) return
    const summary = { kind: 'account-found', account: login, amount: decimalOf(minor), currency }
    const workItem = { dueAt: auditContext.now, summary }
    await recordCreation(tx, recoveryItemMachine, auditContext, written, 'find', { details: summary, workItem })
  })
}

/** Clears findings of accounts that have a record by now: nothing is left to decide. */
async function clearKnown({ jobs, now }: UnknownAccountsDependencies): Promise<void> {
  const auditContext: AuditContext = { identity: { kind: 'recovery' }, now: now(), reference: 'operator' }
  await transaction(jobs, async (tx) => {
    const known = await rows<{ id: RecoveryItemId }>(tx)`
      select i.id from recovery_items i join trading_accounts t on t.platform = i.platform and t.login = i.login
        where i.kind = 'account-found' and i.state in ('open', 'proposed') order by i.id for update of i`
    for (const { id } of known)
      await applyTransition(tx, recoveryItemMachine, auditContext, { id }, 'clear', { workItem: null })
  })
}

/** Disables stored accounts that are not disabled yet; if a platform does not respond, the next run does it. */
async function disableStored(
  parts: UnknownAccountsDependencies,
  recovery: Pick<Recovery, 'id'>,
  answered: Answered,
): Promise<number> {
  const due = await rows<{ platform: Platform; login: string }>(parts.jobs)`
    select platform, login from recovery_accounts a where disabled_at is null and not exists
      (select from trading_accounts t where t.platform = a.platform and t.login = a.login)`
  let disabled = 0
  for (const { platform, login } of due) {
    const done = await answered(platform, login, async () => {
      await parts.platforms[platform].setEnabled(login, false)
      return true
    })
    if (!done) continue
    const auditContext: AuditContext = { identity: { kind: 'recovery' }, now: parts.now(), reference: 'operator' }
    await transaction(parts.jobs, async (tx) => {
      const written = await row(tx)`update recovery_accounts set disabled_at = ${auditContext.now}
          where platform = ${platform} and login = ${login} and disabled_at is null returning login`
      const details = { platform, login }
      if (written)
        await recordEvent(tx, auditContext, {
          kind: 'recovery',
          action: 'disableAccount',
          record: recovery.id,
          details,
        })
    })
    disabled += 1
  }
  return disabled
}

type UnknownAccount = NonNullable<ResponseOf<typeof getRecovery>['recovery']>['unknownAccounts'][number]

/** Returns the accounts that the database still lacks, newest last. */
export function unknownAccounts(connection: Connection): Promise<UnknownAccount[]> {
  return rows<UnknownAccount>(connection)`select a.platform, a.login as "accountNumber", a.group_name as "group",
        case when a.opened_at is not null then 'group'
          when exists (select from recovery_items d
            where d.kind = 'account-unknown' and d.platform = a.platform and d.login = a.login) then 'deal'
          else 'operator' end as source, a.opened_at as "openedAt",
        a.found_at as "foundAt", a.disabled_at as "disabledAt",
        case when i.id is null then null else json_build_object('id', i.id, 'state', i.state, 'action', i.action) end as item
      from recovery_accounts a
      left join recovery_items i on i.kind = 'account-found' and i.platform = a.platform and i.login = a.login
      where not exists (select from trading_accounts t where t.platform = a.platform and t.login = a.login)
      order by a.found_at, a.platform, a.login`
}
