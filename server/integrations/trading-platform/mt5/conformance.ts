/**
 * Conformance checks of a MetaTrader 5 server for our adapter: the server itself and its accounts. They only read,
 * except on an account that was opened for them.
 */
import { randomBytes } from 'node:crypto'
import { ConformanceError, CheckNotRun, requireShape, type ConformanceCheck } from '../../conformance.ts'
import { Rejected } from '../../errors.ts'
import { isZoneOffset } from '../server-clock.ts'
import { noCallCount } from '../../call-counts.ts'
import { Mt5Caller } from './caller.ts'
import {
  requireNotEmpty,
  assertSameLogins,
  assertOnlyLogins,
  type ConformanceRun,
  type Mt5ConformanceOptions,
} from './conformance-run.ts'
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

export function mt5Conformance(options: Mt5ConformanceOptions): {
  checks: readonly (readonly ConformanceCheck[])[]
  /** Returns the checks of an account that was opened for them: its password is changed. */
  ofNewAccount(login: () => string): readonly ConformanceCheck[]
  close(): Promise<void>
} {
  const session = new Mt5Session(options)
  const caller = new Mt5Caller(session, session, noCallCount)
  const ask: ConformanceRun['ask'] = (path, query = {}) => caller.answer({ path, query, kind: 'question' })
  const now = Math.floor((options.now?.() ?? new Date()).getTime() / 1000)
  const run = { options, caller, ask, seen: { now, groups: [], group: '', logins: [] } }
  return {
    checks: [serverChecks(run), [...accountChecks(run), ...historyChecks(run)]],
    ofNewAccount: (login) => [bodyCheck(caller, login)],
    close: () => session.close(),
  }
}

/** Checks by a password that the server reads the values of a body as they were sent (ADR 341). */
function bodyCheck(caller: Mt5Caller, login: () => string): ConformanceCheck {
  return {
    name: 'values of a body',
    async run() {
      const sent = `Cx7\\=|${randomBytes(6).toString('base64url')}`
      const send = (path: string, password: string) =>
        caller.answer({ path, body: { Login: login(), Type: 'main', Password: password }, kind: 'repeatable' })
      const isPassword = async (password: string) => {
        try {
          await send('/api/user/check_password', password)
          return true
        } catch (error) {
          if (error instanceof Rejected && error.reason === 'weak-password') return false
          throw error
        }
      }
      await send('/api/user/change_password', sent)
      if (await isPassword(sent.replace('\\', '')))
        throw new ConformanceError(
          'the server removes a backslash before =, | or \\ from values of a body; trading passwords contain none of these, but names and addresses may',
        )
      if (!(await isPassword(sent))) throw new ConformanceError('the password is not the one that was sent')
    },
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
        const { Time: time } = requireShape(shapes.serverTime, await ask('/api/time/server'), 'time/server')
        seen.now = Number(time.split(' ')[0])
        const ahead = seen.now - now().getTime() / 1000
        const quarters = Math.round(ahead / quarterHourSeconds)
        const off = Math.round(Math.abs(ahead - quarters * quarterHourSeconds))
        const minutes = quarters * 15
        if (!isZoneOffset(minutes * 60_000))
          throw new ConformanceError(`the clock is ${Math.round(minutes / 60)} h off ours`)
        if (off > clockSlackSeconds)
          throw new ConformanceError(`the clock is ${off} s off ours, in addition to its time zone`)
        return `${minutes} minutes from UTC`
      },
    },
    {
      name: 'time/get',
      async run() {
        const { TimeZone: zone } = requireShape(shapes.timeSettings, await ask('/api/time/get'), 'time/get')
        return `time zone of ${zone} minutes`
      },
    },
    {
      name: 'group/list',
      gate: 'list',
      async run() {
        seen.groups = requireShape(shapes.names, (await ask('/api/group/list')) ?? [], 'group/list')
        if (seen.groups.length === 0) throw new ConformanceError('our login has access to no group')
        return `groups: ${seen.groups.length}`
      },
    },
    {
      name: 'group/get',
      async run() {
        const [first = ''] = settingsGroupsFirst(options.groups, seen.groups)
        const { Group: answered } = requireShape(
          shapes.group,
          await ask('/api/group/get', { group: first }),
          'group/get',
        )
        if (answered !== first) throw new ConformanceError('the response is for another group')
        await assertAbsent(() => ask('/api/group/get', { group: absentGroup }), 'a group')
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
        for (const group of settingsGroupsFirst(options.groups, seen.groups).slice(0, groupsTried)) {
          const answer = (await ask('/api/user/logins', { group })) ?? []
          const logins = requireShape(shapes.logins, answer, 'user/logins').toSorted((a, b) => Number(b) - Number(a))
          Object.assign(seen, { group, logins: logins.slice(0, loginsTried) })
          if (logins.length > 0) return
        }
        throw new CheckNotRun('no account in the groups that were tried; open one there with --create')
      },
    },
    {
      name: 'permissions of our login',
      async run() {
        const missing = await missingRights(caller, seen.logins[0] ?? '')
        if (missing.length > 0) throw new ConformanceError(options.rightsText(missing))
        return 'read permissions only; use --write to check permissions to change data'
      },
    },
    {
      name: 'user/get_batch',
      async run() {
        const users = requireShape(
          shapes.users,
          await caller.listOrOne('/api/user/get_batch', { login: login() }),
          'user/get_batch',
        )
        assertSameLogins(users, seen.logins)
        if (users.some(({ Group: group }) => group !== seen.group))
          throw new ConformanceError('a user is in another group')
      },
    },
    {
      name: 'user/get',
      async run() {
        const [one = ''] = seen.logins
        assertSameLogins([requireShape(shapes.user, await ask('/api/user/get', { login: one }), 'user/get')], [one])
        await assertAbsent(() => ask('/api/user/get', { login: absentLogin }), 'an account')
      },
    },
    {
      name: 'user/account/get_batch',
      async run() {
        const answer = await caller.listOrOne('/api/user/account/get_batch', { login: login() })
        const states = requireNotEmpty(
          requireShape(shapes.tradeStates, answer, 'user/account/get_batch'),
          'trade state',
        )
        assertOnlyLogins(states, seen.logins)
      },
    },
    {
      name: 'user/check_balance',
      async run() {
        // Without the flag it corrects nothing (webapi_user_balance_check).
        const query = { login: seen.logins[0] ?? '', fixflag: '0' }
        requireShape(shapes.checkedBalance, await ask('/api/user/check_balance', query), 'user/check_balance')
      },
    },
  ]
}

/** Returns the groups of the settings that the server lists, followed by its others. */
function settingsGroupsFirst(wanted: readonly string[], listed: readonly string[]): string[] {
  return [...new Set([...wanted.filter((name) => listed.includes(name)), ...listed])]
}

/** Throws `ConformanceError` unless the server responds that the object does not exist. */
async function assertAbsent(question: () => Promise<unknown>, what: string): Promise<void> {
  try {
    await question()
  } catch (error) {
    if (error instanceof Rejected && error.reason === 'not-found') return
    throw error
  }
  throw new ConformanceError(`${what} that cannot exist was found`)
}
