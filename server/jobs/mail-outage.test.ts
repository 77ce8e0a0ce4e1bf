import type { ClientId } from '#rules/ids.ts'
import { afterEach, expect, test } from 'vitest'
import { row, rows, run, sql, transaction } from '#server/db/sql.ts'
import { operationDriver } from '#server/jobs/operations.ts'
import { Rejected, Unavailable } from '#server/integrations/errors.ts'
import { makeClient } from '../../tests/factories.ts'
import { serverForFile } from '../../tests/for-file.ts'
import { mailOperation } from '../mail/mail-operation.ts'
import { sendMail } from '../mail/send-mail.ts'
import { answerText } from '../office/answer-text.ts'

const server = serverForFile()
afterEach(() => {
  ;[isRejected, isAwayFor] = [rejectNone, rejectNone]
  return run(server.dependencies.pool, sql`delete from operations where kind = 'mail'`)
})

/** The addresses that the mail server rejects now; it accepts the mails to all others. */
let isRejected: (address: string) => boolean = () => false
/** The addresses whose mails it cannot take now. */
let isAwayFor: (address: string) => boolean = () => false
const rejectAll = () => true
const rejectNone = () => false
/** The addresses of all attempts. */
const attempts: string[] = []

async function mailTo(to: string, clientId?: ClientId): Promise<void> {
  const mail = { kind: 'client-reactivated', to, language: 'en', facts: {} } as const
  await transaction(server.dependencies.pool, (tx) =>
    sendMail(tx, server.clock.now(), { ...mail, ...(clientId === undefined ? {} : { clientId }) }),
  )
  await deliver()
}

/** Sends due mails, the oldest first, like a sweep. */
async function deliver(): Promise<void> {
  const send = async ({ to }: { to: string }) => {
    attempts.push(to)
    if (isAwayFor(to)) throw new Unavailable('The mail server could not be reached')
    if (isRejected(to)) throw new Rejected('refused', 'smtp:550', 'The mail server answered 550')
  }
  const parts = { ...server.dependencies, mail: { ...server.dependencies.mail, send } }
  await operationDriver(server.dependencies.pool, [mailOperation(parts)], 900, server.clock.now).sweep()
}

const states = async () => {
  const found = await rows<{ to: string; state: string }>(
    server.dependencies.pool,
    sql`select payload ->> 'to' as "to", case when parked_at is null then state else 'parked' end as state
        from operations where kind = 'mail' order by id`,
  )
  return Object.fromEntries(found.map(({ to, state }) => [to, state]))
}

const lastErrors = async () => {
  const found = await rows<{ lastError: string }>(
    server.dependencies.pool,
    sql`select distinct last_error as "lastError" from operations where kind = 'mail'`,
  )
  return found.map(({ lastError }) => lastError)
}

/** Returns the minutes until the next attempt of the mail that is due first. */
const nextInMinutes = async () => {
  const found = await row<{ at: Date | null }>(
    server.dependencies.pool,
    sql`select min(next_try_at) as at from operations where kind = 'mail' and state = 'waiting' and parked_at is null`,
  )
  return found?.at ? (found.at.getTime() - server.clock.now().getTime()) / 60_000 : 0
}

const openItems = async () => {
  const found = await rows(
    server.dependencies.pool,
    sql`select w.id from work_items w join operations o on o.id = w.record
        where w.kind = 'operation' and w.closed_at is null and o.kind = 'mail'`,
  )
  return found.length
}

test('emails to a mailbox that rejects every one are rejected permanently', async () => {
  isRejected = rejectAll
  for (let mail = 0; mail < 4; mail += 1) await mailTo('closed@example.com')
  expect(await states()).toEqual({ 'closed@example.com': 'refused' })
})

test('rejected addresses are rejected permanently if other emails were accepted in between', async () => {
  isRejected = (to) => to.startsWith('closed')
  for (const to of ['closed1@a.example', 'closed2@b.example', 'open@c.example', 'closed3@d.example']) await mailTo(to)
  expect(Object.values(await states())).toEqual(['refused', 'refused', 'done', 'refused'])
})

test('if the mail server rejects every recipient, all emails are kept and sent once it accepts one', async () => {
  const client = await makeClient(server)
  isRejected = rejectAll
  await mailTo(client.email, client.id)
  await mailTo('b@b.example')
  expect([Object.values(await states()), await openItems()]).toEqual([['refused', 'refused'], 1])
  await mailTo('c@c.example')
  await mailTo('d@d.example')
  expect([Object.values(await states()), await openItems()]).toEqual([Array(4).fill('waiting'), 0])
  const errors = await lastErrors()
  expect(errors).toEqual(['The mail server rejects every email. The mail server answered 550'])
  expect(errors.map((error) => answerText(error, 'de'))).toEqual([
    'Der Mailserver lehnt alle E-Mails ab. Antwort des Mailservers: „550“.',
  ])
  server.clock.turn(3600)
  await deliver()
  expect(Object.values(await states())).toEqual(Array(4).fill('waiting'))
  isRejected = rejectNone
  // The next mail is accepted, and the deferred ones follow without waiting for their time.
  await mailTo('e@e.example')
  await deliver()
  expect(Object.values(await states())).toEqual(Array(5).fill('done'))
})

