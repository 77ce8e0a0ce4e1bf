/**
 * The figures of periods, each defined once: overview, reports and client page use these (requirements 24.1 to 24.4).
 */
import type { ResponseOf } from '#contract/endpoint.ts'
import { clientSteps, type approvalsReport, type FunnelStep, type ReportStep } from '#contract/office/reports.ts'
import { stateMachines } from '#rules/state-machine-registry.ts'
import type { WorkItemKind } from '#rules/work-items.ts'
import type { Currency } from '#rules/money.ts'
import { join, rows, sql, type Connection, type Sql } from '../../db/sql.ts'

export interface Period {
  readonly from: Date
  readonly until: Date
  readonly timeZone: string
}

/** A period as SQL expressions. */
export interface PeriodSql {
  readonly from: Sql
  readonly until: Sql
}

type PeriodCondition = (period: PeriodSql) => Sql

const returnedByProvider: PeriodCondition = ({ from, until }) => sql`e.subject = 'deposit' and e.record = d.id
  and e.kind in ('refunded', 'charged_back') and e.at >= ${from} and e.at < ${until}`

/**
 * Corrections that returned a bank transfer. A card’s refund is counted by the provider’s record, not by its
 * correction.
 */
const returnedByCorrection: PeriodCondition = ({ from, until }) => sql`d.type = 'wire' and e.subject = 'correction'
  and e.record = k.id and e.kind = 'correction' and e.at >= ${from} and e.at < ${until}`

/** The deposits `d` and withdrawals `w` that moved money in a period: counted by figures and shown by their lists. */
export const movedWithin = {
  credited: ({ from, until }) => sql`d.state = 'approved' and d.approved_at >= ${from} and d.approved_at < ${until}`,
  refunded: (period) => sql`d.refunded_minor > 0 and d.state = 'approved'
    and (exists (select from entries e where ${returnedByProvider(period)})
      or exists (select from corrections k join entries e on ${returnedByCorrection(period)} where k.deposit_id = d.id))`,
  debited: ({ from, until }) =>
    sql`w.state in ('approved', 'paid', 'returned') and w.approved_at >= ${from} and w.approved_at < ${until}`,
  returned: ({ from, until }) => sql`w.state = 'returned' and w.returned_at >= ${from} and w.returned_at < ${until}`,
} as const satisfies Record<string, PeriodCondition>

/**
 * Returns each payment of a period, the definition of all figures about deposits and withdrawals (requirements 24.2):
 * deposits on the day of their credit, withdrawals on the day of their debit on the platform, with the fee. Refunds to
 * a payer, by the provider or by a correction, and debits that were credited again (returned payouts and reversals)
 * have their own columns, on the day on which they happened: they are not negative deposits or withdrawals, and the
 * figures of earlier days do not change.
 */
export function moneyMoved(period: PeriodSql): Sql {
  return sql`
        select client_id, approved_at as at, currency, method, coalesce(received_minor, amount_minor) as arrived, 0::bigint as refunded,
          0::bigint as debited, 0::bigint as came_back, 1 as deposits, 0 as withdrawals
          from deposits d where ${movedWithin.credited(period)}
        union all
        select d.client_id, e.at, d.currency, d.method, 0, -p.minor, 0, 0, 0, 0
          from deposits d join entries e on ${returnedByProvider(period)}
            join postings p on p.entry_id = e.id
            join ledger_accounts l on l.id = p.ledger_account and l.kind = 'provider'
          where d.state = 'approved'
        union all
        select d.client_id, e.at, d.currency, d.method, 0, -k.amount_minor, 0, 0, 0, 0
          from corrections k join deposits d on d.id = k.deposit_id join entries e on ${returnedByCorrection(period)}
          where k.deposit_id is not null
        union all
        select client_id, approved_at, currency, method, 0, 0, amount_minor, 0, 0, 1
          from withdrawals w where ${movedWithin.debited(period)}
        union all
        select client_id, returned_at, currency, method, 0, 0, 0,
            case when paid_at is null then amount_minor else amount_minor - fee_minor end, 0, 0
          from withdrawals w where ${movedWithin.returned(period)}`
}

/** Steps of a turnaround grow by this factor: the middle of one is within 5 % of its values. */
const stepFactor = 1.1

