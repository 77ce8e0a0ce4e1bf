/** Staff decide on a leverage request: approving it sets the leverage on the platform (product-decisions section 8). */
import type {
  approveLeverage as approveEndpoint,
  rejectLeverage as rejectEndpoint,
} from '#contract/office/leverage-requests.ts'
import { requestReason } from '#contract/office/rejection-reasons.ts'
import { leverageRequestLife } from '#rules/leverage-requests.ts'
import { judging, prepareChecks } from '../../checks/pass-checks.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import type { Verb } from '../../http/register-endpoint.ts'
import { decide, requestToDecide } from '../../office/decide.ts'
import type { Parts } from '../../dependencies.ts'
import { beginChange, tell } from './jobs.ts'
import { whyNotSet } from './office-requests.ts'
import { leverageChecked } from './leverage-checks.ts'
import { leverageRequestById, type LeverageRequest } from './queries.ts'

export function approveLeverage(parts: Parts): Verb<typeof approveEndpoint> {
  return async (call) => {
    const request = await forDecision(parts, call)
    const standsAgainst = request.state === 'pending' && (await whyNotSet(parts, request))
    if (standsAgainst) throw standsAgainst
    const terms = await prepareChecks(parts, leverageChecked, request, call.now)
    const { version, note } = call.body
    const set = { decided_by: staffOf(call).staffId, decided_at: call.now }
    const judge = judging(call, leverageChecked, request, terms)
    const approval = { request, verb: 'approve', version, reason: note, set, judge }
    return decide(parts, call, leverageRequestLife, approval, (tx) => beginChange(tx, request, call.now))
  }
}

export function rejectLeverage(parts: Parts): Verb<typeof rejectEndpoint> {
  return async (call) => {
    const request = await forDecision(parts, call)
    const { version, reason } = call.body
    const told = requestReason(call.body)
    const set = { reason: told, decided_by: staffOf(call).staffId, decided_at: call.now }
    return decide(parts, call, leverageRequestLife, { request, verb: 'reject', version, reason, told, set }, (tx) =>
      tell(tx, request, 'leverage-rejected', call.now, told),
    )
  }
}

async function forDecision(parts: Parts, call: Pick<Call<typeof approveEndpoint>, 'params' | 'caller'>) {
  const request = await leverageRequestById(parts.pool, call.params.id)
  return requestToDecide<LeverageRequest>(call, request, ({ clientEmail }) => clientEmail)
}
