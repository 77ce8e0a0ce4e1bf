/** Reconciliation: comparing now, what was found, and its explanation. */
import * as office from '#contract/office/books.ts'
import { differenceLife } from '#rules/corrections.ts'
import { advance } from '../../db/advance.ts'
import { transaction } from '../../db/transaction.ts'
import { record } from '../../db/events.ts'
import { staffOf } from '../../http/call.ts'
import { Problem } from '../../http/problem.ts'
import { limit } from '../../http/rate-limits.ts'
import type { Serve } from '../../http/serve.ts'
import { decidedAnswer, namingDecider } from '../../office/records.ts'
import type { Parts } from '../../parts.ts'
import { compareAll } from './compare.ts'
import { differenceById } from './queries.ts'
import { listDifferences, showDifference } from './show-differences.ts'

const runsPerMinute = 2

export function reconciliationRoutes(serve: Serve, parts: Parts): void {
  serve(office.listDifferences, (call) => listDifferences(parts, call))
  serve(office.getDifference, (call) => showDifference(parts, call))

  serve(office.explainDifference, async (call) => {
    const found = await differenceById(parts.pool, call.params.id)
    if (!found) throw new Problem('not-found')
    const { reason, version } = call.body
    return namingDecider(parts, differenceLife.name, found.id, () =>
      transaction(parts.pool, async (tx) => {
        const after = await advance(tx, differenceLife, call.act, {
          id: found.id,
          verb: 'explain',
          version,
          reason,
          ...(found.clientId === null ? {} : { clientId: found.clientId }),
          set: { reason, decided_by: staffOf(call).staffId, decided_at: call.now },
          work: null,
        })
        return decidedAnswer(tx, call, differenceLife.name, found.id, after)
      }),
    )
  })

  serve(office.reconcileNow, async (call) => {
    await limit(parts.pool, { name: 'reconcile', who: 'now', windowSeconds: 60 }, runsPerMinute, call.now)
    const { at, accounts, unread, differences } = await compareAll(parts, call.act)
    if (accounts > 0 && unread === accounts) throw new Problem('platform-unavailable', { retryAfterSeconds: 30 })
    const details = { accounts, unread, differences }
    await transaction(parts.pool, (tx) => record(tx, call.act, { kind: 'reconciliation', verb: 'run', details }))
    return { at, accounts: accounts - unread, unread, differences }
  })
}
