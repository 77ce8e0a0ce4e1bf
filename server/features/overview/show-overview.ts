/**
 * The overview: at most six statements, one for each part, at the same time; a failed part leaves the others intact
 * (requirements 24.5).
 */
import {
  medianDays,
  overviewDays,
  type Flows,
  type Overview,
  type overview as endpoint,
} from '#contract/office/overview.ts'
import { can, canRead } from '#rules/permissions.ts'
import { currencies } from '#rules/money.ts'
import { dayIn, daysAfter, instantIn, isoDay } from '#rules/dates.ts'
import { reviews } from '#rules/reviews.ts'
import { dueTimeOf, type DueTime, type WorkItemKind } from '#rules/work-items.ts'
import type { Handler } from '../../http/handler.ts'
import { configuredIntegrations } from '../../jobs/integration-calls.ts'
import { deciderOf, readableKinds } from '../../office/work-item-access.ts'
import { percentileOf } from '../reports/queries.ts'
import { figuresNow, shownDays, type FigureRow } from './figures.ts'
import { integrationsNow, moneyReadings, decidableItems, openQueues, teamToday } from './queries.ts'

type Part = Overview['failed'][number]

const needsYouMost = 5

export const showOverview: Handler<typeof endpoint> = async (dependencies, context) => {
  const staff = await deciderOf(dependencies, context)
  const { roles } = staff
  const { now } = context
  const { timeZone } = await dependencies.settings.get('firm')
  const { times } = await dependencies.settings.get('sla')
  const kinds = readableKinds(roles)
  const failed: Part[] = []
  const part = async <Value>(name: Part, may: boolean, read: () => Promise<Value>): Promise<Value | null> => {
    if (!may) return null
    try {
      return await read()
    } catch (error) {
      // The rest of the page is still useful; the response names the part that could not be read.
      dependencies.log.error({ err: error, part: name }, 'part of the overview could not be read')
      failed.push(name)
      return null
    }
  }
  const { pool } = dependencies
  const days = { money: 2 * overviewDays, queues: medianDays, funnel: 2 * overviewDays, reviewsBefore: overviewDays }
  const day = dayIn(now, timeZone)
  const today = instantIn(day, 0, timeZone)
  const [figures, open, needed, team, clientMoney, integrations] = await Promise.all([
    part('figures', true, () => figuresNow(dependencies, days, { now, timeZone })),
    part('queues', true, () => openQueues(pool, kinds, now)),
    part('needsYou', can('assign', roles), () => decidableItems(pool, staff, needsYouMost, now)),
    part('team', can('assign', roles), () => teamToday(pool, kinds, { now, today, day: isoDay(day) })),
    part('clientMoney', canRead('clientMoney', roles), () => moneyReadings(pool)),
    part('integrations', canRead('failedJobs', roles), () =>
      integrationsNow(pool, configuredIntegrations(dependencies.config), now),
    ),
  ])
  const [earlier, shown] = periodsOf(shownDays(now, timeZone, 2 * overviewDays).map(isoDay))
  return {
    at: now,
    failed,
    needsYou: needed && needsYouOf(needed, open ?? []),
    queues: open && kinds.map((kind) => queueOf(kind, open, figures ?? [], dueTimeOf(kind, times))),
    money: figures && canRead('deposits', roles) ? moneyOf(figures, shown) : null,
    newClients: figures && canRead('reports', roles) ? newClientsOf(figures, shown, earlier) : null,
    reviews: figures && canRead('documents', roles) ? reviewsOf(figures, isoDay(daysAfter(day, -overviewDays))) : null,
    clientMoney,
    integrations: integrations && integrations.health,
    failedOperations: integrations && integrations.failedOperations,
    team: team && team.map(teamMember),
  }
}

function needsYouOf(
  found: Awaited<ReturnType<typeof decidableItems>>,
  open: Awaited<ReturnType<typeof openQueues>>,
): NonNullable<Overview['needsYou']> {
  const due = open.flatMap(({ nextDue }) => nextDue ?? []).toSorted((a, b) => a.getTime() - b.getTime())
  return {
    total: found[0]?.total ?? 0,
    items: found
      .filter((item) => !item.isSnoozed)
      .map(({ total: _total, isSnoozed: _isSnoozed, clientName, ...item }) => ({
        ...item,
        client: clientName === null ? null : { name: clientName },
      })),
    nextSnoozed: found.find((item) => item.isSnoozed)?.snoozedUntil ?? null,
    nextDue: due[0] ?? null,
  }
}

