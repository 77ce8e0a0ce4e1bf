import type { ResponseOf } from '#contract/endpoint.ts'
import type { approvalsReport, decisionTimesReport, fundingReport } from '#contract/office/records.ts'
import { stateMachines } from '#rules/state-machine-registry.ts'
import type { Currency } from '#rules/money.ts'
import { rows, type Connection } from '../../db/sql.ts'

export interface Period {
  readonly from: Date
  readonly until: Date
  readonly timeZone: string
}

type FundingRow = ResponseOf<typeof fundingReport>['rows'][number]

/**
 * Money that came and went, by the firm's day: deposits when they were credited, and payouts when they were paid. What the
 * card provider took back and payouts that came back have columns of their own, on the day on which it happened: neither
 * is a negative deposit or withdrawal, and what a day said before stays as it was.
 */
export function fundingByDay(connection: Connection, { from, until, timeZone }: Period): Promise<FundingRow[]> {
  return rows<FundingRow>(connection)`with moved as (
        select approved_at as at, currency, method, coalesce(received_minor, amount_minor) as arrived, 0::bigint as refunded, 0::bigint as left_us,
          0::bigint as came_back, 1 as deposits, 0 as withdrawals
          from deposits where state = 'approved' and approved_at >= ${from} and approved_at < ${until}
        union all
        select e.at, d.currency, d.method, 0, -p.minor, 0, 0, 0, 0
          from deposits d join entries e on e.subject = 'deposit' and e.record = d.id and e.kind in ('refunded', 'charged_back')
            join postings p on p.entry_id = e.id and p.minor < 0
          where d.refunded_minor > 0 and d.state = 'approved' and e.at >= ${from} and e.at < ${until}
        union all
        select paid_at, currency, method, 0, 0, amount_minor - fee_minor, 0, 0, 1
          from withdrawals where state in ('paid', 'returned') and paid_at >= ${from} and paid_at < ${until}
        union all
        select returned_at, currency, method, 0, 0, 0, amount_minor - fee_minor, 0, 0
          from withdrawals where state = 'returned' and paid_at is not null and returned_at >= ${from} and returned_at < ${until})
      select to_char(at at time zone ${timeZone}, 'YYYY-MM-DD') as day, currency, method, sum(deposits)::int as deposits,
        sum(arrived)::bigint as deposited, sum(refunded)::bigint as refunded, sum(withdrawals)::int as withdrawals,
        sum(left_us)::bigint as withdrawn, sum(came_back)::bigint as returned,
        sum(arrived - refunded - left_us + came_back)::bigint as net
      from moved group by 1, 2, 3 order by 1, 2, 3`
}

/** Returns the sums of a funding report, by currency. */
export function sumsOf(found: readonly FundingRow[]): ResponseOf<typeof fundingReport>['sums'] {
  const sums = new Map<Currency, ResponseOf<typeof fundingReport>['sums'][number]>()
  for (const { currency, deposited, refunded, withdrawn, returned, net } of found) {
    const sum = sums.get(currency) ?? { currency, deposited: 0n, refunded: 0n, withdrawn: 0n, returned: 0n, net: 0n }
    sums.set(currency, {
      currency,
      deposited: sum.deposited + deposited,
      refunded: sum.refunded + refunded,
      withdrawn: sum.withdrawn + withdrawn,
      returned: sum.returned + returned,
      net: sum.net + net,
    })
  }
  return [...sums.values()].toSorted((a, b) => a.currency.localeCompare(b.currency))
}

/** Returns how long what was decided in the period had waited, by queue. */
export function decisionTimes(connection: Connection, { from, until }: Period) {
  return rows<ResponseOf<typeof decisionTimesReport>['rows'][number]>(connection)`
    with decided as (select kind, extract(epoch from closed_at - created_at) as took, closed_at > due_at as late
        from work_items where closed_at >= ${from} and closed_at < ${until})
      select kind, count(*)::int as decided, count(*) filter (where late)::int as late,
        percentile_cont(0.5) within group (order by took)::int as "medianSeconds",
        percentile_cont(0.9) within group (order by took)::int as "ninetiethSeconds", max(took)::int as "longestSeconds"
      from decided group by kind order by kind`
}

const approving = ['approve', 'confirm', 'match', 'explain', 'reactivate']
const rejecting = ['reject', 'sendBack', 'suspend', 'close', 'askAgain', 'cancel']

interface ApprovalRow {
  id: string
  name: string
  kind: string
  approved: number
  rejected: number
  other: number
}

/** Returns who decided what, and how often. */
export async function approvalsByPerson(
  connection: Connection,
  { from, until }: Period,
): Promise<ResponseOf<typeof approvalsReport>['rows']> {
  const found = await rows<ApprovalRow>(connection)`
    select s.id, s.name, e.kind, count(*) filter (where e.verb = any (${approving}::text[]))::int as approved,
        count(*) filter (where e.verb = any (${rejecting}::text[]))::int as rejected,
        count(*) filter (where not e.verb = any (${[...approving, ...rejecting]}::text[]))::int as other
      from events e join staff s on s.id = e.actor_id
      where e.actor = 'staff' and e.verb <> 'enrol' and e.from_state is not null and e.kind = any (${stateMachines.map((machine) => machine.name)}::text[])
        and e.at >= ${from} and e.at < ${until}
      group by s.id, s.name, e.kind order by lower(s.name), s.id, e.kind`
  return found.map(({ id, name, ...counts }) => ({ staff: { id, name }, ...counts }))
}
