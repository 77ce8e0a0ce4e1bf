/** The data with which an account is opened at MetaTrader 4 (requirements 24.148, ADR 342). */
import { beforeEach, expect, test } from 'vitest'
import { getLiveAccounts, requestAnAccount } from '#contract/accounts.ts'
import { approveAccount } from '#contract/office/account-requests.ts'
import { retryJob } from '#contract/office/records.ts'
import { requireRow, row, run } from '#server/db/sql.ts'
import { call, makeClient, makeStaff, type MadeClient } from '../../../tests/factories.ts'
import { platformForFile } from '../../../tests/for-file.ts'
import { settleOperations } from '../../../tests/funded-account.ts'
import { versionOf } from '../../../tests/version-of.ts'

const place = platformForFile({}, 'MT4')
beforeEach(() => place.platform.turn('reset'))

const body = { requestType: 'live', platform: 'MT4', accType: 'Standard', baseCurrency: 'EUR', leverage: 30 }

/** Requests an account and approves it; the gateway refuses to open it with this code. */
async function refusedOpening(code: string) {
  const client = await makeClient(place.server)
  const { id } = (await call(place.server, requestAnAccount, { as: client, body })).answer
  await place.platform.turn('refuse', { code, path: '/v2/accounts' })
  await approve(id)
  return { client, id }
}

async function approve(id: string): Promise<void> {
  const as = await makeStaff(place.server, ['operations'])
  const version = await versionOf(place.server, 'trading_accounts', id)
  expect((await call(place.server, approveAccount, { as, params: { id }, body: { version } })).status).toBe(200)
  await settleOperations(place.server)
}

/** Returns what the gateway opened for a client. */
async function openedFor(client: MadeClient) {
  const { accounts } = (await call(place.server, getLiveAccounts, { as: client, params: { a: 'all', b: 'all' } }))
    .answer
  expect(accounts).toMatchObject([{ status: 'approved' }])
  return place.platform.read<{ email: string; leverage: number }[]>(`accounts?login=${accounts[0]?.number}`)
}

/** Lets the platform be queried until it is sure that it does not have the account, and sends the opening again. */
async function resend(id: string): Promise<void> {
  const { server } = place
  for (let query = 0; query < 2; query += 1) {
    server.clock.turn(61)
    await settleOperations(server)
  }
  const operation = await requireRow<{ id: string }>(server.dependencies.pool)`
    select id from operations where kind = 'open-account' and record = ${id}`
  const as = await makeStaff(server, ['operations'])
  const params = { source: 'operation', id: operation.id }
  expect((await call(server, retryJob, { as, params, body: { reason: 'Not on the platform' } })).status).toBe(200)
  await settleOperations(server)
}

test('an opening with an unknown outcome is sent again as before, although the client’s data have changed', async () => {
  const { pool } = place.server.dependencies
  const { client, id } = await refusedOpening('timeout')
  await run(pool)`
    update clients set email = ${`new-${client.email}`}, mobile_phone = '+4930111', client_status = 'professional'
      where id = ${client.id}`
  await run(pool)`update trading_accounts set leverage = 20 where id = ${id}`
  await resend(id)
  expect(await openedFor(client)).toMatchObject([{ email: client.email, leverage: 30 }])
  const kept = await row(pool)`select opening_data as "openingData" from trading_accounts where id = ${id}`
  expect(kept).toEqual({ openingData: null })
})

test('an opening that was rejected is sent with the data of its next approval', async () => {
  const { client, id } = await refusedOpening('bad_request')
  const email = `new-${client.email}`
  await run(place.server.dependencies.pool)`update clients set email = ${email} where id = ${client.id}`
  await approve(id)
  expect(await openedFor(client)).toMatchObject([{ email }])
})
