/** Conformance checks of a MetaTrader 5 server's data about the trading of accounts. They only read. */
import { ConformanceError, CheckNotRun, requireShape, type ConformanceCheck } from '../../conformance.ts'
import { Rejected } from '../../errors.ts'
import { requireNotEmpty, assertOnlyLogins, type ConformanceRun } from './conformance-run.ts'
import { dealsBetween, type DealsOf } from './deals.ts'
import { openRecords, ordersPath, positionsPath } from './open-trades.ts'
import * as shapes from './shapes.ts'
import { positionListOf } from './trade-history.ts'

const someHoursSeconds = 6 * 3600
const daySeconds = 86_400
const monthSeconds = 30 * daySeconds
const someDaysSeconds = 3 * daySeconds
/** Reports of a day's end are made at most this long before midnight. */
const dayEndSeconds = 300

/** Returns the checks of deals, daily reports, positions and orders, for the accounts that were found. */
export function historyChecks(run: ConformanceRun): ConformanceCheck[] {
  const { caller, ask, seen } = run
  const login = () => seen.logins.join(',')
  const deals = async (whose: DealsOf, from: number) => {
    const found = await skipIfForbidden(() => dealsBetween(caller, whose, from, seen.now))
    const shown = requireShape(shapes.deals, found, 'deal/get_batch')
    const isStray = shown.some(({ Time: time }) => Number(time) < from || Number(time) > seen.now)
    if (isStray) throw new ConformanceError('a deal is not in the requested period')
    return shown
  }
  return [
    {
      name: 'deal/get_batch by login',
      async run() {
        assertOnlyLogins(
          requireNotEmpty(await deals({ login: login() }, seen.now - monthSeconds), 'deal of 30 days'),
          seen.logins,
        )
      },
    },
    {
      name: 'deal/get_batch by group',
      async run() {
        requireNotEmpty(await deals({ group: seen.group }, seen.now - someHoursSeconds), 'deal of six hours')
      },
    },
    {
      name: 'deal/get_total',
      async run() {
        const query = { login: seen.logins[0] ?? '', from: String(seen.now - monthSeconds), to: String(seen.now) }
        requireShape(shapes.total, await skipIfForbidden(() => ask('/api/deal/get_total', query)), 'deal/get_total')
      },
    },
    {
      name: 'deal/get_page',
      async run() {
        const [from, to] = [seen.now - monthSeconds, seen.now].map(String) as [string, string]
        const query = { login: seen.logins[0] ?? '', from, to, offset: '0', total: '10' }
        const answer = await skipIfForbidden(() => ask('/api/deal/get_page', query))
        requireNotEmpty(requireShape(shapes.deals, answer ?? [], 'deal/get_page'), 'deal of 30 days')
      },
    },
    {
      name: 'daily/get_light_batch',
      async run() {
        const query = { login: login(), from: String(seen.now - someDaysSeconds), to: String(seen.now) }
        const answer = await skipIfForbidden(() => caller.listOrOne('/api/daily/get_light_batch', query))
        const reports = requireNotEmpty(
          requireShape(shapes.dailyReports, answer, 'daily/get_light_batch'),
          'report of three days',
        )
        assertOnlyLogins(reports, seen.logins)
        assertReportsAtDayEnd(reports.map(({ DatetimePrev: previous }) => Number(previous)))
      },
    },
    {
      name: 'daily/get_batch',
      run: () => checkFullReports(run),
    },
    {
      name: 'position/get_total',
      async run() {
        const answer = await skipIfForbidden(() => ask('/api/position/get_total', { login: seen.logins[0] ?? '' }))
        requireShape(shapes.total, answer, 'position/get_total')
      },
    },
    {
      name: 'position/get_batch',
      async run() {
        const shown = requireShape(shapes.positions, await openByBody(run, positionsPath), 'position/get_batch')
        assertOnlyLogins(requireNotEmpty(shown, 'open position'), seen.logins)
      },
    },
    {
      name: 'order/get_batch',
      async run() {
        const shown = requireShape(shapes.orders, await openByBody(run, ordersPath), 'order/get_batch')
        assertOnlyLogins(requireNotEmpty(shown, 'pending order'), seen.logins)
      },
    },
  ]
}

