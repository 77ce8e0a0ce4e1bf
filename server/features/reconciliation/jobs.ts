/** The daily comparison, and the daily look at the invariants; of several servers one does it. */
import { count } from '../../http/rate-limits.ts'
import type { Chore } from '../../jobs/workers.ts'
import type { Parts } from '../../parts.ts'
import { compareAll } from './compare.ts'
import { lookAtInvariants } from './look-at-invariants.ts'

const lookEveryMs = 10 * 60_000
const daySeconds = 24 * 3600

export function reconciliationChores(parts: Parts): Chore[] {
  return [
    {
      name: 'reconcile',
      everyMs: lookEveryMs,
      async run(now) {
        const { count: turns } = await count(
          parts.jobs,
          { name: 'reconcile', who: 'daily', windowSeconds: daySeconds },
          now,
        )
        if (turns !== 1) return
        await compareAll(parts, { acting: { kind: 'clock' }, now })
        await lookAtInvariants(parts, now)
      },
    },
  ]
}
