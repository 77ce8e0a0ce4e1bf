import { approveWithdrawal, confirmWithdrawal, payWithdrawal, returnWithdrawal } from '#contract/office/withdrawals.ts'
import { requestWithdrawal } from '#contract/withdrawals.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { row, sql } from '#server/db/sql.ts'
import { allAcknowledged } from './acknowledged.ts'
import { approvedBank, fundedAccount, settleOperations } from './funded-account.ts'
import { call, makeClient, makeStaff, type MadeStaff, type TestServer } from './make.ts'

export interface PaidWithdrawal {
  readonly id: string
  readonly reference: string
  state(): Promise<string>
  /** Finance say that the bank returned it; `settleOperations` then puts it back. */
  comeBack(as?: MadeStaff): Promise<void>
}

/** A withdrawal of a client in EUR, which was sent to the bank. */
export async function paidWithdrawal(server: TestServer, amount = '250'): Promise<PaidWithdrawal> {
  const client = await makeClient(server)
  const { login } = await fundedAccount(server, client, BigInt(amount) * 400n)
  const body = {
    accountPlatform: 'MT5',
    accountNumber: login,
    paymentGatewayService: 'bank',
    withdrawalType: 'wire',
    withdrawalPaymentName: 'Bank Transfer',
    withdrawalCurrency: 'EUR',
    withdrawalAmount: amount,
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
  const decide = async (endpoint: Endpoint, role: 'operations' | 'finance', more = {}, by?: MadeStaff) => {
    const { version } = await now()
    const as = by ?? (await makeStaff(server, [role]))
    const reply = await call(server, endpoint, { as, params: { id }, body: { version, ...more } })
    if (reply.status !== 200) throw new Error(`${endpoint.name} answered ${reply.status}`)
  }
  await decide(approveWithdrawal, 'operations', allAcknowledged)
  if ((await now()).state === 'second_approval') await decide(confirmWithdrawal, 'finance', allAcknowledged)
  await settleOperations(server)
  await decide(payWithdrawal, 'finance')
  return {
    id,
    reference: (await now()).reference,
    state: async () => (await now()).state,
    comeBack: (as) => decide(returnWithdrawal, 'finance', { reason: 'The account is closed.' }, as),
  }
}