/**
 * Returns open positions or pending orders of the accounts, read by an array in the body like the adapter does. Throws
 * `ConformanceError` if it omits an account that the list in the address shows.
 */
async function openByBody({ caller, seen }: ConformanceRun, path: string): Promise<Record<string, unknown>[]> {
  const found = await skipIfForbidden(() => openRecords(caller, path, seen.logins))
  const byAddress = await caller.listOrOne(path, { login: seen.logins.join(',') })
  const logins = new Set(found.map(({ Login: login }) => login))
  if (byAddress.some(({ Login: login }) => !logins.has(login)))
    throw new ConformanceError('an array of logins in the body returns fewer accounts than a list in the address')
  return found
}

/**
 * Throws `ConformanceError` if no report was made in the last minutes of the server's day (imtconservertrade:
 * OvernightTime and OvernightMode are settings of the server). An account's first report may have no time of one before
 * it.
 */
function assertReportsAtDayEnd(seconds: readonly number[]): void {
  const known = seconds.filter((one) => one > 0)
  const [first] = known
  if (first === undefined || known.some((one) => daySeconds - (one % daySeconds) <= dayEndSeconds)) return
  const time = new Date(first * 1000).toISOString().slice(11, 16)
  throw new ConformanceError(
    `reports are created at ${time} by the server's clock, not at the end of the day: if there are later deals, the reports contradict our data and the statement is not created`,
  )
}

/**
 * Checks that full reports list positions under a name that the adapter reads. A position that is open now and was
 * opened before the report before the last one must be in the last.
 */
async function checkFullReports({ caller, seen }: ConformanceRun): Promise<string> {
  const logins = { login: seen.logins.join(',') }
  const query = { ...logins, from: String(seen.now - someDaysSeconds), to: String(seen.now) }
  const answer = await skipIfForbidden(() => caller.listOrOne('/api/daily/get_batch', query))
  const reports = requireNotEmpty(requireShape(shapes.dailyReports, answer, 'daily/get_batch'), 'report of three days')
  assertOnlyLogins(reports, seen.logins)
  const listed = answer.flatMap((report) => positionListOf(report) ?? [])
  const found = listed.find(({ list }) => list.length > 0)
  if (found !== undefined) {
    requireShape(
      shapes.reportedPositions,
      listed.flatMap(({ list }) => list),
      `daily/get_batch: ${found.name}`,
    )
    return `positions in ${found.name}`
  }
  const open = await skipIfForbidden(() => caller.listOrOne('/api/position/get_batch', logins))
  const isMissing = open.some(({ Login: login, TimeCreate: opened }) =>
    reports.some(({ Login: of, DatetimePrev: previous }) => of === login && Number(opened) < Number(previous)),
  )
  if (!isMissing)
    throw new CheckNotRun('the server responds, but no report has a position whose fields could be checked')
  const others = new Set(
    answer.flatMap((report) => Object.keys(report).filter((name) => typeof report[name] === 'object')),
  )
  const seenIn = others.size === 0 ? 'no field is a list' : `its lists are ${[...others].join(', ')}`
  throw new ConformanceError(
    `the report lists no open positions under PositionAdd or Positions (${seenIn}); statements use those first read after the end of the month`,
  )
}

/** Runs a query if our permissions allow it; missing permissions have their own check. */
async function skipIfForbidden<Answer>(question: () => Promise<Answer>): Promise<Answer> {
  try {
    return await question()
  } catch (error) {
    if (error instanceof Rejected && error.reason === 'no-permission')
      throw new CheckNotRun('our login is missing the permission')
    throw error
  }
}
