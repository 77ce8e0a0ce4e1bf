/** What this person opened last from the palette, in this tab and until the sign-out (office/session.ts forgets it). */
import * as z from 'zod/mini'
import { hitKinds } from '#contract/office/search.ts'
import { recentRecordsKey } from '../../session.ts'

const kept = z.array(
  z.object({
    kind: z.enum(hitKinds),
    title: z.string(),
    note: z.string(),
    href: z.string(),
    client: z.string(),
    at: z.number(),
  }),
)
type RecentRecord = z.output<typeof kept>[number]

const recordsMax = 3

export function recentRecords(): readonly RecentRecord[] {
  try {
    return kept.parse(JSON.parse(sessionStorage.getItem(recentRecordsKey) ?? '[]'))
  } catch (thrown) {
    // Written by an older version of the page.
    if (thrown instanceof SyntaxError || thrown instanceof z.core.$ZodError) return []
    throw thrown
  }
}

export function rememberRecord(record: RecentRecord): void {
  const others = recentRecords().filter(({ href }) => href !== record.href)
  sessionStorage.setItem(recentRecordsKey, JSON.stringify([record, ...others].slice(0, recordsMax)))
}
