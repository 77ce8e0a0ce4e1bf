/** Operations whose first answer from the MT4 gateway was `busy` or `timeout` are carried out once (ADR 342). */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { retryJob } from '#contract/office/records.ts'
import { money } from '#rules/money.ts'
import { row, transaction } from '#server/db/sql.ts'
import { call, makeAccount, makeClient, makeStaff, newReference } from '#tests/factories.ts'
import { platformForFile } from '#tests/for-file.ts'
import { platformAccount } from '#tests/platform-account.ts'
import { dealsOf, newOperationRef } from '#tests/trading-platform.ts'
import { balanceOperation, enqueueBalance } from './balance.ts'
import { operationDriver, type OperationKind } from './operations.ts'

const place = platformForFile({}, 'MT4')

/** Writes a credit to a new account, with a driver of it whose result has no effects. */
async function credit() {
  const { server, platform } = place
  const { dependencies, clock } = server
  const client = await makeClient(server)
  const { login } = await dependencies.platforms.MT4.createAccount(platformAccount(newOperationRef(), 'real-std-EUR'))
  const account = await makeAccount(server, client, { login, platform: 'MT4' })
  const kind = balanceOperation(dependencies, { 'deposit-credit': () => Promise.resolve() })
  const driver = operationDriver(dependencies.pool, [kind as OperationKind<never>], 900, clock.now)
  const id = await transaction(dependencies.pool, (tx) =>
    enqueueBalance(tx, dependencies.keys, clock.now(), {
      request: {
        id: randomUUID(),
        clientId: client.id,
        reference: newReference(),
        platform: 'MT4',
        login,
        accountId: account.id,
      },
      subject: 'deposit',
      leg: 'deposit-credit',
      amount: money(100n, 'EUR'),
    }),
  )
  return {
    id,
    /** Drives it when it is due again. */
    async next() {
      clock.turn(61)
      await driver.drive(id)
      return row<{ state: string; isParked: boolean; ticket: string | null }>(dependencies.pool)`
        select state, parked_at is not null as "isParked", result -> 'done' ->> 'ticket' as ticket
          from operations where id = ${id}`
    },
    deals: () => dealsOf(platform, login),
  }
}

/** Sends an operation again on behalf of staff. */
async function resend(id: string): Promise<number> {
  const as = await makeStaff(place.server, ['operations'])
  const params = { source: 'operation', id }
  return (await call(place.server, retryJob, { as, params, body: { reason: 'Not on the platform' } })).status
}

test('`busy`: it is sent again without a person', async () => {
  const operation = await credit()
  await place.platform.turn('refuse', { code: 'busy' })
  expect(await operation.next()).toEqual({ state: 'waiting', isParked: false, ticket: null })
  const done = await operation.next()
  const [deal] = await operation.deals()
  expect(done).toEqual({ state: 'done', isParked: false, ticket: deal?.ticket })
  expect(await operation.deals()).toHaveLength(1)
})

test('`timeout` of an operation that the server applied: it is found and not sent again', async () => {
  const operation = await credit()
  await place.platform.turn('refuse', { code: 'timeout', applied: true })
  expect(await operation.next()).toMatchObject({ state: 'unknown' })
  expect(await operation.next()).toMatchObject({ state: 'done', ticket: (await operation.deals())[0]?.ticket })
  expect(await operation.deals()).toHaveLength(1)
})

test('`timeout` of an operation that the server did not apply: staff send it again, and it is carried out once', async () => {
  const operation = await credit()
  await place.platform.turn('refuse', { code: 'timeout' })
  for (const isParked of [false, false, true])
    expect(await operation.next()).toEqual({ state: 'unknown', isParked, ticket: null })
  expect(await resend(operation.id)).toBe(200)
  const done = await operation.next()
  const [deal] = await operation.deals()
  expect(done).toEqual({ state: 'done', isParked: false, ticket: deal?.ticket })
  expect(await operation.deals()).toHaveLength(1)
})

test('`timeout` of what staff sent again, and the server applied: it is found and not sent a third time', async () => {
  const operation = await credit()
  await place.platform.turn('refuse', { code: 'timeout' })
  for (const isParked of [false, false, true]) expect(await operation.next()).toMatchObject({ isParked })
  expect(await resend(operation.id)).toBe(200)
  await place.platform.turn('refuse', { code: 'timeout', applied: true })
  expect(await operation.next()).toMatchObject({ state: 'unknown' })
  expect(await operation.next()).toMatchObject({ state: 'done', ticket: (await operation.deals())[0]?.ticket })
  expect(await operation.deals()).toHaveLength(1)
})
