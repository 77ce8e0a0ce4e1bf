/** Staff decide on a transfer: its checks are judged under the locks, then both legs go to the platforms. */
import type {
  approveTransfer as approveEndpoint,
  rejectTransfer as rejectEndpoint,
} from '#contract/office/transfers.ts'
import { requestReason } from '#contract/office/rejection-reasons.ts'
import { transferLife } from '#rules/transfers.ts'
import { judging, prepareChecks } from '../../checks/pass-checks.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import type { Verb } from '../../http/register-endpoint.ts'
import { takeBackUnsent } from '../../jobs/take-back-unsent.ts'
import { release } from '../../ledger/reservations.ts'
import { absentPlatform, decide, requestToDecide } from '../../office/decide.ts'
import type { Parts } from '../../dependencies.ts'
import { beginTransfer, tellOf } from './jobs.ts'
import { transferById, type Transfer } from './queries.ts'
import { transferChecked } from './transfer-checks.ts'

export function approveTransfer(parts: Parts): Verb<typeof approveEndpoint> {
  return async (call) => {
    const transfer = await forDecision(parts, call)
    const absent =
      transfer.state === 'pending' && absentPlatform(parts, transfer.sourcePlatform, transfer.destinationPlatform)
    if (absent) throw absent
    const terms = await prepareChecks(parts, transferChecked, transfer, call.now)
    const { version, note } = call.body
    const approval = {
      request: transfer,
      verb: 'approve',
      version,
      reason: note,
      set: { decided_by: staffOf(call).staffId },
      judge: judging(call, transferChecked, transfer, terms),
    }
    return decide(parts, call, transferLife, approval, (tx) => beginTransfer(tx, parts.keys, transfer, call.now))
  }
}

/** Rejects with an internal reason and what the client reads (ADR 160); what was set aside is free again. */
export function rejectTransfer(parts: Parts): Verb<typeof rejectEndpoint> {
  return async (call) => {
    const transfer = await forDecision(parts, call)
    const { reason, version } = call.body
    const told = requestReason(call.body)
    const set = { comment: told, rejected_at: call.now, decided_by: staffOf(call).staffId }
    const rejection = { request: transfer, verb: 'reject', version, reason, told, set }
    return decide(parts, call, transferLife, rejection, async (tx) => {
      if (transfer.state === 'processing' && !(await takeBackUnsent(tx, transfer.id, call.now)))
        throw new Problem('debit-sent')
      await release(tx, 'transfer', transfer.id, call.now)
      await tellOf(tx, transfer, 'transfer-rejected', told, call.now)
    })
  }
}

async function forDecision(parts: Parts, call: Pick<Call<typeof rejectEndpoint>, 'params' | 'caller'>) {
  const transfer = await transferById(parts.pool, call.params.id)
  return requestToDecide<Transfer>(call, transfer, ({ clientEmail }) => clientEmail)
}
