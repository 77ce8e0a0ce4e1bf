/** Conformance checks of a MetaTrader 5 server for our adapter. They only read. */
import { integrationUrl } from '../../address.ts'
import { Differs, NotTried, shaped, type ConformanceCheck } from '../../conformance.ts'
import { Rejected, silentLog } from '../../errors.ts'
import { uncounted } from '../../call-counts.ts'
import { callTimeoutMs } from '../../http-client.ts'
import type { PlatformRight } from '../trading-server.ts'
import { Mt5Caller } from './caller.ts'
import { dealsBetween, type DealsOf } from './deals.ts'
import type { Mt5Options } from './mt5.ts'
import { missingRights } from './rights.ts'
import { Mt5Session } from './session.ts'
import * as shapes from './shapes.ts'
import { positionListOf } from './trade-history.ts'

const quarterHourSeconds = 900
/** How far the difference between the server's clock and ours may be from a whole quarter of an hour. */
const clockSlackSeconds = 60
const groupsTried = 5
const loginsTried = 3
const absentLogin = '999999999'
const absentGroup = 'conformance-no-such-group'
const someHoursSeconds = 6 * 3600
const daySeconds = 86_400
const monthSeconds = 30 * daySeconds
const someDaysSeconds = 3 * daySeconds
/** Reports of a day's end are made at most this long before midnight. */
const dayEndSeconds = 300
/** No time zone has a larger offset from UTC. */
const zoneMinutesMax = 14 * 60

interface Mt5ConformanceOptions extends Mt5Options {
  /** Groups of the settings; accounts are searched in these first. */
  readonly groups: readonly string[]
  /** The text for missing permissions. */
  readonly rightsText: (missing: readonly PlatformRight[]) => string
}

/** The data that the checks collect. */
interface Seen {
  /** Seconds of the server's own clock. */
  now: number
  groups: readonly string[]
  group: string
  logins: readonly string[]
}

type Ask = (path: string, query?: Readonly<Record<string, string>>) => Promise<unknown>

interface Parts {
  readonly options: Mt5ConformanceOptions
  readonly caller: Mt5Caller
  readonly ask: Ask
  readonly seen: Seen
}

export function mt5Conformance(options: Mt5ConformanceOptions): {
  checks: readonly (readonly ConformanceCheck[])[]
  close(): Promise<void>
} {
  const session = new Mt5Session({
    url: integrationUrl(options.url, 'The MT5 address'),
    login: options.login,
    password: options.password,
    timeoutMs: options.timeoutMs ?? callTimeoutMs,
    log: options.log ?? silentLog,
    ...(options.ca !== undefined && { ca: options.ca }),
  })
  const caller = new Mt5Caller(session, session, uncounted)
  const ask: Ask = (path, query = {}) => caller.answer({ path, query, kind: 'question' })
  const now = Math.floor((options.now?.() ?? new Date()).getTime() / 1000)
  const parts = { options, caller, ask, seen: { now, groups: [], group: '', logins: [] } }
  return {
    checks: [serverChecks(parts), [...accountChecks(parts), ...historyChecks(parts)]],
    close: () => session.close(),
  }
}

function serverChecks({ options, ask, seen }: Parts): ConformanceCheck[] {
  const now = options.now ?? (() => new Date())
  return [
    {
      name: 'sign-in',
      gate: 'run',
      async run() {
        await ask('/api/test/access')
      },
    },
    {
      name: 'time/server',
      async run() {
        const { Time: time } = shaped(shapes.serverTime, await ask('/api/time/server'), 'time/server')
        seen.now = Number(time.split(' ')[0])
        const ahead = seen.now - now().getTime() / 1000
        const quarters = Math.round(ahead / quarterHourSeconds)
        const off = Math.round(Math.abs(ahead - quarters * quarterHourSeconds))
        const minutes = quarters * 15
        if (Math.abs(minutes) > zoneMinutesMax)
          throw new Differs(`the clock is ${Math.round(minutes / 60)} hours off ours`)
        if (off > clockSlackSeconds) throw new Differs(`the clock is ${off} s off ours, beside its time zone`)
        return `${minutes} minutes from UTC`
      },
    },
    {
      name: 'time/get',
      async run() {
        const { TimeZone: zone } = shaped(shapes.timeSettings, await ask('/api/time/get'), 'time/get')
        return `time zone of ${zone} minutes`
      },
    },
    {
      name: 'group/list',
      gate: 'list',
      async run() {
        seen.groups = shaped(shapes.names, (await ask('/api/group/list')) ?? [], 'group/list')
        if (seen.groups.length === 0) throw new Differs('our login may use no group')
        return `${seen.groups.length} groups`
      },
    },
    {
      name: 'group/get',
      async run() {
        const [first = ''] = inOrder(options.groups, seen.groups)
        const { Group: answered } = shaped(shapes.group, await ask('/api/group/get', { group: first }), 'group/get')
        if (answered !== first) throw new Differs('it answers for another group')
        await absent(() => ask('/api/group/get', { group: absentGroup }), 'a group')
      },
    },
  ]
}

