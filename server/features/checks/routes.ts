/** The checks of a decision and the override of a block, for all kinds of requests with checks. */
import * as contract from '#contract/office/checks.ts'
import { canRead } from '#rules/permissions.ts'
import { workItemAreas } from '#rules/work-items.ts'
import type { CheckedKinds } from '../../checks/checked-request.ts'
import { checksOfPage } from '../../checks/pass-checks.ts'
import { requireStaff, type RequestContext, type Handler } from '../../http/handler.ts'
import { Problem, requireFound } from '../../http/problem.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import type { StoreProof } from '../../checks/store-proof.ts'
import { overrideCheck } from './override-check.ts'

export function checkRoutes(registerEndpoint: RegisterEndpoint, kinds: CheckedKinds, storeProof: StoreProof): void {
  registerEndpoint(contract.getDecisionChecks, getDecisionChecks(kinds))
  registerEndpoint(contract.overrideCheck, overrideCheck(kinds, storeProof))
}

function getDecisionChecks(kinds: CheckedKinds): Handler<typeof contract.getDecisionChecks> {
  return async (dependencies, context) => {
    const { kind, id, ...entered } = context.query
    if (!canRead(workItemAreas[kind], requireStaff(context).roles)) throw new Problem('wrong-role')
    const checked = await kinds[kind](dependencies, id, entered)
    const request = requireFound(await checked.find(dependencies.pool, id))
    const { shown } = await checksOfPage(dependencies, context as RequestContext, checked, request, true)
    return { checks: shown }
  }
}
