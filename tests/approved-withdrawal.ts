/** A withdrawal in EUR that the platform has debited: approved and not in a payout batch. */
import { approveWithdrawal, confirmWithdrawal } from '#contract/office/withdrawals.ts'
import { requestWithdrawal } from '#contract/withdrawals.ts'
import type { AccountId } from '#rules/ids.ts'
import { row, sql } from '#server/db/sql.ts'
import { allAcknowledged } from './acknowledged.ts'
import { makeApprovedBank, makeFundedAccount, settleOperations, withdrawalBody } from './funded-account.ts'
import { call, makeClient, makeStaff, type MadeClient, type MadeStaff, type TestServer } from './factories.ts'

export interface ApprovedWithdrawal {
  readonly id: string
  readonly reference: string
  readonly client: MadeClient
  readonly account: { readonly id: AccountId; readonly login: string }
  now(): Promise<{ state: string; version: number }>
}

/** Makes a withdrawal and approves it once or, at or above the threshold, twice. It is not debited yet. */
export async function makeUndebitedWithdrawal(
  server: TestServer,
  amount = '250',
  by: { first?: MadeStaff; second?: MadeStaff } = {},
): Promise<ApprovedWithdrawal> {
  const client = await makeClient(server)
  const account = await makeFundedAccount(server, client, BigInt(amount) * 400n)
  const body = withdrawalBody(account, await makeApprovedBank(server, client), amount)
  const { id, reference } = (await call(server, requestWithdrawal, { as: client, body })).answer
  const now = async () => {
    const found = await row<{ version: number; state: string }>(
      server.dependencies.pool,
      sql`select version, state from withdrawals where id = ${id}`,
    )
    if (!found) throw new Error('no such withdrawal')
    return found
  }
  const decide = async (endpoint: typeof approveWithdrawal | typeof confirmWithdrawal, as: MadeStaff) => {
    const { version } = await now()
    const reply = await call(server, endpoint, { as, params: { id }, body: { version, ...allAcknowledged } })
    if (reply.status !== 200) throw new Error(`${endpoint.name} answered ${reply.status}: ${reply.failure.code}`)
  }
  await decide(approveWithdrawal, by.first ?? (await makeStaff(server, ['operations'])))
  if ((await now()).state === 'second_approval')
    await decide(confirmWithdrawal, by.second ?? (await makeStaff(server, ['finance'])))
  return { id, reference, client, account, now }
}

/** Makes a withdrawal that is approved and debited. */
export async function makeApprovedWithdrawal(
  ...withdrawal: Parameters<typeof makeUndebitedWithdrawal>
): Promise<ApprovedWithdrawal> {
  const approved = await makeUndebitedWithdrawal(...withdrawal)
  await settleOperations(withdrawal[0])
  return approved
}
