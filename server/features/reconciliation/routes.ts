/** Reconciliation: comparing now, what was found, and how it is decided. */
import * as office from '#contract/office/accounting.ts'
import { transaction } from '../../db/transaction.ts'
import { record } from '../../db/events.ts'
import { Problem } from '../../http/problem.ts'
import { limit } from '../../http/rate-limits.ts'
import type { Serve } from '../../http/register-endpoint.ts'
import type { Parts } from '../../dependencies.ts'
import { compareAll } from './compare.ts'
import { confirmDifference, explainDifference, proposeDifference, rejectDifference } from './decide-difference.ts'
import { listDifferences, showDifference } from './show-differences.ts'

const runsPerMinute = 2

export function reconciliationRoutes(serve: Serve, parts: Parts): void {
  serve(office.listDifferences, (call) => listDifferences(parts, call))
  serve(office.getDifference, (call) => showDifference(parts, call))

  serve(office.explainDifference, explainDifference(parts))
  serve(office.proposeDifference, proposeDifference(parts))
  serve(office.confirmDifference, confirmDifference(parts))
  serve(office.rejectDifference, rejectDifference(parts))

  serve(office.reconcileNow, async (call) => {
    await limit(parts.pool, { name: 'reconcile', who: 'now', windowSeconds: 60 }, runsPerMinute, call.now)
    const { at, accounts, unread, differences } = await compareAll(parts, call.act)
    if (accounts > 0 && unread === accounts) throw new Problem('platform-unavailable', { retryAfterSeconds: 30 })
    const details = { accounts, unread, differences }
    await transaction(parts.pool, (tx) => record(tx, call.act, { kind: 'reconciliation', verb: 'run', details }))
    return { at, accounts: accounts - unread, unread, differences }
  })
}
