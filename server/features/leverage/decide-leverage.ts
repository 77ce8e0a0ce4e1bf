/** Staff decide on a leverage request: approving it sets the leverage on the platform (requirements 7.8). */
import type * as office from '#contract/office/leverage-requests.ts'
import { leverageRequestMachine } from '#rules/leverage-requests.ts'
import { decisionChecker, prepareChecks } from '../../checks/pass-checks.ts'
import { requireStaff, type RequestContext, type Handler } from '../../http/handler.ts'
import { decide, rejectRequest, requestToDecide } from '../../office/decide.ts'
import type { Dependencies } from '../../dependencies.ts'
import { enqueueChange, notifyLeverage } from './jobs.ts'
import { leverageProblem } from './office-requests.ts'
import { leverageChecked } from './leverage-checks.ts'
import { leverageRequestById, type LeverageRequest } from './queries.ts'

export const approveLeverage: Handler<typeof office.approveLeverage> = async (dependencies, context) => {
  const request = await leverageForDecision(dependencies, context)
  const standsAgainst = request.state === 'pending' && (await leverageProblem(dependencies, request))
  if (standsAgainst) throw standsAgainst
  const terms = await prepareChecks(dependencies, leverageChecked, request, context.now)
  const { version, note } = context.body
  const set = { decided_by: requireStaff(context).staffId, decided_at: context.now }
  const judge = decisionChecker(context, leverageChecked, request, terms)
  const approval = { request, action: 'approve', version, reason: note, set, judge }
  return decide(dependencies, context, leverageRequestMachine, approval, (tx) =>
    enqueueChange(tx, request, context.now),
  )
}

export const rejectLeverage: Handler<typeof office.rejectLeverage> = async (dependencies, context) => {
  const request = await leverageForDecision(dependencies, context)
  return rejectRequest(dependencies, context, leverageRequestMachine, request, (tx, clientReason) =>
    notifyLeverage(tx, request, 'leverage-rejected', context.now, clientReason),
  )
}

async function leverageForDecision(
  dependencies: Dependencies,
  context: Pick<RequestContext<typeof office.approveLeverage>, 'params' | 'caller'>,
) {
  const request = await leverageRequestById(dependencies.pool, context.params.id)
  return requestToDecide<LeverageRequest>(context, request, ({ clientEmail }) => clientEmail)
}
