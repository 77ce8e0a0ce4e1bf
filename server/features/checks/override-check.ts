/** A person who takes no other decision on a request overrides one of its blocks, for exactly the facts shown. */
import type { overrideCheck as endpoint } from '#contract/office/checks.ts'
import { checkOverride, provedOverrides } from '#rules/checks/check.ts'
import { decisionFiguresSecondsMax, uploadBytesMax } from '#rules/constants.ts'
import { checkTerms, type CheckedRequest } from '../../checks/checked-request.ts'
import { digestOf } from '../../checks/judged-values.ts'
import { keepOverride, overridesOf, weigh, type Weighed } from '../../checks/overrides.ts'
import { keptCheck, shownChecks } from '../../checks/pass-checks.ts'
import { record } from '../../db/events.ts'
import { transaction } from '../../db/transaction.ts'
import { announce } from '../../db/work-items.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import { Problem, refuse } from '../../http/problem.ts'
import type { Verb } from '../../http/register-endpoint.ts'
import { requestToDecide } from '../../office/decide.ts'
import type { Parts } from '../../dependencies.ts'
import type { StoreProof } from '../../checks/store-proof.ts'
import type { CheckedKinds } from './routes.ts'

type Overriding = Call<typeof endpoint>

interface Means {
  readonly parts: Parts
  readonly storeProof: StoreProof
}

export function overrideCheck(parts: Parts, kinds: CheckedKinds, storeProof: StoreProof): Verb<typeof endpoint> {
  return async (call) => {
    return override({ parts, storeProof }, call, await kinds[call.body.kind](parts, call.body.id, call.body))
  }
}

async function override(
  { parts, storeProof }: Means,
  call: Overriding,
  checked: CheckedRequest<{ readonly id: string }>,
) {
  const { id, check, digest, reason } = call.body
  const found = await checked.find(parts.pool, id)
  const request = requestToDecide(call, found, (one) => checked.clientOf(one).email)
  if (provedOverrides.includes(check) && !call.body.proof) throw new Problem('proof-required', { field: 'proof' })
  await checked.refresh(parts, request, decisionFiguresSecondsMax, call.now)
  const terms = await checkTerms(parts, call.now)
  const proof = await receivedProof({ parts, storeProof }, call, checked.clientOf(request).id)
  return transaction(parts.pool, async (tx) => {
    await checked.lock(tx, request)
    const locked = (await checked.find(tx, id)) ?? request
    const judged = await checked.judge(tx, locked, terms)
    const one = judged.find(({ name }) => name === check)
    if (!one) throw new Problem('check-not-blocking')
    refuse(checkOverride(one, call.act.acting, checked.involved(locked)))
    const before = await overridesOf(tx, checked.kind, id)
    if (digestOf(one) !== digest)
      throw new Problem('checks-changed', { checks: shownChecks(call, checked, locked, terms, weigh(judged, before)) })
    const client = checked.clientOf(locked)
    const { staffId } = staffOf(call)
    const at = call.now
    const proofFile = proof && (await proof(tx))
    const given = { clientId: client.id, name: check, digest, reason, staffId, at, proofFile: proofFile?.id ?? null }
    const kept = { kind: checked.kind, record: id, ...given }
    const [weighed] = weigh([one], []) as [Weighed]
    if (await keepOverride(tx, kept))
      await record(tx, call.act, {
        kind: checked.kind,
        verb: 'overrideCheck',
        record: id,
        ...(client.id && { clientId: client.id }),
        reason,
        details: { checks: [keptCheck(weighed, [])], ...(proofFile ? { proof: proofFile.label } : {}) },
      })
    await announce(tx, checked.kind, id)
    return { checks: shownChecks(call, checked, locked, terms, weigh(judged, await overridesOf(tx, checked.kind, id))) }
  })
}

/** The proof's bytes, prepared and stored like an upload of the client; null where there is none. */
async function receivedProof({ parts, storeProof }: Means, call: Overriding, clientId: string | null) {
  const { proof } = call.body
  if (!proof || clientId === null) return null
  const bytes = Buffer.from(proof.content, 'base64')
  if (bytes.length > uploadBytesMax) throw new Problem('file-large', { field: 'proof' })
  const received = { bytes, filename: proof.filename }
  return storeProof(parts, { clientId, received, staffId: staffOf(call).staffId, act: call.act })
}