test('a kept email that is rejected again after another was accepted is rejected permanently', async () => {
  isRejected = rejectAll
  for (const to of ['gone@a.example', 'b@b.example', 'c@c.example']) await mailTo(to)
  isRejected = (to) => to.startsWith('gone')
  server.clock.turn(3600)
  await mailTo('d@d.example')
  await deliver()
  expect(await states()).toEqual({
    'gone@a.example': 'refused',
    'b@b.example': 'done',
    'c@c.example': 'done',
    'd@d.example': 'done',
  })
})

test('an email that is rejected for long is retried at growing intervals and then becomes a work item', async () => {
  isRejected = rejectAll
  for (const to of ['a@a.example', 'b@b.example', 'c@c.example']) await mailTo(to)
  const waits: number[] = []
  for (let tries = 1; tries < 20; tries += 1) {
    const minutes = await nextInMinutes()
    waits.push(minutes)
    // Not before its time.
    for (const half of [minutes * 30, minutes * 30]) {
      server.clock.turn(half)
      await deliver()
    }
  }
  expect(waits.slice(0, 8)).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
  expect([Object.values(await states()), await openItems()]).toEqual([Array(3).fill('parked'), 3])
})

/** Delivers a number of times, each time when the next mail is due, and returns the waits in minutes. */
async function deliverWhenDue(times: number): Promise<number[]> {
  const waits: number[] = []
  for (let turn = 0; turn < times; turn += 1) {
    const minutes = await nextInMinutes()
    waits.push(minutes)
    const before = attempts.length
    server.clock.turn(minutes * 30)
    await deliver()
    expect(attempts).toHaveLength(before)
    server.clock.turn(minutes * 30)
    await deliver()
  }
  return waits
}

test('while the mail server cannot be reached, an email is retried at intervals that grow from a second to an hour (requirements 24.295)', async () => {
  isAwayFor = rejectAll
  await mailTo('a@a.example')
  const waits = await deliverWhenDue(14)
  // Up to a fifth more or less, so that emails spread.
  for (const [place, minutes] of waits.entries()) {
    const expected = Math.min(60, 2 ** place / 60)
    expect(minutes).toBeGreaterThanOrEqual(expected * 0.79)
    expect(minutes).toBeLessThanOrEqual(expected * 1.21)
  }
  expect(waits.reduce((sum, minutes) => sum + minutes, 0)).toBeGreaterThan(90)
})

test('all emails of an outage are sent as soon as the server accepts one, also those that became work items (requirements 24.295)', async () => {
  isAwayFor = rejectAll
  await mailTo('a@a.example')
  await deliverWhenDue(19)
  expect([await states(), await openItems()]).toEqual([{ 'a@a.example': 'parked' }, 1])
  await mailTo('b@b.example')
  await deliverWhenDue(10)
  expect(await states()).toEqual({ 'a@a.example': 'parked', 'b@b.example': 'waiting' })
  isAwayFor = rejectNone
  await mailTo('c@c.example')
  await deliver()
  expect(await states()).toEqual({ 'a@a.example': 'done', 'b@b.example': 'done', 'c@c.example': 'done' })
  expect(await openItems()).toBe(0)
})

test('an email that the server cannot take while it accepts others is not sent again with each of them (requirements 24.295)', async () => {
  isAwayFor = (to) => to.startsWith('full')
  await mailTo('full@a.example')
  for (let mail = 0; mail < 3; mail += 1) {
    server.clock.turn(0.01)
    await mailTo(`${mail}@b.example`)
    await deliver()
  }
  // The first attempt, and one after the first email that was accepted.
  expect(attempts.filter((to) => to === 'full@a.example')).toHaveLength(2)
})

test('an email that a server is still sending after two and a half minutes is not sent by another (requirements 24.296)', async () => {
  const began = Promise.withResolvers<void>()
  const confirmed = Promise.withResolvers<void>()
  const send = async () => {
    began.resolve()
    await confirmed.promise
  }
  const parts = { ...server.dependencies, mail: { ...server.dependencies.mail, send } }
  const mail = { kind: 'client-reactivated', to: 'slow@a.example', language: 'en', facts: {} } as const
  await transaction(server.dependencies.pool, (tx) => sendMail(tx, server.clock.now(), mail))
  const sending = operationDriver(server.dependencies.pool, [mailOperation(parts)], 901, server.clock.now).sweep()
  await began.promise
  server.clock.turn(160)
  const before = attempts.length
  await deliver()
  expect(attempts).toHaveLength(before)
  confirmed.resolve()
  await sending
  expect(await states()).toEqual({ 'slow@a.example': 'done' })
})

test('during recovery, emails written before it do not delay the retries of those written since (requirements 24.297)', async () => {
  const { pool } = server.dependencies
  const mail = { kind: 'client-reactivated', language: 'en', facts: {} } as const
  await transaction(pool, async (tx) => {
    for (let old = 0; old < 50; old += 1) await sendMail(tx, server.clock.now(), { ...mail, to: `${old}@old.example` })
  })
  server.clock.turn(1)
  const now = server.clock.now()
  await run(pool, sql`insert into recovery (since, sign, opened_at) values (${now}, 'restored', ${now})`)
  server.clock.turn(1)
  await mailTo('new@a.example')
  expect((await states())['new@a.example']).toBe('done')
  await run(pool, sql`update recovery set accounts_open_at = ${now}, payouts_open_at = ${now}, closed_at = ${now}`)
})
