/** The daily look at the invariants, and the daily comparison, which notes that both were done. */
import { askedEveryMs, isTurnOfToday } from '../../jobs/daily.ts'
import type { Chore } from '../../jobs/workers.ts'
import type { Parts } from '../../parts.ts'
import { compareAll } from './compare.ts'
import { lookAtInvariants } from './look-at-invariants.ts'
import { lastDailyRun } from './queries.ts'

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