/** Returns the seconds in the middle of a step. */
function secondsOfStep(step: number): number {
  return Math.round(stepFactor ** (step + 0.5))
}

interface CountedStep {
  readonly step: number
  readonly count: number
  /** The longest turnaround of the step in seconds; 0 in figures that an earlier version wrote. */
  readonly longest: number
}

/**
 * Returns the value below which this share of the counted items lies, within 5 % and never above the longest; null if
 * there are none.
 */
export function percentileOf(counted: readonly CountedStep[], share: number): number | null {
  const all = counted.reduce((sum, { count }) => sum + count, 0)
  let seen = 0
  for (const { step, count } of counted.toSorted((a, b) => a.step - b.step)) {
    seen += count
    if (seen < all * share) continue
    const longest = Math.max(...counted.filter((one) => one.step === step).map((one) => one.longest))
    return longest > 0 ? Math.min(secondsOfStep(step), longest) : secondsOfStep(step)
  }
  return null
}

/**
 * Returns each item decided in a period: its turnaround in seconds and by step, and whether it was late. Decided means
 * closed by a staff member; items that a client cancelled, that expired or that the system settled are not decisions.
 */
export function itemsDecided({ from, until }: PeriodSql): Sql {
  return sql`select at, kind, took, floor(ln(took) / ln(${stepFactor}::numeric))::int as step, late from (
      select closed_at as at, kind, greatest(extract(epoch from closed_at - created_at), 1) as took, closed_at > due_at as late
        from work_items where closed_at >= ${from} and closed_at < ${until} and closed_by is not null) one`
}

/** Conditions that a client `c` has reached a step. */
export const hasReached: Readonly<Record<(typeof clientSteps)[number], Sql>> = {
  confirmed: sql`c.id is not null`,
  completed: sql`c.registered_at is not null`,
  // A document that is rejected or expires empties the time of sending, of approved clients too.
  documents: sql`(c.documents_sent_at is not null or c.approved_at is not null)`,
  approved: sql`c.approved_at is not null`,
  funded: sql`exists (select from deposits d where d.client_id = c.id and d.state = 'approved')`,
}

/** Returns each step that a client who began in the period has reached. */
export function stepsReached(period: PeriodSql): Sql {
  const ofClients = clientSteps.map((step) => sql`(${step}, ${hasReached[step]})`)
  return sql`select b.at, f.figure, b.client_id from (${registrationsBegun(period)}) b
      left join clients c on c.id = b.client_id
      cross join lateral (values ('began', true), ${join(ofClients, ', ')}) f (figure, reached)
      where f.reached`
}

/** Returns the ids of the clients who began in the period and have reached a step: those that its figure counts. */
export function clientsReached(period: PeriodSql, step: FunnelStep): Sql {
  return sql`select s.client_id from (${stepsReached(period)}) s where s.figure = ${step}`
}

/**
 * Returns who began in a period: registrations without decoys and replaced ones, and clients without a registration. Of
 * several registrations of an address, the confirmed one counts, otherwise the last one.
 */
function registrationsBegun({ from, until }: PeriodSql): Sql {
  return sql`select r.created_at as at, r.client_id from registrations r
      where not r.decoy and r.created_at >= ${from} and r.created_at < ${until}
        and (r.client_id is not null or not exists (select from registrations l where l.email = r.email and not l.decoy
          and (l.client_id is not null or l.created_at > r.created_at)))
    union all
    select c.created_at, c.id from clients c where c.created_at >= ${from} and c.created_at < ${until}
      and not exists (select from registrations l where l.client_id = c.id)`
}

const sqlOf = ({ from, until }: Period): PeriodSql => ({
  from: sql`${from}::timestamptz`,
  until: sql`${until}::timestamptz`,
})

export interface FundingRow {
  day: string
  currency: Currency
  method: string
  deposits: number
  deposited: bigint
  refunds: number
  refunded: bigint
  withdrawals: number
  withdrawn: bigint
  returns: number
  returned: bigint
}

/**
 * Returns deposits and withdrawals by the firm's days, weeks or months, each named by its first day within the period.
 */
