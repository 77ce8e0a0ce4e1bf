import { listDifferences } from '#contract/office/accounting.ts'
import type { DifferenceState } from '#rules/corrections.ts'
import type { DifferenceProposal } from '#rules/differences.ts'
import type { Currency } from '#rules/money.ts'
import type { AccountId, ClientId, DifferenceId, StaffId } from '#rules/ids.ts'
import { empty, row, rows, sql, type Connection } from '../../db/sql.ts'
import { uuidOrNull } from '../../db/ids.ts'
import { amountBetween, listing, whereEquals, type Columns } from '../../office/listing.ts'
import { wordsPattern } from '../../office/lists.ts'
import type { Platform } from '../../dependencies.ts'

export interface ComparedAccount {
  readonly id: AccountId
  readonly clientId: ClientId
  readonly platform: Platform
  readonly login: string
  readonly currency: Currency
  readonly openedAt: Date
}

/** Returns a page of accounts that exist on a platform. */
export function accountsToCompare(
  connection: Connection,
  platforms: readonly Platform[],
  afterId: string | null,
  size: number,
) {
  return rows<ComparedAccount>(connection)`
    select id, client_id as "clientId", platform, login, currency, coalesce(opened_at, requested_at) as "openedAt"
      from trading_accounts where state = 'approved' and login is not null and platform = any (${[...platforms]}::text[])
        ${afterId === null ? empty : sql`and id > ${afterId}::uuid`} order by id limit ${size}`
}

export interface OurOperation {
  readonly ref: string
  readonly state: string
  readonly minor: bigint
  readonly ticket: string | null
  readonly at: Date
  readonly subject: string | null
  readonly record: string | null
}

/** Returns our balance operations of an account since a time, in any state. */
export function operationsOf(
  connection: Connection,
  account: Pick<ComparedAccount, 'platform' | 'login'>,
  since: Date,
) {
  // Two people may have adopted another amount in recovery (requirements 24.143).
  const difference = sql`select p.minor from postings p join entries e on e.id = p.entry_id
    join ledger_accounts l on l.id = p.ledger_account
    where l.kind = 'client' and e.ref = 'deal:' || ${account.platform} || ':' || (o.result -> 'done' ->> 'ticket') || ':difference'`
  return rows<OurOperation>(connection)`
    select ref, state, (payload ->> 'minor')::bigint - coalesce((${difference}), 0) as minor, result -> 'done' ->> 'ticket' as ticket,
        coalesce(settled_at, created_at) as at, subject, record
      from operations o where kind = 'balance' and target = ${`${account.platform}:${account.login}`} and created_at >= ${since}
      order by created_at`
}

export interface DifferenceRow {
  readonly id: DifferenceId
  readonly version: number
  readonly kind: string
  readonly state: DifferenceState
  readonly clientId: ClientId | null
  readonly accountId: AccountId | null
  readonly platform: Platform | null
  readonly login: string | null
  readonly subject: string | null
  readonly record: string | null
  readonly ours: bigint | null
  readonly theirs: bigint | null
  readonly currency: Currency | null
  readonly facts: Record<string, string | number | boolean | null>
  readonly fingerprint: string
  readonly foundAt: Date
  readonly proposal: DifferenceProposal | null
  readonly proposalReason: string | null
  readonly proposedById: StaffId | null
  readonly proposedByName: string | null
  readonly proposedAt: Date | null
  readonly reason: string | null
  readonly decidedById: StaffId | null
  readonly decidedByName: string | null
  readonly decidedAt: Date | null
}

export const differenceColumns: Columns<DifferenceRow> = sql`d.id, d.version, d.kind, d.state, coalesce(a.client_id, (select w.client_id from work_items w
    where w.kind = 'difference' and w.record = d.id limit 1)) as "clientId", d.account_id as "accountId", a.platform, a.login,
  d.subject, d.record, d.ours_minor as ours, d.theirs_minor as theirs, d.currency, d.facts, d.fingerprint,
  d.found_at as "foundAt", d.proposal, d.proposal_reason as "proposalReason", d.proposed_by as "proposedById",
  (select p.name from staff p where p.id = d.proposed_by) as "proposedByName", d.proposed_at as "proposedAt", d.reason, s.id as "decidedById", s.name as "decidedByName", d.decided_at as "decidedAt"`
