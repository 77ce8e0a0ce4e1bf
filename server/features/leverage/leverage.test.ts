import { describe, expect, test } from 'vitest'
import { getLiveAccounts, updateAccount } from '#contract/accounts.ts'
import * as office from '#contract/office/leverage-requests.ts'
import type { ClientStatus } from '#rules/choices.ts'
import { rows, run, sql } from '#server/db/sql.ts'
import { brokenInvariants } from '#server/ledger/invariants.ts'
import { platformForFile, staffForFile } from '../../../tests/for-file.ts'
import { makeFundedAccount, settleOperations } from '../../../tests/funded-account.ts'
import { call, makeClient, makeStaff, applySetting, type MadeClient } from '../../../tests/factories.ts'
import { versionOf } from '../../../tests/version-of.ts'

const place = platformForFile()
const { server } = place
const operations = staffForFile(server, ['operations'], { name: 'Tom Reyes' })
const auditor = staffForFile(server, ['auditor'])

interface ReadyClient {
  client: MadeClient
  account: { id: string; login: string }
}

async function readyClient(
  client: ClientStatus = 'professional',
  account: ClientStatus = 'professional',
): Promise<ReadyClient> {
  const made = await makeClient(server, { clientStatus: client })
  const opened = await makeFundedAccount(server, made, 0n)
  await run(
    server.dependencies.pool,
    sql`update trading_accounts set client_status = ${account} where id = ${opened.id}`,
  )
  return { client: made, account: opened }
}

function requestLeverage({ client, account }: ReadyClient, leverage: unknown, as = client) {
  return call(server, updateAccount, { as, body: { accountId: account.id, leverage } })
}

type Decision = typeof office.approveLeverage | typeof office.rejectLeverage
const decide = async (endpoint: Decision, id: string, as = operations, body: object = {}) => {
  const version = await versionOf(server, 'leverage_requests', id)
  return call(server, endpoint, { as, params: { id }, body: { version, ...body } })
}

async function leverageAt(login: string) {
  return (await server.dependencies.platforms.MT5.getAccount(login)).leverage
}

async function shownAccount({ client }: ReadyClient) {
  return (await call(server, getLiveAccounts, { as: client, params: { a: 'all', b: 'approved' } })).answer.accounts[0]
}

