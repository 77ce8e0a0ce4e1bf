/** Staff decide on a leverage request: approving it sets the leverage on the platform (product-decisions section 8). */
import type {
  approveLeverage as approveEndpoint,
  rejectLeverage as rejectEndpoint,
} from '#contract/office/leverage-requests.ts'
import { leverageRequestLife } from '#rules/leverage-requests.ts'
import { advance } from '../../db/advance.ts'
import { transaction } from '../../db/transaction.ts'
import { staffOf, type Call } from '../../http/call.ts'
import { Problem } from '../../http/problem.ts'
import type { Verb } from '../../http/serve.ts'
import { decidedAnswer, namingDecider, refuseOwnRequest } from '../../office/records.ts'
import type { Parts } from '../../parts.ts'
import { beginChange, tell } from './jobs.ts'
import { allowedFor } from './office-requests.ts'
import { leverageRequestById, type LeverageRequest } from './queries.ts'

const kind = leverageRequestLife.name

export function approveLeverage(parts: Parts): Verb<typeof approveEndpoint> {
  return async (call) => {
    const request = await forDecision(parts, call)
    const { leverage: windDown } = await parts.settings.get('windDown')
    if (windDown) throw new Problem('leverage-closed')
    if (!allowedFor(request).includes(request.to)) throw new Problem('leverage-not-allowed')
    return namingDecider(parts, kind, request.id, () =>
      transaction(parts.pool, async (tx) => {
        const after = await advance(tx, leverageRequestLife, call.act, {
          id: request.id,
          verb: 'approve',
          version: call.body.version,
          clientId: request.clientId,
          ...(call.body.note ? { reason: call.body.note } : {}),
          set: { decided_by: staffOf(call).staffId, decided_at: call.now },
          work: null,
        })
        await beginChange(tx, request, call.now)
        return decidedAnswer(tx, kind, request.id, after)
      }),
    )
  }
}

export function rejectLeverage(parts: Parts): Verb<typeof rejectEndpoint> {
  return async (call) => {
    const request = await forDecision(parts, call)
    const { reason } = call.body
    return namingDecider(parts, kind, request.id, () =>
      transaction(parts.pool, async (tx) => {
        const after = await advance(tx, leverageRequestLife, call.act, {
          id: request.id,
          verb: 'reject',
          version: call.body.version,
          clientId: request.clientId,
          reason,
          set: { reason, decided_by: staffOf(call).staffId, decided_at: call.now },
          work: null,
        })
        await tell(tx, request, 'leverage-rejected', call.now, reason)
        return decidedAnswer(tx, kind, request.id, after)
      }),
    )
  }
}

async function forDecision(
  parts: Parts,
  call: Pick<Call<typeof approveEndpoint>, 'params' | 'caller'>,
): Promise<LeverageRequest> {
  const request = await leverageRequestById(parts.pool, call.params.id)
  if (!request) throw new Problem('not-found')
  refuseOwnRequest(staffOf(call), request.clientEmail)
  return request
}
