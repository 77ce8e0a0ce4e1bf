/** Staff decide on an account request: approving it opens the account on its platform (product-decisions section 8). */
import type {
  approveAccount as approveEndpoint,
  rejectAccount as rejectEndpoint,
} from '#contract/office/account-requests.ts'
import { requestReason } from '#contract/office/rejection-reasons.ts'
import { accountLife } from '#rules/accounts.ts'
import { judging, prepareChecks } from '../../checks/pass-checks.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import type { Verb } from '../../http/register-endpoint.ts'
import { decide, requestToDecide } from '../../office/decide.ts'
import type { Parts } from '../../dependencies.ts'
import { beginOpening, tell } from './jobs.ts'
import { whyNotOpened } from './office-requests.ts'
import { accountOpeningChecked } from './opening-checks.ts'
import { accountRequestById, type AccountRequest } from './queries.ts'

export function approveAccount(parts: Parts): Verb<typeof approveEndpoint> {
  return async (call) => {
    const request = await forDecision(parts, call)
    const standsAgainst = request.state === 'pending' && (await whyNotOpened(parts, request))
    if (standsAgainst) throw standsAgainst
    const terms = await prepareChecks(parts, accountOpeningChecked, request, call.now)
    const { version, note } = call.body
    const set = { decided_by: staffOf(call).staffId, decided_at: call.now }
    const judge = judging(call, accountOpeningChecked, request, terms)
    return decide(parts, call, accountLife, { request, verb: 'approve', version, reason: note, set, judge }, (tx) =>
      beginOpening(tx, parts, request, call.now),
    )
  }
}

export function rejectAccount(parts: Parts): Verb<typeof rejectEndpoint> {
  return async (call) => {
    const request = await forDecision(parts, call)
    const { version, reason } = call.body
    const told = requestReason(call.body)
    const set = { reason: told, decided_by: staffOf(call).staffId, decided_at: call.now }
    return decide(parts, call, accountLife, { request, verb: 'reject', version, reason, told, set }, (tx) =>
      tell(tx, request, 'account-rejected', { reason: told }, call.now),
    )
  }
}

async function forDecision(parts: Parts, call: Pick<Call<typeof approveEndpoint>, 'params' | 'caller'>) {
  const request = await accountRequestById(parts.pool, call.params.id)
  return requestToDecide<AccountRequest>(call, request, ({ email }) => email)
}
