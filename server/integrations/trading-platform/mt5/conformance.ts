/** Conformance checks of a MetaTrader 5 server for our adapter: the server itself and its accounts. They only read. */
import { Differs, NotTried, shaped, type ConformanceCheck } from '../../conformance.ts'
import { Rejected } from '../../errors.ts'
import { uncounted } from '../../call-counts.ts'
import { Mt5Caller } from './caller.ts'
import { notEmpty, sameLogins, within, type ConformanceRun, type Mt5ConformanceOptions } from './conformance-run.ts'
import { historyChecks } from './history-conformance.ts'
import { missingRights } from './rights.ts'
import { Mt5Session } from './session.ts'
import * as shapes from './shapes.ts'

const quarterHourSeconds = 900
/** How far the difference between the server's clock and ours may be from a whole quarter of an hour. */
const clockSlackSeconds = 60
const groupsTried = 5
const loginsTried = 3
const absentLogin = '999999999'
const absentGroup = 'conformance-no-such-group'
/** No time zone has a larger offset from UTC. */
const zoneMinutesMax = 14 * 60

export function mt5Conformance(options: Mt5ConformanceOptions): {
  checks: readonly (readonly ConformanceCheck[])[]
  close(): Promise<void>
} {
  const session = new Mt5Session(options)
  const caller = new Mt5Caller(session, session, uncounted)
  const ask: ConformanceRun['ask'] = (path, query = {}) => caller.answer({ path, query, kind: 'question' })
  const now = Math.floor((options.now?.() ?? new Date()).getTime() / 1000)
  const run = { options, caller, ask, seen: { now, groups: [], group: '', logins: [] } }
  return {
    checks: [serverChecks(run), [...accountChecks(run), ...historyChecks(run)]],
    close: () => session.close(),
  }
}

function serverChecks({ options, ask, seen }: ConformanceRun): ConformanceCheck[] {
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
        if (Math.abs(minutes) > zoneMinutesMax) throw new Differs(`the clock is ${Math.round(minutes / 60)} h off ours`)
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
        return `groups: ${seen.groups.length}`
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

function accountChecks({ options, caller, ask, seen }: ConformanceRun): ConformanceCheck[] {
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
