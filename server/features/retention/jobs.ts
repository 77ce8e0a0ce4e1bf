/** Deletes expired data once a day; one of several servers does it. */
import { dueCheckEveryMs, isDailyRunDue } from '../../jobs/daily-schedule.ts'
import type { ScheduledTask } from '../../jobs/workers.ts'
import type { Dependencies } from '../../dependencies.ts'
import { recoveryOf } from '../../recovery/stopped-money.ts'
import { purgeExpired } from './purge-expired.ts'
import { lastRun } from './queries.ts'

export function retentionTasks(dependencies: Dependencies): ScheduledTask[] {
  return [
    {
      name: 'forget',
      everyMs: dueCheckEveryMs,
      async run(now) {
        if (await recoveryOf(dependencies.jobs)) return
        if (!(await isDailyRunDue(dependencies, 'forget', (until) => lastRun(dependencies.jobs, until), now))) return
        await purgeExpired(dependencies, await dependencies.settings.get('retention'), {
          identity: { kind: 'clock' },
          now,
        })
      },
    },
  ]
}
