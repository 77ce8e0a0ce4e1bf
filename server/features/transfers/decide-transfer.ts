/** Staff decide on a transfer: its checks are run under the locks, then both legs go to the platforms. */
import type * as office from '#contract/office/transfers.ts'
import { transferMachine } from '#rules/transfers.ts'
import { decisionChecker, prepareChecks } from '../../checks/pass-checks.ts'
import { requireStaff, type RequestContext, type Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { cancelUnsent } from '../../jobs/cancel-unsent.ts'
import { release } from '../../ledger/reservations.ts'
import { absentPlatform, decide, requestToDecide } from '../../office/decide.ts'
import type { Dependencies } from '../../dependencies.ts'
import { enqueueLeg, notifyTransfer } from './jobs.ts'
import { transferById, type Transfer } from './queries.ts'
import { transferChecked } from './transfer-checks.ts'
import { requestReason } from '../../office/standard-reasons.ts'

export const approveTransfer: Handler<typeof office.approveTransfer> = async (dependencies, context) => {
  const transfer = await transferForDecision(dependencies, context)
  const absent =
    transfer.state === 'pending' && absentPlatform(dependencies, transfer.sourcePlatform, transfer.destinationPlatform)
  if (absent) throw absent
  const terms = await prepareChecks(dependencies, transferChecked, transfer, context.now)
  const { version, note } = context.body
  const approval = {
    request: transfer,
    action: 'approve',
    version,
    reason: note,
    set: { decided_by: requireStaff(context).staffId },
    judge: decisionChecker(context, transferChecked, transfer, terms),
  }
  return decide(dependencies, context, transferMachine, approval, (tx) =>
    enqueueLeg(tx, dependencies.keys, transfer, 'transfer-withdraw', context.now),
  )
}

/** Rejects with an internal reason and the client's text (ADR 160); the reserved amount is available again. */
export const rejectTransfer: Handler<typeof office.rejectTransfer> = async (dependencies, context) => {
  const transfer = await transferForDecision(dependencies, context)
  const { reason, version } = context.body
  const clientReason = requestReason(context.body)
  const set = { comment: clientReason, rejected_at: context.now, decided_by: requireStaff(context).staffId }
  const rejection = { request: transfer, action: 'reject', version, reason, clientReason, set }
  return decide(dependencies, context, transferMachine, rejection, async (tx) => {
    if (transfer.state === 'processing' && !(await cancelUnsent(tx, transfer.id, context.now)))
      throw new Problem('debit-sent')
    await release(tx, 'transfer', transfer.id, context.now)
    await notifyTransfer(tx, transfer, 'transfer-rejected', clientReason, context.now)
  })
}

async function transferForDecision(
  dependencies: Dependencies,
  context: Pick<RequestContext<typeof office.rejectTransfer>, 'params' | 'caller'>,
) {
  const transfer = await transferById(dependencies.pool, context.params.id)
  return requestToDecide<Transfer>(context, transfer, ({ clientEmail }) => clientEmail)
}
