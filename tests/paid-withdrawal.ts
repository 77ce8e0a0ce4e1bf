import { approveWithdrawal, payWithdrawal, returnWithdrawal } from '#contract/office/withdrawals.ts'
import { requestWithdrawal } from '#contract/withdrawals.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { row, sql } from '#server/db/sql.ts'
import { approvedBank, fundedAccount, settleOperations } from './funded-account.ts'
import { call, makeClient, makeStaff, type TestServer } from './make.ts'

export interface PaidWithdrawal {
  readonly id: string
  readonly reference: string
  state(): Promise<string>
  /** Staff say that the bank returned it; `settleOperations` then puts it back. */
  comeBack(): Promise<void>
}

/** A withdrawal of 250 EUR of a client, which was sent to the bank. */
export async function paidWithdrawal(server: TestServer): Promise<PaidWithdrawal> {
  const client = await makeClient(server)
  const { login } = await fundedAccount(server, client, 100_000n)
  const body = {
    accountPlatform: 'MT5',
    accountNumber: login,
    paymentGatewayService: 'bank',
    withdrawalType: 'wire',
    withdrawalPaymentName: 'Bank Transfer',
    withdrawalCurrency: 'EUR',
    withdrawalAmount: '250',
    bankId: await approvedBank(server, client),
  }
  const { id } = (await call(server, requestWithdrawal, { as: client, body })).answer
  const now = async () => {
    const found = await row<{ reference: string; version: number; state: string }>(
      server.parts.pool,
      sql`select reference, version, state from withdrawals where id = ${id}`,
    )
    if (!found) throw new Error('no such withdrawal')
    return found
  }
  const decide = async (endpoint: Endpoint, role: 'operations' | 'finance', more = {}) => {
    const { version } = await now()
    const as = await makeStaff(server, [role])
    const reply = await call(server, endpoint, { as, params: { id }, body: { version, ...more } })
    if (reply.status !== 200) throw new Error(`${endpoint.name} answered ${reply.status}`)
  }
  await decide(approveWithdrawal, 'operations')
  await settleOperations(server)
  await decide(payWithdrawal, 'finance')
  return {
    id,
    reference: (await now()).reference,
    state: async () => (await now()).state,
    comeBack: () => decide(returnWithdrawal, 'finance', { reason: 'The account is closed.' }),
  }
}
