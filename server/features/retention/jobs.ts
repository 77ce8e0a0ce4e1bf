/** Once a day what has had its days is forgotten; of several servers one does it. */
import { count } from '../../http/rate-limits.ts'
import type { Chore } from '../../jobs/workers.ts'
import type { Parts } from '../../parts.ts'
import { forgetExpired } from './forget-expired.ts'

const lookEveryMs = 10 * 60_000
const daySeconds = 24 * 3600

export function retentionChores(parts: Parts): Chore[] {
  return [
    {
      name: 'forget',
      everyMs: lookEveryMs,
      async run(now) {
        const once = { name: 'forget', who: 'daily', windowSeconds: daySeconds }
        const { count: turns } = await count(parts.jobs, once, now)
        if (turns !== 1) return
        await forgetExpired(parts, await parts.settings.get('retention'), { acting: { kind: 'clock' }, now })
      },
    },
  ]
}
