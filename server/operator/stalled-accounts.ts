/** Accounts that cannot be read or are incomplete, for the list of stalled work. */
import { rows, sql, type Connection } from '../db/sql.ts'
import { failedAtOnce, failedTurns, incompleteAccounts } from '../features/trading-history/queries.ts'
import type { UnreadableAccount } from '../integrations/trading-platform/unreadable-records.ts'
import { isOfGroup, readingTurns, unreadableAccounts, type UnreadableParts } from '../ledger/unreadable-accounts.ts'
import { unreadableAccountText, unreadableText, type UnreadableDeals } from '../office/answer-text.ts'
import { letTwoPeopleConfirm } from '../recovery/recover.ts'
import { moreRow, type Stalled } from './stalled-rows.ts'

const namedMax = 20
const incompleteEffect = 'Totals, closed trades and statements of the account are shown as being checked.'
const unreadEffect = 'The account shows its last balances. Requests that need newer ones are rejected.'
const heldEffect = 'Nothing is sent to the account. Its deposits, withdrawals and transfers are pending.'

interface UnreadableRow<Parts> {
  readonly id: string
  readonly platform: string
  readonly login: string
  readonly unreadable: Parts
  readonly nextTryAt: Date | null
  /** How many there are. */
  readonly of: bigint
}

/** Returns a line for each row that was read, and one for those beyond the limit. */
function sickRows<Row extends { readonly of: bigint }>(
  found: readonly Row[],
  what: string,
  entryOf: (row: Row) => Omit<Stalled, 'sick'>,
): Stalled[] {
  const entries = found.map((row) => ({ ...entryOf(row), sick: true }))
  return [...entries, ...moreRow(Number(found[0]?.of ?? 0) - found.length, what)]
}

/** Returns a line for each unreadable group, which is the reason why none of its accounts can be read. */
export async function groupsUnreadable(connection: Connection): Promise<Stalled[]> {
  const found = await rows<{
    platform: string
    odd: UnreadableAccount
    accounts: number
    first: string
    nextTryAt: Date
    of: bigint
  }>(connection)`
    select a.platform, u.odd, count(*)::int as accounts, min(a.login) as first, min(t.at) as "nextTryAt", count(*) over () as of
      from unreadable_accounts u join trading_accounts a on a.id = u.account_id and a.missing_since is null
        join (${readingTurns}) t on t.account_id = a.id
      where ${isOfGroup} group by a.platform, u.odd order by a.platform, u.odd limit ${namedMax}`
  return sickRows(found, 'groups that cannot be read', ({ platform, odd, accounts, first, nextTryAt }) => ({
    what: `group ${platform} ${odd.value ?? ''}, accounts: ${accounts}, one of them ${first}`,
    cause: unreadableAccountText({ record: odd }, 'en'),
    effect: 'Its accounts show their last balances. Nothing is sent to them, and no account is opened in the group.',
    next: nextTryAt.toISOString(),
    action: 'Correct the group on the platform, or let our login read it. Its accounts are then read automatically.',
  }))
}

/** Returns the accounts with unreadable parts (ADR 331), without those of unreadable groups. */
export async function accountsUnreadable(connection: Connection): Promise<Stalled[]> {
  const found = await rows<UnreadableRow<UnreadableParts>>(connection)`
    select a.id::text as id, a.platform, a.login, a.unreadable, a."nextTryAt", count(*) over () as of
      from (${unreadableAccounts(sql`not ${isOfGroup}`)}) a order by a.platform, a.login limit ${namedMax}`
  return sickRows(found, 'accounts that cannot be read', ({ id, platform, login, unreadable, nextTryAt }) => ({
    what: `account ${platform} ${login}`,
    cause: unreadableAccountText(unreadable, 'en'),
    effect: unreadable.deal ? heldEffect : unreadEffect,
    next: nextTryAt?.toISOString() ?? 'none',
    action: `Correct it on the platform, then: npm run operator -- retry ${id}${unreadable.deal?.deal ? `. Or ${letTwoPeopleConfirm}.` : ''}`,
  }))
}

interface NotRead {
  readonly platform: string
  readonly problem: string
  readonly accounts: number
  readonly first: string
  readonly failedAt: Date
  readonly from: Date
  readonly until: Date
}

/** Returns the accounts whose trades could not be read or compared, by the reason. */
export async function accountsNotRead(connection: Connection): Promise<Stalled[]> {
  const found = await rows<NotRead>(connection)`
    select t.platform, coalesce(h.problem, '') as problem, count(*)::int as accounts, min(a.login) as first,
        max(h.failed_at) as "failedAt", min(t.at) as "from", max(t.at) as until
      from (${failedTurns}) t join account_histories h on h.account_id = t.account_id join trading_accounts a on a.id = t.account_id
      group by t.platform, h.problem order by accounts desc, t.platform, h.problem limit ${namedMax}`
  return found.map(({ platform, problem, accounts, first, failedAt, from, until }) => ({
    what: `trades not read on ${platform}, accounts: ${accounts}, one of them ${first}, last tried: ${failedAt.toISOString()}`,
    cause: problem,
    effect:
      'Trades on the account page may be incomplete, and no statement is created for the month in which they are missing.',
    next:
      accounts === 1
        ? from.toISOString()
        : `${failedAtOnce} accounts a minute: the first at ${from.toISOString()}, the last at ${until.toISOString()}`,
    action: 'Check the account on the platform and that our login there may read it.',
    sick: false,
  }))
}

/** Returns the accounts with a deal that cannot be read (ADR 328). */
export async function accountsIncomplete(connection: Connection): Promise<Stalled[]> {
  const found = await rows<UnreadableRow<UnreadableDeals>>(connection)`
    select a.id::text as id, a.platform, a.login, a.unreadable, a."nextTryAt", count(*) over () as of
      from (${incompleteAccounts(sql`true`)}) a order by a.platform, a.login limit ${namedMax}`
  return sickRows(
    found,
    'accounts with a deal that cannot be read',
    ({ id, platform, login, unreadable, nextTryAt }) => ({
      what: `trades of account ${platform} ${login}`,
      cause: unreadableText(unreadable, 'en'),
      effect: incompleteEffect,
      next: nextTryAt?.toISOString() ?? 'none',
      action: `Correct the deal on the platform, then: npm run operator -- retry ${id}`,
    }),
  )
}

/**
 * Returns a line for each group whose accounts get no daily reports, by the last recorded day of its accounts: their
 * day ends are then taken from later readings (ADR 210).
 */
export async function groupsWithoutReports(connection: Connection): Promise<Stalled[]> {
  const found = await rows<{ group: string | null; accounts: number }>(connection)`
    select h.group_name as "group", count(*)::int as accounts from account_histories h
        join trading_accounts a on a.id = h.account_id and a.platform = 'MT5'
        join account_days d on d.account_id = h.account_id and d.day = h.noted_day - 1
      where d.source = 'reading' group by h.group_name order by accounts desc, h.group_name limit ${namedMax}`
  return found.map(({ group, accounts }) => ({
    what: `no daily reports in the MT5 group ${group ?? '(unknown)'}, accounts: ${accounts}`,
    cause:
      'Daily reports are off in the group, its accounts do not have permission for them, or our login may not read them.',
    effect: 'The end of each day on the account page and in statements is the first reading after midnight.',
    next: 'next night',
    action: 'Switch on daily reports for the group and for its accounts on the platform, and let our login read them.',
    sick: false,
  }))
}
