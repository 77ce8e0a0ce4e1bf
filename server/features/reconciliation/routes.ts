/** Reconciliation: running it, its discrepancies and their decision. */
import * as office from '#contract/office/accounting.ts'
import { transaction } from '../../db/sql.ts'
import { recordEvent } from '../../db/events.ts'
import { Problem } from '../../http/problem.ts'
import { enforceLimit, perMinute } from '../../http/rate-limits.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { compareAll } from './compare.ts'
import { confirmDifference, explainDifference, proposeDifference, rejectDifference } from './decide-difference.ts'
import { listDifferences, showDifference } from './show-differences.ts'

const runsPerMinute = 2

export function reconciliationRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(office.listDifferences, listDifferences)
  registerEndpoint(office.getDifference, showDifference)

  registerEndpoint(office.explainDifference, explainDifference)
  registerEndpoint(office.proposeDifference, proposeDifference)
  registerEndpoint(office.confirmDifference, confirmDifference)
  registerEndpoint(office.rejectDifference, rejectDifference)

  registerEndpoint(office.reconcileNow, async (dependencies, context) => {
    await enforceLimit(dependencies.pool, perMinute('reconcile', 'now'), runsPerMinute, context.now)
    const { at, accounts, unread, differences } = await compareAll(dependencies, context.auditContext)
    if (accounts > 0 && unread === accounts) throw new Problem('platform-unavailable')
    const details = { accounts, unread, differences }
    await transaction(dependencies.pool, (tx) =>
      recordEvent(tx, context.auditContext, { kind: 'reconciliation', action: 'run', details }),
    )
    return { at, accounts: accounts - unread, unread, differences }
  })
}
