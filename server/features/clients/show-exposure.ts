/** The payments of one client, by the definition that overview and reports use (requirements 24.2, 24.4). */
import type { ResponseOf } from '#contract/endpoint.ts'
import { exposureDays, exposureMonths, type getClientExposure as endpoint } from '#contract/office/client-tabs.ts'
import { dayIn, daysAfter, instantIn } from '#rules/dates.ts'
import type { Currency } from '#rules/money.ts'
import type { ClientId } from '#rules/ids.ts'
import { row, rows, sql, type Connection } from '../../db/sql.ts'
import type { Handler } from '../../http/handler.ts'
import { methodNames } from '../../settings/method-names.ts'
import { moneyMoved } from '../reports/queries.ts'
import { requireExistingClient } from './tab-queries.ts'

type CurrencyExposure = ResponseOf<typeof endpoint>['currencies'][number]
type MovementTotals = CurrencyExposure['lifetime']

/** Payments of one client by method and month; `recent` marks those of the last 30 days. */
interface MovementRow extends MovementTotals {
  readonly currency: Currency
  readonly method: string
  readonly month: string
  readonly recent: boolean
  readonly firstAt: Date
  readonly lastAt: Date
}

interface LargestRow {
  readonly currency: Currency
  readonly way: 'in' | 'out'
  readonly amount: bigint
  readonly at: Date
}

export const getClientExposure: Handler<typeof endpoint> = async (dependencies, context) => {
  const { pool, settings } = dependencies
  const { now, language } = context
  const id = await requireExistingClient(pool, context.params.id)
  const { timeZone } = await settings.get('firm')
  const found = await movementsByMethod(pool, id, { now, timeZone })
  const largest = await largestOf(pool, id, now)
  const name = await methodNames(dependencies, language)
  const months = await monthsUntil(pool, now, timeZone)
  const currencies = [...Map.groupBy(found, ({ currency }) => currency)].map(([currency, own]): CurrencyExposure => {
    const largestOne = (way: LargestRow['way']) => {
      const one = largest.find((each) => each.currency === currency && each.way === way)
      return one ? { amount: one.amount, at: one.at } : null
    }
    const byMonth = Map.groupBy(own, ({ month }) => month)
    return {
      currency,
      ...lifetimeAndRecent(own),
      methods: [...Map.groupBy(own, ({ method }) => method)].map(([method, ofMethod]) => ({
        method: name(method),
        kept: method,
        ...lifetimeAndRecent(ofMethod),
      })),
      months: months.map((month) => {
        const sum = sumOf(byMonth.get(month) ?? [])
        return { month, in: sum.deposited + sum.returned, out: sum.withdrawn + sum.refunded }
      }),
      firstAt: new Date(Math.min(...own.map(({ firstAt }) => firstAt.getTime()))),
      lastAt: new Date(Math.max(...own.map(({ lastAt }) => lastAt.getTime()))),
      largestDeposit: largestOne('in'),
      largestWithdrawal: largestOne('out'),
    }
  })
  return { readAt: now, currencies }
}

function lifetimeAndRecent(own: readonly MovementRow[]): Pick<CurrencyExposure, 'lifetime' | 'recent'> {
  return { lifetime: sumOf(own), recent: sumOf(own.filter(({ recent }) => recent)) }
}

function sumOf(own: readonly MovementTotals[]): MovementTotals {
  const total = (key: 'deposited' | 'refunded' | 'withdrawn' | 'returned' | 'net') =>
    own.reduce((sum, one) => sum + one[key], 0n)
  const count = (key: 'deposits' | 'withdrawals') => own.reduce((sum, one) => sum + one[key], 0)
  return {
    deposits: count('deposits'),
    deposited: total('deposited'),
    refunded: total('refunded'),
    withdrawals: count('withdrawals'),
    withdrawn: total('withdrawn'),
    returned: total('returned'),
    net: total('net'),
  }
}

const allPayments = (now: Date) =>
  moneyMoved({ from: sql`'-infinity'::timestamptz`, until: sql`${new Date(now.getTime() + 1)}::timestamptz` })

function movementsByMethod(
  connection: Connection,
  clientId: ClientId,
  { now, timeZone }: { now: Date; timeZone: string },
) {
  return rows<MovementRow>(connection)`
    select currency, method, to_char(at at time zone ${timeZone}, 'YYYY-MM') as month,
        at >= ${instantIn(daysAfter(dayIn(now, timeZone), 1 - exposureDays), 0, timeZone)} as recent, min(at) as "firstAt", max(at) as "lastAt",
        sum(deposits)::int as deposits, sum(arrived)::bigint as deposited, sum(refunded)::bigint as refunded,
        sum(withdrawals)::int as withdrawals, sum(debited)::bigint as withdrawn, sum(came_back)::bigint as returned,
        sum(arrived - refunded - debited + came_back)::bigint as net
      from (${allPayments(now)}) m where client_id = ${clientId} group by 1, 2, 3, 4 order by 1, 2, 3`
}

function largestOf(connection: Connection, clientId: ClientId, now: Date) {
  return rows<LargestRow>(connection)`
    select distinct on (currency, way) currency, way, amount, at
      from (${allPayments(now)}) m
        cross join lateral (values ('in', m.deposits, m.arrived), ('out', m.withdrawals, m.debited)) w (way, count, amount)
      where client_id = ${clientId} and count > 0 order by currency, way, amount desc, at`
}

/** Returns the last months of the firm's calendar, oldest first. */
async function monthsUntil(connection: Connection, now: Date, timeZone: string): Promise<string[]> {
  const found = await row<{ months: string[] }>(connection)`
    select array_agg(to_char(date_trunc('month', ${now}::timestamptz at time zone ${timeZone}) - make_interval(months => back), 'YYYY-MM')
        order by back desc) as months from generate_series(0, ${exposureMonths - 1}::int) back`
  return found?.months ?? []
}
