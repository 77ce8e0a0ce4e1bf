/** Once a day what has had its days is forgotten; of several servers one does it. */
import { askedEveryMs, isTurnOfToday } from '../../jobs/daily-schedule.ts'
import type { Chore } from '../../jobs/workers.ts'
import type { Parts } from '../../dependencies.ts'
import { recoveryOf } from '../../recovery/stopped-money.ts'
import { forgetExpired } from './purge-expired.ts'
import { lastRun } from './queries.ts'

export function retentionChores(parts: Parts): Chore[] {
  return [
    {
      name: 'forget',
      everyMs: askedEveryMs,
      async run(now) {
        if (await recoveryOf(parts.jobs)) return
        if (!(await isTurnOfToday(parts, 'forget', (until) => lastRun(parts.jobs, until), now))) return
        await forgetExpired(parts, await parts.settings.get('retention'), { acting: { kind: 'clock' }, now })
      },
    },
  ]
}
