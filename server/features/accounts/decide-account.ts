/** Staff decide on an account request: approving it opens the account on its platform (product-decisions section 8). */
import type {
  approveAccount as approveEndpoint,
  rejectAccount as rejectEndpoint,
} from '#contract/office/account-requests.ts'
import { accountLife } from '#rules/accounts.ts'
import { advance } from '../../db/advance.ts'
import { transaction } from '../../db/transaction.ts'
import { staffOf, type Call } from '../../http/call.ts'
import { Problem } from '../../http/problem.ts'
import type { Verb } from '../../http/serve.ts'
import { decidedAnswer, namingDecider, refuseOwnRequest } from '../../office/records.ts'
import type { Parts } from '../../parts.ts'
import { beginOpening, tell } from './jobs.ts'
import { isConnected } from './office-requests.ts'
import { accountRequestById, type AccountRequest } from './queries.ts'

const kind = accountLife.name

export function approveAccount(parts: Parts): Verb<typeof approveEndpoint> {
  return async (call) => {
    const request = await forDecision(parts, call)
    if (request.state === 'pending' && !isConnected(parts, request.platform)) throw new Problem('mt4-not-connected')
    const { newAccounts } = await parts.settings.get('windDown')
    if (newAccounts) throw new Problem('new-accounts-closed')
    return namingDecider(parts, kind, request.id, () =>
      transaction(parts.pool, async (tx) => {
        const after = await advance(tx, accountLife, call.act, {
          id: request.id,
          verb: 'approve',
          version: call.body.version,
          clientId: request.clientId,
          ...(call.body.note ? { reason: call.body.note } : {}),
          set: { decided_by: staffOf(call).staffId, decided_at: call.now },
          work: null,
        })
        await beginOpening(tx, parts, request, call.now)
        return decidedAnswer(tx, kind, request.id, after)
      }),
    )
  }
}

export function rejectAccount(parts: Parts): Verb<typeof rejectEndpoint> {
  return async (call) => {
    const request = await forDecision(parts, call)
    const { reason } = call.body
    return namingDecider(parts, kind, request.id, () =>
      transaction(parts.pool, async (tx) => {
        const after = await advance(tx, accountLife, call.act, {
          id: request.id,
          verb: 'reject',
          version: call.body.version,
          clientId: request.clientId,
          reason,
          set: { reason, decided_by: staffOf(call).staffId, decided_at: call.now },
          work: null,
        })
        await tell(tx, request, 'account-rejected', { reason }, call.now)
        return decidedAnswer(tx, kind, request.id, after)
      }),
    )
  }
}

async function forDecision(
  parts: Parts,
  call: Pick<Call<typeof approveEndpoint>, 'params' | 'caller'>,
): Promise<AccountRequest> {
  const request = await accountRequestById(parts.pool, call.params.id)
  if (!request) throw new Problem('not-found')
  refuseOwnRequest(staffOf(call), request.email)
  return request
}
