/** The opening of an account that is sent again: its data, and the one account (requirements 24.148, 24.178). */
import { beforeEach, expect, test } from 'vitest'
import { getLiveAccounts, requestAnAccount } from '#contract/accounts.ts'
import { approveAccount } from '#contract/office/account-requests.ts'
import { retryJob } from '#contract/office/records.ts'
import { requireRow, row, run } from '#server/db/sql.ts'
import { setBothClocks } from '../../../tests/both-clocks.ts'
import { call, clientTokenFor, makeClient, makeStaff, type MadeClient } from '../../../tests/factories.ts'
import { platformForFile } from '../../../tests/for-file.ts'
import { settleOperations, type ServerWithPlatform } from '../../../tests/funded-account.ts'
import { versionOf } from '../../../tests/version-of.ts'

const place = platformForFile({}, 'MT4')
const mt5 = platformForFile()
beforeEach(async () => {
  for (const { platform } of [place, mt5]) await platform.turn('reset')
})

const body = { requestType: 'live', platform: 'MT4', accType: 'Standard', baseCurrency: 'EUR', leverage: 30 }

/** Requests an account and approves it; the gateway refuses to open it with this code. */
async function refusedOpening(code: string) {
  const client = await makeClient(place.server)
  const { id } = (await call(place.server, requestAnAccount, { as: client, body })).answer
  await place.platform.turn('refuse', { code, path: '/v2/accounts' })
  await approve(id)
  return { client, id }
}

async function approve(id: string, { server } = place): Promise<void> {
  const as = await makeStaff(server, ['operations'])
  const version = await versionOf(server, 'trading_accounts', id)
  expect((await call(server, approveAccount, { as, params: { id }, body: { version } })).status).toBe(200)
  await settleOperations(server)
}

/** Returns what the gateway opened for a client. */
async function openedFor(client: MadeClient) {
  const { accounts } = (await call(place.server, getLiveAccounts, { as: client, params: { a: 'all', b: 'all' } }))
    .answer
  expect(accounts).toMatchObject([{ status: 'approved' }])
  return place.platform.read<{ email: string; leverage: number }[]>(`accounts?login=${accounts[0]?.number}`)
}

interface Sending extends Pick<ServerWithPlatform, 'server'> {
  beforeSending?(): Promise<unknown>
}

/** Lets the platform be queried until it is sure that it does not have the account, and sends the opening again. */
async function resend(id: string, { server, beforeSending }: Sending = place): Promise<void> {
  for (let query = 0; query < 2; query += 1) {
    server.clock.turn(61)
    await settleOperations(server)
  }
  await beforeSending?.()
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

/**
 * Approves an account whose opening MetaTrader 5 carries out without a response, and which its queries do not show
 * before `appear` is called.
 */
async function hiddenOpening() {
  const { server, platform } = mt5
  const client = await makeClient(server)
  const asked = { ...body, platform: 'MT5' }
  const { id } = (await call(server, requestAnAccount, { as: client, body: asked })).answer
  const before = await loginsOfMt5()
  await platform.turn('drop-after', { path: '/api/user/add' })
  await approve(id, mt5)
  const [login] = (await loginsOfMt5()).filter((one) => !before.includes(one))
  if (login === undefined) throw new Error('MetaTrader 5 opened no account')
  await platform.turn('accounts/delete', { login })
  const appear = () => platform.turn('accounts/restore', { login })
  /** Expects this account to be the client's, and no other one to have been opened. */
  const expectOneAccount = async () => {
    const as = await clientTokenFor(server, client)
    const { accounts } = (await call(server, getLiveAccounts, { as, params: { a: 'all', b: 'all' } })).answer
    expect(accounts).toMatchObject([{ status: 'approved', number: login }])
    expect(await loginsOfMt5()).toHaveLength(before.length + 1)
  }
  return { id, appear, expectOneAccount }
}

async function loginsOfMt5(): Promise<string[]> {
  return (await mt5.platform.read<{ login: string }[]>('accounts')).map(({ login }) => login)
}

test('an opening is not sent again if its account has appeared on the platform since the last query', async () => {
  const { id, appear, expectOneAccount } = await hiddenOpening()
  await resend(id, { ...mt5, beforeSending: appear })
  await expectOneAccount()
})

test('the account of an earlier attempt is found although a later one got no response', async () => {
  await setBothClocks(mt5, '2026-06-01T08:00:00Z')
  const { id, appear, expectOneAccount } = await hiddenOpening()
  await setBothClocks(mt5, '2026-06-01T11:00:00Z')
  await mt5.platform.turn('drop-before', { path: '/api/user/add' })
  await resend(id, mt5)
  await appear()
  mt5.server.clock.turn(61)
  await settleOperations(mt5.server)
  await expectOneAccount()
})
