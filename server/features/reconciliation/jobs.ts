/** Settles reversals on the platform; runs the daily invariant checks and the daily reconciliation. */
import { differenceMachine } from '#rules/corrections.ts'
import type { DifferenceId } from '#rules/ids.ts'
import { applyTransition } from '../../db/transition.ts'
import { dueCheckEveryMs, isDailyRunDue } from '../../jobs/daily-schedule.ts'
import type { BalanceLegs } from '../../jobs/balance.ts'
import type { ScheduledTask } from '../../jobs/workers.ts'
import { recordOf } from '../../jobs/operation.ts'
import { bookReversal } from '../../ledger/booked-deals.ts'
import type { Dependencies } from '../../dependencies.ts'
import { workItemDueIn } from '../../office/due-dates.ts'
import { compareAll } from './compare.ts'
import { lookAtInvariants } from './check-invariants.ts'
import { dealOf, summaryOf } from './decide-difference.ts'
import { differenceById, lastDailyRun } from './queries.ts'

export const legs = {
  /** Done: deal and reversal are posted, and both are known. Refused: two people decide again. */
  'deal-reversal': async (tx, operation, outcome, auditContext) => {
    const found = await recordOf(operation, (id: DifferenceId) => differenceById(tx, id))
    if ('done' in outcome) {
      await applyTransition(tx, differenceMachine, auditContext, found, 'applied')
      await bookReversal(tx, dealOf(found), operation.ref, auditContext.now)
      return
    }
    const dueAt = await workItemDueIn(tx, 'difference', auditContext.now)
    await applyTransition(tx, differenceMachine, auditContext, found, 'refused', {
      reason: outcome.refused.code,
      set: {
        proposal: null,
        proposal_reason: null,
        proposed_by: null,
        proposed_at: null,
        decided_by: null,
        decided_at: null,
      },
      workItem: { state: 'open', dueAt, clientId: found.clientId, summary: summaryOf(found) },
    })
  },
} satisfies BalanceLegs

export function reconciliationTasks(dependencies: Dependencies): ScheduledTask[] {
  return [
    {
      name: 'reconcile',
      everyMs: dueCheckEveryMs,
      async run(now) {
        if (!(await isDailyRunDue(dependencies, 'reconcile', (until) => lastDailyRun(dependencies.jobs, until), now)))
          return
        await lookAtInvariants(dependencies, now)
        await compareAll(dependencies, { identity: { kind: 'clock' }, now })
      },
    },
  ]
}
