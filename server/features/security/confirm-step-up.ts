/** The client proves again who it is: by a code where there is a second factor, else by the password. */
import type { AnswerOf } from '#contract/endpoint.ts'
import type { proveAgain as endpoint, showProof } from '#contract/step-up.ts'
import { record } from '../../db/events.ts'
import { transaction, type Transaction } from '../../db/transaction.ts'
import { keepBoundProof } from '../../http/bound-step-up.ts'
import { clientOf, type Call } from '../../http/request-context.ts'
import { proofOf } from '../../http/step-up.ts'
import { Problem } from '../../http/problem.ts'
import { keepProof } from '../../http/sessions.ts'
import type { Parts } from '../../dependencies.ts'
import { noteFailedTry } from '../../auth/failed-attempts.ts'
import { clearTries, countTry, provePassword } from '../../auth/verify-password.ts'
import { checkCode } from '../../auth/second-factor.ts'
import { holdFactor } from './queries.ts'

type Asked = Call<typeof endpoint>

/** Whether calls that change money or access will ask first. */
export async function showOwnProof(parts: Parts, call: Call<typeof showProof>): Promise<AnswerOf<typeof showProof>> {
  const client = clientOf(call)
  return proofOf(parts, client, client.provedAt)
}

/** Wrong ones count with all others of their kind of this session's person, and end nothing. */
export async function proveAgain(parts: Parts, call: Asked): Promise<AnswerOf<typeof endpoint>> {
  const client = clientOf(call)
  const { clientId, sessionId } = client
  const { by } = await proofOf(parts, client, null)
  const { callHash } = call.body
  const { proofMinutes } = await parts.settings.get('security')
  const endsAt = new Date(call.now.getTime() + proofMinutes * 60_000)
  let proof: string | undefined
  const keep = async (tx: Transaction) => {
    if (callHash === undefined) await keepProof(tx, sessionId, call.now)
    else proof = await keepBoundProof(tx, { sessionId, callHash, endsAt })
    await record(tx, call.act, { kind: 'client', verb: 'proveAgain', record: clientId, clientId, details: { by } })
  }
  try {
    if (by === 'code') await proveCode(parts, call, keep)
    else await proveByPassword(parts, call, keep)
  } catch (thrown) {
    if (thrown instanceof Problem && (thrown.code === 'code-wrong' || thrown.code === 'password-incorrect'))
      noteFailedTry(parts, call, { kind: 'client', id: clientId }, 'proofFailed')
    throw thrown
  }
  if (proof === undefined) return proofOf(parts, client, call.now)
  return { ...(await proofOf(parts, client, client.provedAt)), proof }
}

async function proveByPassword(parts: Parts, call: Asked, keep: (tx: Transaction) => Promise<void>): Promise<void> {
  const { password } = call.body
  if (password === undefined) throw new Problem('required', { field: 'password' })
  await provePassword(parts, clientOf(call).clientId, password, call.now)
  await transaction(parts.pool, keep)
}

/** A code counts once; its use and the proof are kept together. */
async function proveCode(parts: Parts, call: Asked, keep: (tx: Transaction) => Promise<void>): Promise<void> {
  const { clientId } = clientOf(call)
  const { code } = call.body
  if (code === undefined) throw new Problem('required', { field: 'code' })
  await countTry(parts.pool, clientId, 'code', call.now)
  await transaction(parts.pool, async (tx) => {
    const { secret } = await holdFactor(tx, clientId)
    if (!(await checkCode(tx, parts, { table: 'clients', id: clientId }, secret, code, call.now)))
      throw new Problem('code-wrong')
    await keep(tx)
  })
  await clearTries(parts.pool, clientId, 'code')
}
