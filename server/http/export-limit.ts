/** So many files may one staff member take out in an hour, whatever is in them (ASVS 2.4.1): each copies many people. */
import type { Pool } from 'pg'
import type { MediaType } from '#contract/endpoint.ts'
import type { Settings } from '../settings.ts'
import type { Call } from './call.ts'
import { limit } from './rate-limits.ts'

const hourSeconds = 3600
const copied: readonly MediaType[] = ['text/csv', 'application/zip']

/** Counts an export of the back office; throws `too-many` over the firm's setting. Every other call passes. */
export async function limitExports(
  { pool, settings }: { readonly pool: Pool; readonly settings: Settings },
  { caller, endpoint, now }: Pick<Call, 'caller' | 'endpoint' | 'now'>,
): Promise<void> {
  if (caller.kind !== 'staff' || !copied.includes(endpoint.gives)) return
  const { exportsPerHour } = await settings.get('rateLimits')
  await limit(pool, { name: 'export', who: caller.staffId, windowSeconds: hourSeconds }, exportsPerHour, now)
}