function teamMember({ id, name, absence, ...counts }: Awaited<ReturnType<typeof teamToday>>[number]) {
  return { staff: id !== null && name !== null ? { id, name, absence } : null, ...counts }
}

type Queue = NonNullable<Overview['queues']>[number]

function queueOf(
  kind: WorkItemKind,
  open: Awaited<ReturnType<typeof openQueues>>,
  figures: readonly FigureRow[],
  target: DueTime | null,
): Queue {
  const found = open.find((one) => one.kind === kind)
  const steps = figures.filter(({ figure, key }) => figure === 'decided' && key === kind)
  const decided = steps.reduce((sum, { count }) => sum + Number(count), 0)
  return {
    kind,
    open: found?.open ?? 0,
    snoozed: found?.snoozed ?? 0,
    overdue: found?.overdue ?? 0,
    oldest: found?.oldest ?? null,
    oldestRecord: found?.oldestRecord ?? null,
    oldestDue: found?.oldestDue ?? null,
    medianSeconds: percentileOf(
      steps.map(({ step, count, minor }) => ({ step, count: Number(count), longest: Number(minor) })),
      0.5,
    ),
    decided,
    target,
  }
}

/** Returns currencies with payments, with each shown day and the sum of the days before. */
function moneyOf(figures: readonly FigureRow[], days: readonly string[]): NonNullable<Overview['money']> {
  const [from = '', to = ''] = [days[0], days.at(-1)]
  const ofCurrency = (currency: string) => figures.filter(({ key }) => key === currency)
  return {
    from,
    to,
    currencies: currencies
      .filter((currency) => ofCurrency(currency).length > 0)
      .map((currency) => {
        const own = ofCurrency(currency)
        return {
          currency,
          days: days.map((day) => {
            const { deposits, refunds, withdrawals, returned } = flowsOf(own.filter((one) => one.day === day))
            return { day, in: deposits.amount + returned.amount, out: withdrawals.amount + refunds.amount }
          }),
          sum: flowsOf(own.filter(({ day }) => day >= from)),
          before: flowsOf(own.filter(({ day }) => day < from)),
        }
      }),
  }
}

function flowsOf(own: readonly FigureRow[]): Flows {
  const of = (name: string) => {
    const found = own.filter(({ figure }) => figure === name)
    return {
      count: found.reduce((sum, { count }) => sum + Number(count), 0),
      amount: found.reduce((sum, { minor }) => sum + minor, 0n),
    }
  }
  const [deposits, refunds, withdrawals, returned] = [of('deposits'), of('refunds'), of('withdrawals'), of('returned')]
  const net = deposits.amount - refunds.amount - withdrawals.amount + returned.amount
  return { deposits, refunds, withdrawals, returned, net }
}

/** Returns the two halves of the days: those of the previous period, and those of the period. */
function periodsOf(days: readonly string[]): [earlier: readonly string[], shown: readonly string[]] {
  return [days.slice(0, overviewDays), days.slice(overviewDays)]
}

function newClientsOf(
  figures: readonly FigureRow[],
  shown: readonly string[],
  earlier: readonly string[],
): NonNullable<Overview['newClients']> {
  return {
    ...funnelOf(figures, shown),
    readAt: figures.find(({ figure, writtenAt }) => figure === 'began' && writtenAt !== null)?.writtenAt ?? null,
    before: funnelOf(figures, earlier),
  }
}

/** Returns the last count of each review, with that of an earlier day. */
function reviewsOf(figures: readonly FigureRow[], before: string): NonNullable<Overview['reviews']> {
  const of = (review: string) => figures.filter(({ figure }) => figure === review).toSorted(byDay)
  const last = (review: string) => of(review).findLast(({ day }) => day !== before)
  const countOf = (row: FigureRow | undefined) => (row ? Number(row.count) : null)
  return {
    readAt: last(reviews[0])?.writtenAt ?? null,
    before,
    rows: reviews.map((review) => ({
      review,
      clients: countOf(last(review)),
      clientsBefore: countOf(of(review).find(({ day }) => day === before)),
    })),
  }
}

function byDay(a: FigureRow, b: FigureRow): number {
  return a.day < b.day ? -1 : 1
}

function funnelOf(figures: readonly FigureRow[], days: readonly string[]) {
  const of = (name: string) =>
    figures
      .filter(({ figure, day }) => figure === name && days.includes(day))
      .reduce((sum, { count }) => sum + Number(count), 0)
  return {
    from: days[0] ?? '',
    to: days.at(-1) ?? '',
    began: of('began'),
    confirmed: of('confirmed'),
    completed: of('completed'),
    documents: of('documents'),
    approved: of('approved'),
    funded: of('funded'),
  }
}