function accountChecks({ options, caller, ask, seen }: Parts): ConformanceCheck[] {
  const login = () => seen.logins.join(',')
  return [
    {
      name: 'user/logins',
      gate: 'list',
      async run() {
        for (const group of inOrder(options.groups, seen.groups).slice(0, groupsTried)) {
          const answer = (await ask('/api/user/logins', { group })) ?? []
          const logins = shaped(shapes.logins, answer, 'user/logins').toSorted((a, b) => Number(b) - Number(a))
          Object.assign(seen, { group, logins: logins.slice(0, loginsTried) })
          if (logins.length > 0) return
        }
        throw new NotTried('no account in the groups that were tried; open one there with --create')
      },
    },
    {
      name: 'rights of our login',
      async run() {
        const missing = await missingRights(caller, seen.logins[0] ?? '')
        if (missing.length > 0) throw new Differs(options.rightsText(missing))
        return 'reading; those to change something show with --write'
      },
    },
    {
      name: 'user/get_batch',
      async run() {
        const users = shaped(
          shapes.users,
          await caller.listOrOne('/api/user/get_batch', { login: login() }),
          'user/get_batch',
        )
        sameLogins(users, seen.logins)
        if (users.some(({ Group: group }) => group !== seen.group)) throw new Differs('a user is in another group')
      },
    },
    {
      name: 'user/get',
      async run() {
        const [one = ''] = seen.logins
        sameLogins([shaped(shapes.user, await ask('/api/user/get', { login: one }), 'user/get')], [one])
        await absent(() => ask('/api/user/get', { login: absentLogin }), 'an account')
      },
    },
    {
      name: 'user/account/get_batch',
      async run() {
        const answer = await caller.listOrOne('/api/user/account/get_batch', { login: login() })
        const states = notEmpty(shaped(shapes.tradeStates, answer, 'user/account/get_batch'), 'trade state')
        within(states, seen.logins)
      },
    },
    {
      name: 'user/check_balance',
      async run() {
        // Without the flag it corrects nothing (webapi_user_balance_check).
        const query = { login: seen.logins[0] ?? '', fixflag: '0' }
        shaped(shapes.checkedBalance, await ask('/api/user/check_balance', query), 'user/check_balance')
      },
    },
  ]
}

function historyChecks(parts: Parts): ConformanceCheck[] {
  const { caller, ask, seen } = parts
  const login = () => seen.logins.join(',')
  const deals = async (whose: DealsOf, from: number) => {
    const found = await whereAllowed(() => dealsBetween(caller, whose, from, seen.now))
    const shown = shaped(shapes.deals, found, 'deal/get_batch')
    const isStray = shown.some(({ Time: time }) => Number(time) < from || Number(time) > seen.now)
    if (isStray) throw new Differs('a deal is not in the window that was asked for')
    return shown
  }
  return [
    {
      name: 'deal/get_batch by login',
      async run() {
        within(notEmpty(await deals({ login: login() }, seen.now - monthSeconds), 'deal of 30 days'), seen.logins)
      },
    },
    {
      name: 'deal/get_batch by group',
      async run() {
        notEmpty(await deals({ group: seen.group }, seen.now - someHoursSeconds), 'deal of six hours')
      },
    },
    {
      name: 'deal/get_total',
      async run() {
        const query = { login: seen.logins[0] ?? '', from: String(seen.now - monthSeconds), to: String(seen.now) }
        shaped(shapes.total, await whereAllowed(() => ask('/api/deal/get_total', query)), 'deal/get_total')
      },
    },
    {
      name: 'deal/get_page',
      async run() {
        const [from, to] = [seen.now - monthSeconds, seen.now].map(String) as [string, string]
        const query = { login: seen.logins[0] ?? '', from, to, offset: '0', total: '10' }
        const answer = await whereAllowed(() => ask('/api/deal/get_page', query))
        notEmpty(shaped(shapes.deals, answer ?? [], 'deal/get_page'), 'deal of 30 days')
      },
    },
    {
      name: 'daily/get_light_batch',
      async run() {
        const query = { login: login(), from: String(seen.now - someDaysSeconds), to: String(seen.now) }
        const answer = await whereAllowed(() => caller.listOrOne('/api/daily/get_light_batch', query))
        const reports = notEmpty(shaped(shapes.dailyReports, answer, 'daily/get_light_batch'), 'report of three days')
        within(reports, seen.logins)
        reportsAtDayEnd(reports.map(({ DatetimePrev: previous }) => Number(previous)))
      },
    },
    {
      name: 'daily/get_batch',
      run: () => fullReports(parts),
    },
    {
      name: 'position/get_total',
      async run() {
        const answer = await whereAllowed(() => ask('/api/position/get_total', { login: seen.logins[0] ?? '' }))
        shaped(shapes.total, answer, 'position/get_total')
      },
    },
    {
      name: 'position/get_batch',
      async run() {
        const answer = await whereAllowed(() => caller.listOrOne('/api/position/get_batch', { login: login() }))
        within(notEmpty(shaped(shapes.positions, answer, 'position/get_batch'), 'open position'), seen.logins)
      },
    },
    {
      name: 'order/get_batch',
      async run() {
        const answer = await whereAllowed(() => caller.listOrOne('/api/order/get_batch', { login: login() }))
        within(notEmpty(shaped(shapes.orders, answer, 'order/get_batch'), 'pending order'), seen.logins)
      },
    },
  ]
}

