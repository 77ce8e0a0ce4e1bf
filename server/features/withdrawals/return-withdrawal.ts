/** Finance records that the bank returned a payout. */
import type { returnWithdrawal as returnEndpoint } from '#contract/office/withdrawals.ts'
import { money } from '#rules/money.ts'
import { withdrawalMachine } from '#rules/withdrawals.ts'
import type { Handler } from '../../http/handler.ts'
import { enqueueBalance } from '../../jobs/balance.ts'
import { postReturned } from '../../ledger/returned-payouts.ts'
import { decide } from '../../office/decide.ts'
import { withStoredReason } from '../../office/standard-reasons.ts'
import { recordReturnedPayment } from './batches/record-returned-payment.ts'
import { withdrawalForDecision } from './decide-withdrawal.ts'

/** Credits the money, which is at our bank again, to the account under its own reference. */
export const returnWithdrawal: Handler<typeof returnEndpoint> = async (dependencies, context) => {
  const withdrawal = await withdrawalForDecision(dependencies, context, context.params.id)
  const { currency } = withdrawal
  const amount = money(withdrawal.amountMinor - withdrawal.feeMinor, currency)
  const { version, reason } = withStoredReason(context.body)
  const set = { returned_at: context.now, comment: reason }
  const comingBack = { request: withdrawal, action: 'return', version, reason, set }
  return decide(dependencies, context, withdrawalMachine, comingBack, async (tx) => {
    await postReturned(tx, context.auditContext, withdrawal, amount)
    const order = { request: withdrawal, subject: withdrawalMachine.name, leg: 'withdrawal-return', amount } as const
    await enqueueBalance(tx, dependencies.keys, context.now, order)
    await recordReturnedPayment(tx, context.auditContext, withdrawal.id)
  })
}