export function fundingBy(connection: Connection, by: ReportStep, period: Period): Promise<FundingRow[]> {
  const { from, timeZone } = period
  return rows<FundingRow>(connection)`with moved as (${moneyMoved(sqlOf(period))})
      select to_char(greatest(date_trunc(${by}, at at time zone ${timeZone}), ${from}::timestamptz at time zone ${timeZone}), 'YYYY-MM-DD') as day,
        currency, method, sum(deposits)::int as deposits, sum(arrived)::bigint as deposited,
        count(*) filter (where refunded <> 0)::int as refunds, sum(refunded)::bigint as refunded,
        sum(withdrawals)::int as withdrawals, sum(debited)::bigint as withdrawn,
        count(*) filter (where came_back <> 0)::int as returns, sum(came_back)::bigint as returned
      from moved group by 1, 2, 3 order by 1, 2, 3`
}

interface DecidedRow {
  kind: WorkItemKind
  step: number
  count: number
  late: number
  longest: number
}

/** Returns the items decided in the period, by kind and step of their turnaround. */
export function decidedWithin(connection: Connection, period: Period): Promise<DecidedRow[]> {
  return rows<DecidedRow>(connection)`
    select kind, step, count(*)::int as count, count(*) filter (where late)::int as late, round(max(took))::int as longest
      from (${itemsDecided(sqlOf(period))}) d group by kind, step order by kind, step`
}

/** Returns how many of those who began in the period have reached each step until now. */
export function funnelWithin(connection: Connection, period: Period): Promise<{ step: FunnelStep; count: number }[]> {
  return rows<{ step: FunnelStep; count: number }>(connection)`
    select figure as step, count(*)::int as count from (${stepsReached(sqlOf(period))}) f group by figure`
}

const machines: readonly string[] = stateMachines.map((machine) => machine.name)
/** Patterns of verbs: a last balance and its bank account have their own (approveLastBalance, approveWithPayout). */
const approving = ['approve%', 'confirm', 'match', 'explain', 'reactivate']
const rejecting = ['reject%', 'sendBack', 'suspend', 'close', 'askAgain', 'cancel']

/** Condition for an event `e` that is a decision of staff on a record of these kinds. */
export function isDecision(kinds: readonly string[]): Sql {
  return sql`e.actor = 'staff' and e.from_state is not null and e.verb <> 'enrol' and e.kind = any (${[...kinds]}::text[])`
}

interface ApprovalRow {
  id: string
  name: string
  kind: string
  approved: number
  rejected: number
  other: number
  approvedBefore: number
  rejectedBefore: number
  otherBefore: number
}

/** Returns how often each person decided items of these kinds, by decision, in two adjacent periods. */
export async function approvalsByPerson(
  connection: Connection,
  { from, until }: Period,
  earlier: Period,
  kinds: readonly string[],
): Promise<ResponseOf<typeof approvalsReport>['rows']> {
  const now = sql`e.at >= ${from}`
  const before = sql`e.at < ${from}`
  const isApproving = sql`e.verb like any (${approving}::text[])`
  const isRejecting = sql`e.verb like any (${rejecting}::text[])`
  const isOther = sql`not e.verb like any (${[...approving, ...rejecting]}::text[])`
  const count = (which: Sql, when: Sql) => sql`count(*) filter (where ${which} and ${when})::int`
  const found = await rows<ApprovalRow>(connection)`
    select s.id, s.name, e.kind, ${count(isApproving, now)} as approved, ${count(isRejecting, now)} as rejected,
        ${count(isOther, now)} as other, ${count(isApproving, before)} as "approvedBefore",
        ${count(isRejecting, before)} as "rejectedBefore", ${count(isOther, before)} as "otherBefore"
      from events e join staff s on s.id = e.actor_id
      where ${isDecision(machines.filter((name) => kinds.includes(name)))}
        and e.at >= ${earlier.from} and e.at < ${until}
      group by s.id, s.name, e.kind order by lower(s.name), s.id, e.kind`
  return found.map(({ id, name, approvedBefore, rejectedBefore, otherBefore, ...counts }) => ({
    staff: { id, name },
    ...counts,
    before: { approved: approvedBefore, rejected: rejectedBefore, other: otherBefore },
  }))
}
