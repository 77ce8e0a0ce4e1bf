import type * as office from '#contract/office/payout-batches.ts'
import type { Handler } from '../../../http/handler.ts'
import { moveBatch } from './batch-work.ts'

/** Closes a batch that was sent to the bank. */
export const closeBatch: Handler<typeof office.closePayoutBatch> = (dependencies, context) => {
  const { note } = context.body
  return moveBatch(dependencies, context, async () => ({
    action: 'close',
    ...(note ? { reason: note } : {}),
    workItem: null,
  }))
}
