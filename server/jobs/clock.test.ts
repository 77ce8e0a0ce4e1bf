/**
 * The effects of a clock that jumps, a night that is an hour shorter or longer, and the start of a day (requirements
 * 33.10, 33.11).
 */
import { describe, expect, test } from 'vitest'
import { currentUser, login } from '#contract/users-session.ts'
import { dayIn, isoDay, minuteMs } from '#rules/dates.ts'
import { row, sql, transaction } from '#server/db/sql.ts'
import { call, goodPassword, makeClient } from '#tests/factories.ts'
import { serverForFile } from '#tests/for-file.ts'
import { encryptedPassword } from '#tests/passwords.ts'
import { newEmail, registerAndConfirm, sendStep } from '#tests/registering.ts'
import { currentCount, enforceLimit, type Bucket } from '../http/rate-limits.ts'
import { isDailyRunDue } from './daily-schedule.ts'
import { createTotpSecret, stepOfCode, currentTotpCode, consumeTotpStep } from '../auth/totp.ts'
import { reconciliationTasks } from '../features/reconciliation/jobs.ts'
import { retentionTasks } from '../features/retention/jobs.ts'

const daySeconds = 86_400
const atFirst = new Date('2026-06-18T22:50:00Z')
const server = serverForFile({ now: atFirst })

const later = (seconds: number, from = server.clock.now()) => new Date(from.getTime() + seconds * 1000)

describe('a clock that jumps (requirements 33.10)', () => {
  test('by a day in either direction ends sessions early but never late, and clients can log in again', async () => {
    const client = await makeClient(server)
    const status = async (token: string) => (await call(server, currentUser, { as: token })).status
    const before = server.clock.now()
    server.clock.turn(daySeconds)
    expect(await status(client.token)).toBe(401)
    server.clock.set(later(-daySeconds, before))
    expect(await status(client.token)).toBe(401)
    const body = { email: client.email, password: await encryptedPassword(server, goodPassword) }
    const { token = '' } = (await call(server, login, { body })).answer
    expect(await status(token)).toBe(200)
    server.clock.set(before)
    expect([await status(token), await status(client.token)]).toEqual([401, 200])
  })

  test('does not affect one-time codes, each of which is valid once and for 30 seconds either way, even after a day is set back', async () => {
    const client = await makeClient(server)
    const owner = { table: 'clients', id: client.id } as const
    const { keys, pool } = server.dependencies
    const { sealed } = createTotpSecret(keys, owner, client.email, 'Portal')
    const now = server.clock.now()
    const { code } = currentTotpCode(keys, owner, sealed, now)
    const stepAt = (seconds: number) => stepOfCode(keys, owner, sealed, code, later(seconds, now))
    const step = stepAt(0)
    expect([600, 61, 30, -30, -61, -600].map(stepAt)).toEqual([null, null, step, step, null, null])
    const use = (one: bigint) => transaction(pool, (tx) => consumeTotpStep(tx, owner, one))
    expect([await use(step ?? 0n), await use(step ?? 0n), await use((step ?? 0n) - 20n)]).toEqual([true, false, false])
    const yesterday = (step ?? 0n) - BigInt(daySeconds / 30)
    expect([await use(yesterday), await use(yesterday), await use(yesterday - 1n)]).toEqual([true, false, false])
  })

  test('back by a day clears rate limits that were reached before', async () => {
    const { pool } = server.dependencies
    const bucket: Bucket = { name: 'jump', who: 'somebody', windowSeconds: 900 }
    const now = server.clock.now()
    const tried = (at: Date) =>
      enforceLimit(pool, bucket, 2, at).then(
        () => 'in',
        () => 'refused',
      )
    const three = async (at: Date) => [await tried(at), await tried(at), await tried(at)]
    expect(await three(now)).toEqual(['in', 'in', 'refused'])
    const yesterday = later(-daySeconds, now)
    expect(await currentCount(pool, bucket, yesterday)).toEqual({ count: 0, secondsLeft: 0 })
    expect(await three(yesterday)).toEqual(['in', 'in', 'refused'])
    expect((await currentCount(pool, bucket, yesterday)).secondsLeft).toBe(900)
    // Servers whose clocks differ slightly count in one window.
    expect(await tried(later(-30, yesterday))).toBe('refused')
  })
})

