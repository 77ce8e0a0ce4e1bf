/**
 * Records that this person last opened from the palette, in this tab and until the sign-out (office/session.ts deletes
 * them). After a session has expired another person does not see them.
 */
import * as z from 'zod/mini'
import { hitKinds } from '#contract/office/search.ts'
import { recentRecordsKey } from '../../session.ts'

const records = z.array(
  z.object({
    kind: z.enum(hitKinds),
    title: z.string(),
    note: z.string(),
    href: z.string(),
    client: z.string(),
    at: z.number(),
  }),
)
const kept = z.object({ owner: z.string(), records })
type RecentRecord = z.output<typeof records>[number]

const recordsMax = 3

export function recentRecords(owner: string): readonly RecentRecord[] {
  const text = sessionStorage.getItem(recentRecordsKey)
  if (text === null) return []
  try {
    const found = kept.parse(JSON.parse(text))
    if (found.owner === owner) return found.records
    sessionStorage.removeItem(recentRecordsKey)
    return []
  } catch (thrown) {
    // Written by an older version of the app.
    if (thrown instanceof SyntaxError || thrown instanceof z.core.$ZodError) return []
    throw thrown
  }
}

export function rememberRecord(owner: string, record: RecentRecord): void {
  const others = recentRecords(owner).filter(({ href }) => href !== record.href)
  const next = { owner, records: [record, ...others].slice(0, recordsMax) }
  sessionStorage.setItem(recentRecordsKey, JSON.stringify(next))
}
