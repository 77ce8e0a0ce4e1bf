/** What follows from a reversal at the platform; the daily look at the invariants, and the daily comparison. */
import { differenceLife } from '#rules/corrections.ts'
import { advance } from '../../db/transition.ts'
import { askedEveryMs, isTurnOfToday } from '../../jobs/daily-schedule.ts'
import type { BalanceLegs } from '../../jobs/balance.ts'
import type { Chore } from '../../jobs/workers.ts'
import { bookReversal } from '../../ledger/booked-deals.ts'
import type { Parts } from '../../dependencies.ts'
import { workDueIn } from '../../office/due-dates.ts'
import { compareAll } from './compare.ts'
import { lookAtInvariants } from './check-invariants.ts'
import { dealOf, summaryOf } from './decide-difference.ts'
import { differenceById, lastDailyRun } from './queries.ts'

export const legs = {
  /** Done: deal and reversal are booked, and both are known. Refused: two people decide again. */
  'deal-reversal': async (tx, operation, outcome, act) => {
    const found = operation.record === null ? null : await differenceById(tx, operation.record)
    if (!found) throw new Error(`operation ${operation.id} names no difference`)
    const { id } = found
    const client = found.clientId === null ? {} : { clientId: found.clientId }
    if ('done' in outcome) {
      await advance(tx, differenceLife, act, { id, verb: 'applied', ...client })
      await bookReversal(tx, dealOf(found), operation.ref, act.now)
      return
    }
    const dueAt = await workDueIn(tx, 'difference', act.now)
    await advance(tx, differenceLife, act, {
      id,
      verb: 'refused',
      ...client,
      reason: outcome.refused.code,
      set: {
        proposal: null,
        proposal_reason: null,
        proposed_by: null,
        proposed_at: null,
        decided_by: null,
        decided_at: null,
      },
      work: { state: 'open', dueAt, ...client, summary: summaryOf(found) },
    })
  },
} satisfies BalanceLegs

export function reconciliationChores(parts: Parts): Chore[] {
  return [
    {
      name: 'reconcile',
      everyMs: askedEveryMs,
      async run(now) {
        if (!(await isTurnOfToday(parts, 'reconcile', (until) => lastDailyRun(parts.jobs, until), now))) return
        await lookAtInvariants(parts, now)
        await compareAll(parts, { acting: { kind: 'clock' }, now })
      },
    },
  ]
}