describe('a daily job (requirements 33.10, 33.11)', () => {
  /** Returns when the daily runs happen between two instants, with servers that check every ten minutes. */
  async function turnsBetween(name: string, from: string, until: string): Promise<Date[]> {
    const done: Date[] = []
    const lastDone = (now: Date) => Promise.resolve(done.findLast((at) => at <= now) ?? null)
    for (let at = new Date(from); at < new Date(until); at = new Date(at.getTime() + 10 * minuteMs))
      if (await isDailyRunDue(server.dependencies, name, lastDone, at)) done.push(at)
    return done
  }

  test.each([
    ['the clocks go forward', '2026-03-27T12:00:00Z', '2026-03-31T12:00:00Z', ['03-28', '03-29', '03-30', '03-31']],
    ['the clocks go back', '2026-10-23T12:00:00Z', '2026-10-27T12:00:00Z', ['10-24', '10-25', '10-26', '10-27']],
    ['29 February', '2028-02-27T12:00:00Z', '2028-03-01T12:00:00Z', ['02-28', '02-29', '03-01']],
    ['the year ends', '2026-12-30T12:00:00Z', '2027-01-02T12:00:00Z', ['12-31', '01-01', '01-02']],
  ])('runs in the first minutes of each of the firm’s days when %s', async (when, from, until, days) => {
    const [, ...turns] = await turnsBetween(when, from, until)
    expect(turns.map((at) => isoDay(dayIn(at, 'Europe/London')).slice(5))).toEqual(days)
    for (const at of turns)
      expect(isoDay(dayIn(new Date(at.getTime() - 10 * minuteMs), 'Europe/London'))).not.toBe(
        isoDay(dayIn(at, 'Europe/London')),
      )
  })

  test('runs again after an hour if the server crashed, and on one server at a time', async () => {
    const never = () => Promise.resolve(null)
    const ask = (at: Date) => isDailyRunDue(server.dependencies, 'died', never, at)
    const now = server.clock.now()
    const asked = await Promise.all([ask(now), ask(now), ask(now)])
    expect(asked.filter(Boolean)).toHaveLength(1)
    expect([await ask(later(3599, now)), await ask(later(3600, now))]).toEqual([false, true])
  })

  test('runs every day even if the clock was ahead for a while', async () => {
    const now = new Date('2026-07-01T10:00:00Z')
    const runs = async () =>
      row<{ compared: number; forgotten: number }>(
        server.dependencies.pool,
        sql`select (select count(*)::int from reconciliations) as compared, (select count(*)::int from retention_runs) as forgotten`,
      )
    const look = async (at: Date) => {
      for (const task of [...reconciliationTasks(server.dependencies), ...retentionTasks(server.dependencies)])
        await task.run(at)
      const found = await runs()
      return [found?.compared, found?.forgotten]
    }
    expect([await look(now), await look(later(600, now))]).toEqual([
      [1, 1],
      [1, 1],
    ])
    expect(await look(later(daySeconds, now))).toEqual([2, 2])
    expect(await look(later(1200, now))).toEqual([2, 2])
    expect(await look(new Date('2026-07-02T00:05:00+01:00'))).toEqual([3, 3])
  })
})

test('a person may register from the first second of their 18th birthday in the firm’s time zone (requirements 33.11)', async () => {
  const token = await registerAndConfirm(server, newEmail())
  await sendStep(server, '1.3', {}, token)
  await sendStep(server, '2.1', { mobilePhone: '+4930901820' }, token)
  const born = () => sendStep(server, '2.2', { birthDay: 19, birthMonth: 6, birthYear: 2008 }, token)
  server.clock.set(new Date('2026-06-18T22:59:59Z'))
  expect((await born()).failure.code).toBe('under-age')
  server.clock.set(new Date('2026-06-18T23:00:00Z'))
  expect((await born()).status).toBe(200)
  server.clock.set(atFirst)
})
