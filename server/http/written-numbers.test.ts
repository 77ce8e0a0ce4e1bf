/** Amounts are read exactly as written, and a request may name only its own client (requirements 15.4, 15.8). */
import { beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { portalEndpoints } from '#contract/endpoints.ts'
import { requestCreditCardPayment, requestWirePayment } from '#contract/deposits.ts'
import { requestTransfer } from '#contract/transfers.ts'
import { requestWithdrawal } from '#contract/withdrawals.ts'
import { rows, sql } from '#server/db/sql.ts'
import { platformForFile } from '#tests/for-file.ts'
import { makeApprovedBank, makeFundedAccount } from '#tests/funded-account.ts'
import { call, makeClient, applySetting, type MadeClient } from '#tests/factories.ts'
import { validValue } from '#tests/valid-input.ts'

const place = platformForFile()
let client: MadeClient
let bodies: Map<Endpoint, [field: string, body: Record<string, unknown>]>

beforeAll(async () => {
  const { server } = place
  await applySetting(server, 'rateLimits', {
    ...(await server.dependencies.settings.get('rateLimits')),
    moneyRequestsPerMinute: 1000,
  })
  client = await makeClient(server)
  const source = await makeFundedAccount(server, client, 500_00n)
  const destination = await makeFundedAccount(server, client, 0n)
  const account = { accountPlatform: 'MT5', accountNumber: source.login }
  const deposit = { ...account, depositCurrency: 'EUR' }
  bodies = new Map<Endpoint, [string, Record<string, unknown>]>([
    [requestWirePayment, ['depositAmountSent', { ...deposit, paymentGatewayService: 'bank', depositType: 'wire' }]],
    [
      requestCreditCardPayment,
      [
        'depositAmountSent',
        { ...deposit, paymentGatewayService: 'gcen', depositType: 'cc_gcen', method: 'cc_gcen', ccType: 1 },
      ],
    ],
    [
      requestWithdrawal,
      [
        'withdrawalAmount',
        {
          ...account,
          paymentGatewayService: 'bank',
          withdrawalType: 'wire',
          withdrawalPaymentName: 'Bank Transfer',
          withdrawalCurrency: 'EUR',
          bankId: await makeApprovedBank(server, client),
        },
      ],
    ],
    [
      requestTransfer,
      [
        'transferAmount',
        {
          sourceAccountPlatform: 'MT5',
          sourceAccount: source.login,
          destinationAccountPlatform: 'MT5',
          destinationAccount: destination.login,
          transferCurrency: 'EUR',
        },
      ],
    ],
  ])
})

const money = [requestWirePayment, requestCreditCardPayment, requestWithdrawal, requestTransfer] as const
const named = money.map((endpoint) => [endpoint.name, endpoint] as const)

/** Sends a request that contains the amount exactly as written. */
async function sendAsWritten(endpoint: Endpoint, written: string) {
  const [field, body] = bodies.get(endpoint) ?? ['', {}]
  const bytes = JSON.stringify({ ...body, [field]: '§' }).replace('"§"', written)
  return { field, reply: await call(place.server, endpoint, { as: client, bytes }) }
}

/** Returns how many requests of this client there are. */
async function requests(): Promise<unknown> {
  const found = await rows<{ count: string }>(
    place.server.dependencies.pool,
    sql`select count(*) from (select id from deposits where client_id = ${client.id}
          union all select id from withdrawals where client_id = ${client.id}
          union all select id from transfers where client_id = ${client.id}) all_of_them`,
  )
  return found[0]?.count
}

describe.each(named)('the amount of %s', (_, endpoint) => {
  test.each([
    '9.999999999999999999',
    '10.001',
    '10.000',
    '1e2',
    '9007199254740993',
    '1E+2',
    '1e400',
    '1000e-1',
    '12345678901234567890',
    '99999999999999999.99',
    '0.1e3',
    '20.00000000000000000000000000000001',
  ])('written as %s is not an amount', async (written) => {
    const before = await requests()
    const { field, reply } = await sendAsWritten(endpoint, written)
    expect([reply.status, Object.keys(reply.failure.errors)]).toEqual([400, [field]])
    expect(await requests()).toBe(before)
  })

  test.each(['0', '-0', '0.00', '-0.00', '-5', '-0.01', '"0"', '"-25.00"', '0.99'])(
    'written as %s is rejected as below the minimum',
    async (written) => {
      // A card deposit is validated only with a provider: its own tests cover it.
      if (endpoint === requestCreditCardPayment) return
      const { reply } = await sendAsWritten(endpoint, written)
      expect([reply.status, reply.failure.code]).toEqual([
        400,
        endpoint === requestWithdrawal
          ? 'withdrawal-too-low'
          : endpoint === requestTransfer
            ? 'transfer-too-low'
            : 'deposit-too-low',
      ])
    },
  )

  test.each(['1000000000.01', '999999999999999'])(
    'written as %s is more than one operation can move',
    async (written) => {
      const { reply } = await sendAsWritten(endpoint, written)
      expect([reply.status, reply.failure.code]).toEqual([400, 'amount-large'])
    },
  )
})

test.each(['10', '10.5', '10.50', '"10.50"'])('a transfer of %s is accepted exactly as written', async (written) => {
  const { reply } = await sendAsWritten(requestTransfer, written)
  expect(reply.answer).toMatchObject({ amount: written.includes('5') ? 10_50n : 10_00n })
})

/** The calls of requirements 15.1 that a signed-in client makes with a body. */
const withOwner = portalEndpoints.filter(
  ({ method, body }) => method === 'POST' && 'userId' in ((body as { shape?: object }).shape ?? {}),
)

test('every call of requirements 15.1 with a body accepts the userId of its client', () => {
  expect(withOwner.map(({ name }) => name).toSorted()).toEqual(
    [
      'acceptDeclarations',
      'checkClientsProfessionalStatus',
      'checkCreditCardPayment',
      'documentsApproval',
      'editUser',
      'getProfessionalClientsApplication',
      'profile',
      'requestAnAccount',
      'requestCreditCardPayment',
      'requestTransfer',
      'requestWirePayment',
      'requestWithdrawal',
      'saveDocuments',
      'submitClientsProfessionalApplication',
      'updateAccount',
      'updateEmploymentIncome',
      'updateTradingExperience',
    ].toSorted(),
  )
})

test.each(withOwner.map((endpoint) => [endpoint.name, endpoint] as const))(
  '%s is rejected with another client’s userId and not with the caller’s own',
  async (_, endpoint) => {
    const other = await makeClient(place.server)
    const body = validValue(endpoint.body, { userId: client.id, email: client.email }) as object
    const named = (userId: string) => call(place.server, endpoint, { as: client, body: { ...body, userId } })
    expect((await named(other.id)).json).toMatchObject({ code: 'not-yours', errors: { userId: expect.any(String) } })
    const own = (await named(client.id)).json as { code?: string; errors?: object }
    expect(own.code).not.toBe('not-yours')
    expect(own.errors ?? {}).not.toHaveProperty('userId')
  },
)
