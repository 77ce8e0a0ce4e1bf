/** Another person erases, or refuses; who asked takes it back. */
import type { AnswerOf } from '#contract/endpoint.ts'
import type { approveErasure, cancelErasure, rejectErasure } from '#contract/office/retention.ts'
import { checkErasure, erasureLife, keptUntil } from '#rules/retention.ts'
import { advance } from '../../db/transition.ts'
import { transaction, type Transaction } from '../../db/transaction.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import { Problem, refuse } from '../../http/problem.ts'
import { isUuid } from '../../db/ids.ts'
import { decidedAnswer, namingDecider, refuseOwnRequest } from '../../office/records.ts'
import type { Parts } from '../../dependencies.ts'
import { grossClientBalance, openRequestsOf } from '../clients/queries.ts'
import { eraseClient, lockSubject, type ErasureSubject } from './erase-client.ts'
import { erasureOf, refusalOf, type ErasureVerb } from './queries.ts'

type Deciding = Call<typeof approveErasure | typeof rejectErasure | typeof cancelErasure>
const { name: kind } = erasureLife

export async function decideErasure(
  parts: Parts,
  call: Deciding,
  verb: ErasureVerb,
  reason: string,
): Promise<AnswerOf<typeof approveErasure>> {
  const { id } = call.params
  const { staffId } = staffOf(call)
  const times = await parts.settings.get('retention')
  let files: readonly string[] = []
  const answer = await namingDecider(parts, kind, id, () =>
    transaction(parts.pool, async (tx) => {
      const client = isUuid(id) ? await lockSubject(tx, id) : null
      const erasure = client && (await erasureOf(tx, client.id))
      if (!client || !erasure) throw new Problem('not-found')
      refuseOwnRequest(staffOf(call), client.email)
      refuse(refusalOf(verb, erasure, staffId))
      if (verb === 'approve' && erasure.state === 'pending') await refuseOpen(tx, client)
      const until = keptUntil(client, times)
      const isOver = until === null || until <= call.now
      const toDo = verb !== 'approve' || erasure.state !== 'pending' ? null : isOver ? 'everything' : 'unneeded'
      const erased = toDo && (await eraseClient(tx, client.id, call.act, toDo))
      files = erased?.files ?? []
      const after = await advance(tx, erasureLife, call.act, {
        id: client.id,
        verb,
        ...(verb === 'approve' ? { to: isOver ? ('done' as const) : ('approved' as const) } : {}),
        version: call.body.version,
        clientId: client.id,
        ...(reason === '' ? {} : { reason }),
        set: {
          ...(verb === 'cancel' ? {} : { decided_by: staffId }),
          decided_at: call.now,
          ...(erased ? { erased: JSON.stringify(erased.counts) } : {}),
        },
        work: null,
      })
      return decidedAnswer(tx, call, kind, client.id, after)
    }),
  )
  for (const file of files) await parts.files.remove(file)
  return answer
}

/** What was settled when the wish was written may be open again. */
async function refuseOpen(tx: Transaction, client: ErasureSubject): Promise<void> {
  refuse(
    checkErasure({
      state: client.state,
      isErased: false,
      isAsked: false,
      owed: await grossClientBalance(tx, { clientId: client.id }),
      openRequests: await openRequestsOf(tx, client.id),
    }),
  )
}
