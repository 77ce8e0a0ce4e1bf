/** Compliance asks for a client's erasure, because the client wishes it or the firm wants it; another person decides. */
import type { askErasure as endpoint } from '#contract/office/retention.ts'
import { checkErasure, erasureLife } from '#rules/retention.ts'
import { record } from '../../db/events.ts'
import { run, sql } from '../../db/sql.ts'
import { transaction } from '../../db/transaction.ts'
import { openWork } from '../../db/work-items.ts'
import { staffOf } from '../../http/request-context.ts'
import { Problem, refuse } from '../../http/problem.ts'
import type { Verb } from '../../http/register-endpoint.ts'
import { isUuid } from '../../db/ids.ts'
import { refuseOwnRequest } from '../../office/records.ts'
import type { Parts } from '../../dependencies.ts'
import { workDueAt } from '../../office/due-dates.ts'
import { grossClientBalance, openRequestsOf } from '../clients/queries.ts'
import { lockSubject } from './erase-client.ts'
import { erasureOf } from './queries.ts'

export function askErasure(parts: Parts): Verb<typeof endpoint> {
  return async (call) => {
    const { id } = call.params
    const { askedFor, reason } = call.body
    const due = await workDueAt(parts, 'erasure', call.now)
    return transaction(parts.pool, async (tx) => {
      const client = isUuid(id) ? await lockSubject(tx, id) : null
      if (!client) throw new Problem('not-found')
      refuseOwnRequest(staffOf(call), client.email)
      const earlier = await erasureOf(tx, client.id)
      refuse(
        checkErasure({
          state: client.state,
          isErased: client.erasedAt !== null,
          isAsked: earlier !== null && ['pending', 'approved'].includes(earlier.state),
          owed: await grossClientBalance(tx, { clientId: client.id }),
          openRequests: await openRequestsOf(tx, client.id),
        }),
      )
      // One that was refused or taken back makes room; what became of it stands in the audit log.
      await run(tx, sql`delete from erasures where id = ${client.id}`)
      await run(
        tx,
        sql`insert into erasures (id, asked_for, reason, asked_by, asked_at)
            values (${client.id}, ${askedFor}, ${reason}, ${staffOf(call).staffId}, ${call.now})`,
      )
      const { name: kind, first } = erasureLife
      await record(tx, call.act, { kind, verb: 'ask', record: client.id, clientId: client.id, to: first, reason })
      const work = { state: first, dueAt: due, clientId: client.id, summary: { askedFor } }
      await openWork(tx, kind, client.id, work, call.now)
      return { id: client.id }
    })
  }
}
