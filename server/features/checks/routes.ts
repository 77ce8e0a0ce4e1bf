/** The override of a block, for every kind of request that stands on checks. */
import * as contract from '#contract/office/checks.ts'
import type { CheckedRequest } from '../../checks/checked-request.ts'
import type { Serve } from '../../http/serve.ts'
import type { Parts } from '../../parts.ts'
import { overrideCheck } from './override-check.ts'

/** By kind, how a request is found and judged where it stands now. */
export type CheckedKinds = Readonly<
  Record<
    (typeof contract.checkedKinds)[number],
    (parts: Parts, id: string) => Promise<CheckedRequest<{ readonly id: string }>>
  >
>

export function checkRoutes(serve: Serve, parts: Parts, kinds: CheckedKinds): void {
  serve(contract.overrideCheck, overrideCheck(parts, kinds))
}
