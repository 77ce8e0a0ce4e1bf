import { returnWithdrawal } from '#contract/office/withdrawals.ts'
import { makeApprovedWithdrawal } from './approved-withdrawal.ts'
import { call, makeStaff, type MadeStaff, type TestServer } from './factories.ts'
import { createPaidBatch } from './payout-batches.ts'

export interface PaidWithdrawal {
  readonly id: string
  readonly reference: string
  state(): Promise<string>
  /** Reports as finance that the bank returned it; `settleOperations` then reverses it. */
  comeBack(as?: MadeStaff): Promise<void>
}

/** Makes a client's withdrawal in EUR that was sent to the bank. */
export async function makePaidWithdrawal(server: TestServer, amount = '250'): Promise<PaidWithdrawal> {
  const { id, reference, now } = await makeApprovedWithdrawal(server, amount)
  await createPaidBatch(server, [id])
  return {
    id,
    reference,
    state: async () => (await now()).state,
    comeBack: async (by) => {
      const as = by ?? (await makeStaff(server, ['finance']))
      const { version } = await now()
      const body = { version, reason: 'The account is closed.' }
      const reply = await call(server, returnWithdrawal, { as, params: { id }, body })
      if (reply.status !== 200) throw new Error(`returnWithdrawal answered ${reply.status}`)
    },
  }
}
