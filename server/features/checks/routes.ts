/** The checks of a decision and the override of a block, for every kind of request that stands on checks. */
import * as contract from '#contract/office/checks.ts'
import { mayRead } from '#rules/permissions.ts'
import { workAreas } from '#rules/work-items.ts'
import type { CheckedRequest } from '../../checks/checked-request.ts'
import { checksOfPage } from '../../checks/pass-checks.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import type { Serve, Verb } from '../../http/register-endpoint.ts'
import type { Parts } from '../../dependencies.ts'
import type { StoreProof } from '../../checks/store-proof.ts'
import { overrideCheck } from './override-check.ts'

/** What a decision chooses or enters: whose deposit a transaction would be, who holds a bank account. */
export interface Entered {
  readonly client?: string | undefined
  readonly holder?: string | undefined
}

/** By kind, how a request is found and judged where it stands now. */
export type CheckedKinds = Readonly<
  Record<
    (typeof contract.checkedKinds)[number],
    (parts: Parts, id: string, entered: Entered) => Promise<CheckedRequest<{ readonly id: string }>>
  >
>

export function checkRoutes(serve: Serve, parts: Parts, kinds: CheckedKinds, storeProof: StoreProof): void {
  serve(contract.getDecisionChecks, getDecisionChecks(parts, kinds))
  serve(contract.overrideCheck, overrideCheck(parts, kinds, storeProof))
}

function getDecisionChecks(parts: Parts, kinds: CheckedKinds): Verb<typeof contract.getDecisionChecks> {
  return async (call) => {
    const { kind, id, ...entered } = call.query
    if (!mayRead(workAreas[kind], staffOf(call).roles)) throw new Problem('wrong-role')
    const checked = await kinds[kind](parts, id, entered)
    const request = await checked.find(parts.pool, id)
    if (!request) throw new Problem('not-found')
    const { shown } = await checksOfPage(parts, call as Call, checked, request, true)
    return { checks: shown }
  }
}