describe('a leverage request', () => {
  test('is pending until staff decide and shows old and new leverage; a second request is rejected meanwhile', async () => {
    const ready = await readyClient()
    expect((await requestLeverage(ready, 100)).answer.leverageRequest).toMatchObject({ from: 30, to: 100 })
    expect(await shownAccount(ready)).toMatchObject({ leverage: 30, leverageRequest: { from: 30, to: 100 } })
    const second = await requestLeverage(ready, 200)
    expect([second.status, second.failure.errors['leverage']]).toEqual([
      409,
      'A leverage change for this account is already pending. We will email you our decision.',
    ])
  })

  test('made 20 times simultaneously is recorded once', async () => {
    const ready = await readyClient()
    const replies = await Promise.all(Array.from({ length: 20 }, () => requestLeverage(ready, 50)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(19)
  })

  test.each<[string, unknown, ClientStatus, ClientStatus]>([
    ['of a retail client', 50, 'retail', 'retail'],
    ['of a professional client on a retail account', 500, 'professional', 'retail'],
    ['that changes nothing', 30, 'professional', 'professional'],
    ['for an unknown leverage', 31, 'professional', 'professional'],
    ['as text', '100', 'professional', 'professional'],
    ['below zero', -30, 'professional', 'professional'],
    ['with a fraction', 30.5, 'professional', 'professional'],
  ])('%s is rejected at the field leverage', async (_case, leverage, client, account) => {
    const ready = await readyClient(client, account)
    const reply = await requestLeverage(ready, leverage)
    expect([reply.status, Object.keys(reply.failure.errors)]).toEqual([400, ['leverage']])
    expect(
      await rows(server.dependencies.pool, sql`select id from leverage_requests where client_id = ${ready.client.id}`),
    ).toEqual([])
  })

  test('for another client’s account gets not found', async () => {
    const ready = await readyClient()
    expect((await requestLeverage(ready, 100, await makeClient(server, { clientStatus: 'professional' }))).status).toBe(
      404,
    )
  })
})

describe('a decision on a leverage request', () => {
  async function asked(): Promise<{ ready: ReadyClient; id: string }> {
    const ready = await readyClient()
    return { ready, id: (await requestLeverage(ready, 100)).answer.leverageRequest.id }
  }

  test('to approve sets the leverage on the platform and notifies the client', async () => {
    const { ready, id } = await asked()
    expect((await decide(office.approveLeverage, id)).answer.state).toBe('processing')
    await settleOperations(server)
    expect(await leverageAt(ready.account.login)).toBe(100)
    expect(await shownAccount(ready)).toMatchObject({ leverage: 100, leverageRequest: null })
    expect(
      await rows(server.dependencies.pool, sql`select kind from notices where client_id = ${ready.client.id}`),
    ).toEqual([{ kind: 'leverage-changed' }])
    expect((await decide(office.approveLeverage, id)).status).toBe(409)
  })

  test('is sent again after a lost response until the platform shows the new leverage', async () => {
    const { ready, id } = await asked()
    await place.platform.turn('drop-after', { path: '/api/user/update' })
    await decide(office.approveLeverage, id)
    await settleOperations(server)
    server.clock.turn(30)
    await settleOperations(server)
    expect(await leverageAt(ready.account.login)).toBe(100)
    expect((await shownAccount(ready))?.leverage).toBe(100)
  })

  test('that the platform rejects shows the reason in each reader’s language', async () => {
    const { ready, id } = await asked()
    await place.platform.turn('refuse', { retcode: 10019, path: '/api/user/update' })
    await decide(office.approveLeverage, id)
    await settleOperations(server)
    const reasonIn = async (language: string) => {
      const page = await call(server, office.getLeverageRequest, {
        as: auditor,
        params: { id },
        headers: { 'accept-language': language },
      })
      return [page.answer.request.state, page.answer.request.reason]
    }
    expect(await reasonIn('en')).toEqual(['rejected', 'There were not enough available funds in the account.'])
    expect(await reasonIn('de')).toEqual(['rejected', 'Das verfügbare Guthaben auf dem Konto reichte nicht aus.'])
    expect(await leverageAt(ready.account.login)).toBe(30)
  })

  test('checks the permitted leverage again: a client who has become retail keeps the old one', async () => {
    const { ready, id } = await asked()
    await run(server.dependencies.pool, sql`update clients set client_status = 'retail' where id = ${ready.client.id}`)
    expect((await decide(office.approveLeverage, id)).failure.code).toBe('leverage-over-right')
    const page = await call(server, office.getLeverageRequest, { as: auditor, params: { id } })
    expect(page.answer.request).toMatchObject({ allowed: [30], state: 'pending', from: 30, to: 100 })
    const shownPage = await call(server, office.getLeverageRequest, { as: operations, params: { id } })
    expect(shownPage.answer.request.verbs.find(({ verb }) => verb === 'approve')?.refusal?.code).toBe(
      'leverage-over-right',
    )
    expect(shownPage.answer.request.checks.map(({ code }) => code)).toEqual(['leverage-allowed', 'no-open-positions'])
    // Today's checks are not shown with a request that has been decided.
    await decide(office.rejectLeverage, id, operations, { reason: 'Not now.' })
    const rejected = await call(server, office.getLeverageRequest, { as: auditor, params: { id } })
    expect(rejected.answer.request.checks).toEqual([])
  })

  test('cannot approve while the firm has closed leverage changes, nor can a client request one', async () => {
    const { ready, id } = await asked()
    const other = await readyClient()
    const windDown = await server.dependencies.settings.get('windDown')
    await applySetting(server, 'windDown', { ...windDown, leverage: true })
    expect((await decide(office.approveLeverage, id)).failure.code).toBe('leverage-closed')
    expect((await requestLeverage(other, 100)).failure.code).toBe('leverage-closed')
    await applySetting(server, 'windDown', windDown)
    expect(await leverageAt(ready.account.login)).toBe(30)
    expect((await decide(office.approveLeverage, id)).status).toBe(200)
    await settleOperations(server)
  })

  test('cannot approve while the platform is not connected, and the page names it', async () => {
    const { ready, id } = await asked()
    await run(server.dependencies.pool)`update trading_accounts set platform = 'MT4' where id = ${ready.account.id}`
    const { verbs } = (await call(server, office.getLeverageRequest, { as: operations, params: { id } })).answer.request
    expect(verbs.find(({ verb }) => verb === 'approve')?.refusal?.code).toBe('mt4-not-connected')
    expect((await decide(office.approveLeverage, id)).failure.code).toBe('mt4-not-connected')
    expect((await decide(office.rejectLeverage, id, operations, { reason: 'Not now.' })).status).toBe(200)
  })

  test('that is carried out after the account became retail is reverted on the platform', async () => {
    const { ready, id } = await asked()
    await decide(office.approveLeverage, id)
    await run(
      server.dependencies.pool,
      sql`update trading_accounts set client_status = 'retail' where id = ${ready.account.id}`,
    )
    await settleOperations(server)
    expect(await leverageAt(ready.account.login)).toBe(30)
    expect(await shownAccount(ready)).toMatchObject({ leverage: 30, leverageRequest: null })
    expect(
      await rows(server.dependencies.pool, sql`select kind from notices where client_id = ${ready.client.id}`),
    ).toEqual([])
  })

  test('to reject requires a reason and does not change the platform', async () => {
    const { ready, id } = await asked()
    expect((await decide(office.rejectLeverage, id)).failure.code).toBe('reason-required')
    expect((await decide(office.rejectLeverage, id, operations, { reason: 'Positions are open.' })).answer.state).toBe(
      'rejected',
    )
    expect(await leverageAt(ready.account.login)).toBe(30)
    expect((await requestLeverage(ready, 200)).status).toBe(200)
    const waiting = await call(server, office.listLeverageRequests, { as: operations, query: { size: '100' } })
    expect(waiting.answer.rows.map((one) => one.id)).not.toContain(id)
  })

  test('is refused to an auditor, to a client, and to staff with the client’s email address', async () => {
    const { ready, id } = await asked()
    const self = await makeStaff(server, ['operations'], { email: ready.client.email })
    expect((await decide(office.approveLeverage, id, auditor)).status).toBe(403)
    expect((await decide(office.approveLeverage, id, self)).failure.code).toBe('own-request')
    expect(
      (await call(server, office.approveLeverage, { as: ready.client, params: { id }, body: { version: 1 } })).status,
    ).toBe(401)
  })
})

test('no invariant of money or states is broken after these tests', async () => {
  expect(await brokenInvariants(server.dependencies.jobs, server.clock.now())).toEqual([])
})
