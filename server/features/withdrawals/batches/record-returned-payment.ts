/** Updates a batch when payments are returned. */
import { payoutBatchMachine } from '#rules/payout-batches.ts'
import type { PayoutBatchId, WithdrawalId } from '#rules/ids.ts'
import { applyTransition } from '../../../db/transition.ts'
import type { AuditContext } from '../../../db/events.ts'
import { row, type Transaction } from '../../../db/sql.ts'
import { lockBatch } from './queries.ts'

/** Records on its batch that a payment was returned, and closes a batch whose payments have all been returned. */
export async function recordReturnedPayment(
  tx: Transaction,
  auditContext: AuditContext,
  withdrawalId: WithdrawalId,
): Promise<void> {
  const found = await row<{ id: PayoutBatchId }>(tx)`
    select batch_id as id from payout_batch_payments where withdrawal_id = ${withdrawalId} and live`
  const batch = found && (await lockBatch(tx, found.id))
  if (!batch || !['sent', 'partly_returned'].includes(batch.state)) return
  const paid = await row(tx)`select w.id from payout_batch_payments p join withdrawals w on w.id = p.withdrawal_id
      where p.batch_id = ${batch.id} and p.live and w.state = 'paid' limit 1`
  await applyTransition(tx, payoutBatchMachine, auditContext, batch, 'paymentReturned', {
    to: paid ? 'partly_returned' : 'closed',
  })
}
