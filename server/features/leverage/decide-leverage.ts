/** Staff decide on a leverage request: approving it sets the leverage on the platform (requirements 7.8). */
import type * as office from '#contract/office/leverage-requests.ts'
import { leverageRequestMachine } from '#rules/leverage-requests.ts'
import { judging, prepareChecks } from '../../checks/pass-checks.ts'
import { requireStaff, type RequestContext, type Handler } from '../../http/handler.ts'
import { decide, rejectRequest, requestToDecide } from '../../office/decide.ts'
import type { Dependencies } from '../../dependencies.ts'
import { beginChange, notifyLeverage } from './jobs.ts'
import { whyNotSet } from './office-requests.ts'
import { leverageChecked } from './leverage-checks.ts'
import { leverageRequestById, type LeverageRequest } from './queries.ts'

export const approveLeverage: Handler<typeof office.approveLeverage> = async (dependencies, context) => {
  const request = await forDecision(dependencies, context)
  const standsAgainst = request.state === 'pending' && (await whyNotSet(dependencies, request))
  if (standsAgainst) throw standsAgainst
  const terms = await prepareChecks(dependencies, leverageChecked, request, context.now)
  const { version, note } = context.body
  const set = { decided_by: requireStaff(context).staffId, decided_at: context.now }
  const judge = judging(context, leverageChecked, request, terms)
  const approval = { request, action: 'approve', version, reason: note, set, judge }
  return decide(dependencies, context, leverageRequestMachine, approval, (tx) => beginChange(tx, request, context.now))
}

export const rejectLeverage: Handler<typeof office.rejectLeverage> = async (dependencies, context) => {
  const request = await forDecision(dependencies, context)
  return rejectRequest(dependencies, context, leverageRequestMachine, request, (tx, told) =>
    notifyLeverage(tx, request, 'leverage-rejected', context.now, told),
  )
}

async function forDecision(
  dependencies: Dependencies,
  context: Pick<RequestContext<typeof office.approveLeverage>, 'params' | 'caller'>,
) {
  const request = await leverageRequestById(dependencies.pool, context.params.id)
  return requestToDecide<LeverageRequest>(context, request, ({ clientEmail }) => clientEmail)
}