/**
 * Throws `Differs` if no report was made in the last minutes of the server's day (imtconservertrade: OvernightTime and
 * OvernightMode are settings of the server). An account's first report may have no time of one before it.
 */
function reportsAtDayEnd(seconds: readonly number[]): void {
  const known = seconds.filter((one) => one > 0)
  const [first] = known
  if (first === undefined || known.some((one) => daySeconds - (one % daySeconds) <= dayEndSeconds)) return
  const time = new Date(first * 1000).toISOString().slice(11, 16)
  throw new Differs(
    `reports are made at ${time} of the server's clock, not at the day's end: with deals after that they contradict ours, and the statement is not created`,
  )
}

/**
 * Checks that full reports list positions under a name that the adapter reads. A position that is open now and was
 * opened before the report before the last one must be in the last.
 */
async function fullReports({ caller, seen }: Parts): Promise<string> {
  const logins = { login: seen.logins.join(',') }
  const query = { ...logins, from: String(seen.now - someDaysSeconds), to: String(seen.now) }
  const answer = await whereAllowed(() => caller.listOrOne('/api/daily/get_batch', query))
  const reports = notEmpty(shaped(shapes.dailyReports, answer, 'daily/get_batch'), 'report of three days')
  within(reports, seen.logins)
  const listed = answer.flatMap((report) => positionListOf(report) ?? [])
  const found = listed.find(({ list }) => list.length > 0)
  if (found !== undefined) {
    shaped(
      shapes.reportedPositions,
      listed.flatMap(({ list }) => list),
      `daily/get_batch: ${found.name}`,
    )
    return `positions in ${found.name}`
  }
  const open = await whereAllowed(() => caller.listOrOne('/api/position/get_batch', logins))
  const isMissing = open.some(({ Login: login, TimeCreate: opened }) =>
    reports.some(({ Login: of, DatetimePrev: previous }) => of === login && Number(opened) < Number(previous)),
  )
  if (!isMissing) throw new NotTried('it answers, but there is no position at a report whose fields could be seen')
  const others = new Set(
    answer.flatMap((report) => Object.keys(report).filter((name) => typeof report[name] === 'object')),
  )
  const seenIn = others.size === 0 ? 'no field is a list' : `its lists are ${[...others].join(', ')}`
  throw new Differs(
    `it lists no open positions as PositionAdd or Positions (${seenIn}); statements take those first read after the month's end`,
  )
}

/** Returns the groups of the settings that the server lists, followed by its others. */
function inOrder(wanted: readonly string[], listed: readonly string[]): string[] {
  return [...new Set([...wanted.filter((name) => listed.includes(name)), ...listed])]
}

/** Throws `Differs` unless the server responds that the object does not exist. */
async function absent(question: () => Promise<unknown>, what: string): Promise<void> {
  try {
    await question()
  } catch (error) {
    if (error instanceof Rejected && error.reason === 'not-found') return
    throw error
  }
  throw new Differs(`${what} that cannot exist is answered`)
}

/** Runs a query if our permissions allow it; missing permissions have their own check. */
async function whereAllowed<Answer>(question: () => Promise<Answer>): Promise<Answer> {
  try {
    return await question()
  } catch (error) {
    if (error instanceof Rejected && error.reason === 'no-permission')
      throw new NotTried('our login has no right to it')
    throw error
  }
}

function notEmpty<Row>(list: readonly Row[], what: string): readonly Row[] {
  if (list.length === 0) throw new NotTried(`it answers, but there is no ${what} whose fields could be seen`)
  return list
}

interface OfLogin {
  readonly Login: string
}

function within(records: readonly OfLogin[], logins: readonly string[]): void {
  if (records.some(({ Login: login }) => !logins.includes(login))) throw new Differs('it answers for another account')
}

function sameLogins(records: readonly OfLogin[], logins: readonly string[]): void {
  within(records, logins)
  if (records.length !== logins.length) throw new Differs('it leaves an account out')
}