// Discrepancies with the provider or the bank refer to a request, and the request to its account.
const tables = sql`differences d left join trading_accounts a on a.id = coalesce(d.account_id,
    (select p.account_id from deposits p where d.subject = 'deposit' and p.id = d.record),
    (select w.account_id from withdrawals w where d.subject = 'withdrawal' and w.id = d.record)) left join staff s on s.id = d.decided_by`

/** Returns one discrepancy, or null. */
export function differenceById(connection: Connection, id: DifferenceId) {
  return row<DifferenceRow>(connection)`select ${differenceColumns} from ${tables} where d.id = ${uuidOrNull(id)}::uuid`
}

/** Kinds that a comparison clears automatically once both sides agree. An unrequested deal is decided by people. */
const comparedKinds = ['ledger-only', 'amount-differs', 'balance-differs']

/** Returns the discrepancies of an account that a comparison can clear, as long as no decision is confirmed. */
export function openDifferences(connection: Connection, accountId: AccountId) {
  return rows<DifferenceRow>(connection)`
    select ${differenceColumns} from ${tables} where d.account_id = ${accountId} and d.state in ('open', 'proposed')
      and d.kind = any (${comparedKinds}::text[])`
}

/** Returns when each of these operations was written; deleted ones are absent. */
export async function operationTimes(
  connection: Connection,
  refs: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  const found = await rows<{ ref: string; at: Date }>(connection)`
    select ref, created_at as at from operations where ref = any (${[...refs]}::text[])`
  return new Map(found.map(({ ref, at }) => [ref, at]))
}

/** Returns whether a discrepancy is known: it is open, or a person has settled it. */
export async function isKnown(connection: Connection, fingerprint: string): Promise<boolean> {
  const found = await row<{ known: boolean }>(connection)`
    select exists (select from differences where fingerprint = ${fingerprint} and state <> 'gone') as known`
  return found?.known ?? false
}

/** The listing of discrepancies, newest first; searched by account, kind or details. */
export const differenceListing = listing(listDifferences, {
  name: 'reconciliation',
  tables,
  id: { by: 'd.id', type: 'uuid' },
  sorts: { foundAt: { by: 'd.found_at', type: 'timestamptz' } },
  at: { by: 'd.found_at', type: 'timestamptz' },
  standard: () => ({ sort: 'foundAt', direction: 'desc' }),
  where: ({ state, currency, ...amounts }) => [
    whereEquals('d.state', state),
    whereEquals('d.currency', currency),
    // As in the row; a discrepancy without an amount on either side has no currency.
    ...amountBetween('coalesce(d.theirs_minor, 0) - coalesce(d.ours_minor, 0)', amounts),
  ],
  finds: (words) => sql`(a.login like ${wordsPattern(words)} or lower(d.facts::text) like ${wordsPattern(words)}
    or d.kind like ${wordsPattern(words)})`,
})

interface RunRow {
  readonly at: Date
  /** The number of compared accounts. */
  readonly accounts: number
  readonly unread: number
  readonly differences: number
}

/** Returns the last comparison, or null before the first. */
export function lastRun(connection: Connection) {
  return row<RunRow>(connection)`
    select at, accounts - unread as accounts, unread, differences from reconciliations order by at desc, id desc limit 1`
}

/** Returns when the last daily comparison up to a time was made; those started by staff do not count. */
export async function lastDailyRun(connection: Connection, until: Date): Promise<Date | null> {
  const found = await row<{ at: Date }>(connection)`
    select at from reconciliations where by_staff is null and at <= ${until} order by at desc limit 1`
  return found?.at ?? null
}

/** Returns the ledger's postings to an account around a time. */
export function postingsAround(connection: Connection, accountId: AccountId, from: Date, until: Date) {
  return rows<{ ref: string; kind: string; amount: bigint; at: Date }>(connection)`
    select e.ref, e.kind, -p.minor as amount, e.at from postings p join entries e on e.id = p.entry_id
        join ledger_accounts l on l.id = p.ledger_account
      where l.kind = 'client' and l.trading_account = ${accountId} and e.at between ${from} and ${until}
      order by e.id desc limit 50`
}
