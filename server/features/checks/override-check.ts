/** Overrides one block of a request for exactly the facts shown. That person cannot decide on the request as well. */
import type { overrideCheck as endpoint } from '#contract/office/checks.ts'
import { checkOverride, overridesWithProof } from '#rules/checks/check.ts'
import { decisionSnapshotSecondsMax, uploadBytesMax } from '#rules/constants.ts'
import type { ClientId } from '#rules/ids.ts'
import {
  checkTerms,
  type CheckedKinds,
  type CheckedRequest,
  type RequestWithChecks,
} from '../../checks/checked-request.ts'
import { factsDigest, storeOverride, overridesOf, applyOverrides, type Weighed } from '../../checks/overrides.ts'
import { storedCheck, shownChecks } from '../../checks/pass-checks.ts'
import { recordEvent } from '../../db/events.ts'
import { transaction } from '../../db/sql.ts'
import { notifyChange } from '../../db/work-items.ts'
import { requireStaff, type RequestContext, type Handler } from '../../http/handler.ts'
import { Problem, throwIfProblem } from '../../http/problem.ts'
import { requestToDecide } from '../../office/decide.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { StoreProof } from '../../checks/store-proof.ts'

type OverrideContext = RequestContext<typeof endpoint>

interface OverrideDependencies {
  readonly dependencies: Dependencies
  readonly storeProof: StoreProof
}

export function overrideCheck(kinds: CheckedKinds, storeProof: StoreProof): Handler<typeof endpoint> {
  return async (dependencies, context) => {
    return createOverride(
      { dependencies, storeProof },
      context,
      await kinds[context.body.kind](dependencies, context.body.id, context.body),
    )
  }
}

async function createOverride(
  { dependencies, storeProof }: OverrideDependencies,
  context: OverrideContext,
  checked: CheckedRequest<RequestWithChecks>,
) {
  const { id, check, digest, reason } = context.body
  const found = await checked.find(dependencies.pool, id)
  const request = requestToDecide(context, found, (one) => checked.clientOf(one).email)
  assertOpen(checked, request)
  if (overridesWithProof.includes(check) && !context.body.proof) throw new Problem('proof-required', { field: 'proof' })
  await checked.refresh(dependencies, request, decisionSnapshotSecondsMax, context.now)
  const terms = await checkTerms(dependencies, context.now)
  const proof = await storeReceivedProof({ dependencies, storeProof }, context, checked.clientOf(request).id)
  return transaction(dependencies.pool, async (tx) => {
    await checked.lock(tx, request)
    const locked = (await checked.find(tx, id)) ?? request
    assertOpen(checked, locked)
    const judged = await checked.judge(tx, locked, terms)
    const one = judged.find(({ name }) => name === check)
    if (!one) throw new Problem('check-not-blocking')
    throwIfProblem(checkOverride(one, context.auditContext.identity, checked.involved(locked)))
    const before = await overridesOf(tx, checked.kind, id)
    if (factsDigest(one) !== digest)
      throw new Problem('checks-changed', {
        checks: shownChecks(context, checked, locked, terms, applyOverrides(judged, before)),
      })
    const client = checked.clientOf(locked)
    const { staffId } = requireStaff(context)
    const at = context.now
    const proofFile = proof && (await proof(tx))
    const given = { clientId: client.id, name: check, digest, reason, staffId, at, proofFile: proofFile?.id ?? null }
    const kept = { kind: checked.kind, record: id, ...given }
    const [evaluated] = applyOverrides([one], []) as [Weighed]
    if (await storeOverride(tx, kept))
      await recordEvent(tx, context.auditContext, {
        kind: checked.kind,
        action: 'overrideCheck',
        record: id,
        ...(client.id && { clientId: client.id }),
        reason,
        details: { checks: [storedCheck(evaluated, [])], ...(proofFile ? { proof: proofFile.label } : {}) },
      })
    await notifyChange(tx, checked.kind, id)
    return {
      checks: shownChecks(
        context,
        checked,
        locked,
        terms,
        applyOverrides(judged, await overridesOf(tx, checked.kind, id)),
      ),
    }
  })
}

/** Throws `decided-meanwhile`, or the request's own reason, if no transition is left that the checks can block. */
function assertOpen(checked: CheckedRequest<RequestWithChecks>, request: RequestWithChecks): void {
  if (checked.isOpen(request)) return
  throw (
    checked.whyClosed?.(request) ??
    new Problem('decided-meanwhile', { values: { state: request.state, record: checked.kind } })
  )
}

/** Returns the proof's bytes, prepared and stored like an upload of the client; null if there is none. */
async function storeReceivedProof(
  { dependencies, storeProof }: OverrideDependencies,
  context: OverrideContext,
  clientId: ClientId | null,
) {
  const { proof } = context.body
  if (!proof || clientId === null) return null
  const bytes = Buffer.from(proof.content, 'base64')
  if (bytes.length > uploadBytesMax) throw new Problem('file-large', { field: 'proof' })
  const received = { bytes, filename: proof.filename }
  return storeProof(dependencies, {
    clientId,
    received,
    staffId: requireStaff(context).staffId,
    auditContext: context.auditContext,
  })
}
