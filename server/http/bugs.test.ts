import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { changeTradingPassword } from '#contract/accounts.ts'
import { approveCorrection, requestCorrection, reconcileNow } from '#contract/office/accounting.ts'
import { requestCreditCardPayment } from '#contract/deposits.ts'
import { Rejected, Unavailable, Unknown } from '#server/integrations/errors.ts'
import { platformForFile } from '#tests/for-file.ts'
import { makeFundedAccount } from '#tests/funded-account.ts'
import { call, makeClient, makeStaff, type MadeClient } from '#tests/factories.ts'

const logged: string[] = []
const { server } = platformForFile({
  env: { LOG_LEVEL: 'error' },
  logTo: { write: (line) => void logged.push(line) },
})
afterEach(() => {
  vi.restoreAllMocks()
  logged.length = 0
})

let client: MadeClient
let account: { id: string; login: string }
beforeEach(async () => {
  server.clock.turn(61)
  client = await makeClient(server)
  account = await makeFundedAccount(server, client, 100_000n)
})

const bugs = [new TypeError('a bug of ours'), new SyntaxError('a bug of ours'), new RangeError('a bug of ours')]
const failures = [new Unavailable('no answer'), new Unknown('no answer'), new Rejected('not-found', 'mt5:13', 'none')]

async function pendingCorrection(): Promise<string> {
  const body = { accountId: account.id, amount: '250.00', currency: 'EUR', reason: 'booked twice by the bank' }
  return (await call(server, requestCorrection, { as: await makeStaff(server, ['finance']), body })).answer.id
}

async function approve(id: string) {
  const decider = await makeStaff(server, ['finance'])
  return call(server, approveCorrection, { as: decider, params: { id }, body: { version: 1, note: '' } })
}

describe('a failed read from the platform', () => {
  test.each([
    [failures[0], 503, 'platform-unavailable'],
    [failures[1], 503, 'platform-unavailable'],
    [new Rejected('no-permission', 'mt5:8', 'none'), 503, 'platform-unavailable'],
    [failures[2], 409, 'account-not-on-platform'],
  ])('with %o gives %i %s and logs nothing', async (failure, expected, code) => {
    vi.spyOn(server.dependencies.platforms.MT5, 'getAccount').mockRejectedValue(failure)
    const { status, failure: problem } = await approve(await pendingCorrection())
    expect([status, problem.code]).toEqual([expected, code])
    expect(logged).toEqual([])
  })

  test.each(bugs)('with %o is a bug: it gives 500 and is logged', async (bug) => {
    vi.spyOn(server.dependencies.platforms.MT5, 'getAccount').mockRejectedValue(bug)
    const { status, failure } = await approve(await pendingCorrection())
    expect([status, failure.code]).toEqual([500, 'server'])
    expect(logged.join()).toContain(`${bug.name}: a bug of ours`)
    expect(logged.join()).toContain(failure.reference)
  })
})

describe('a failed change of a trading password', () => {
  const change = () =>
    call(server, changeTradingPassword, { as: client, body: { accountId: account.id, password: 'Quince-82!' } })

  test.each([
    [failures[0], 503, 'trading-password-unconfirmed'],
    [failures[1], 503, 'trading-password-unconfirmed'],
    [failures[2], 422, 'platform-refused'],
    [bugs[0], 500, 'server'],
    [bugs[1], 500, 'server'],
  ])('with %o gives %i %s, and only a bug is logged', async (error, status, code) => {
    vi.spyOn(server.dependencies.platforms.MT5, 'setPassword').mockRejectedValue(error)
    const reply = await change()
    expect([reply.status, reply.failure.code]).toEqual([status, code])
    expect(logged.length > 0).toBe(status === 500)
  })
})

describe('the reconciliation', () => {
  test('logs a bug at one account and still compares the others', async () => {
    await makeFundedAccount(server, await makeClient(server), 70_000n)
    const { bulk } = server.dependencies.platforms.MT5
    const read = bulk.readAccounts.bind(bulk)
    vi.spyOn(bulk, 'readAccounts').mockImplementation(async (...asked) => {
      const readings = await read(...asked)
      const getAccount = async (login: string) => {
        if (login === account.login) throw new TypeError('a bug of ours')
        return readings.getAccount(login)
      }
      return { ...readings, getAccount }
    })
    const run = (await call(server, reconcileNow, { as: await makeStaff(server, ['finance']) })).answer
    expect(run).toMatchObject({ unread: 1 })
    expect(logged.join()).toContain('a bug of ours')
    expect(logged.join()).toContain(account.id)
  })

  test('logs nothing if the platform does not respond', async () => {
    vi.spyOn(server.dependencies.platforms.MT5, 'health').mockRejectedValue(new Unavailable('no answer'))
    const { status } = await call(server, reconcileNow, { as: await makeStaff(server, ['finance']) })
    expect([status, logged]).toEqual([503, []])
  })

  test('fails on a bug in the health check of the platform', async () => {
    vi.spyOn(server.dependencies.platforms.MT5, 'health').mockRejectedValue(new TypeError('a bug of ours'))
    const { status } = await call(server, reconcileNow, { as: await makeStaff(server, ['finance']) })
    expect(status).toBe(500)
  })
})

test('a body that is not JSON is rejected as malformed and not logged', async () => {
  const reply = await call(server, requestCreditCardPayment, { as: client, bytes: Buffer.from('{"amount": ') })
  expect([reply.status, reply.failure.code, logged]).toEqual([400, 'malformed', []])
})
