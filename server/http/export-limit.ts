/**
 * Limits the files that one person may export in an hour (ASVS 2.4.1): a file of the back office contains many people,
 * and a PDF takes time to render.
 */
import type { Pool } from 'pg'
import type { MediaType } from '#contract/endpoint.ts'
import type { Settings } from '../settings/settings.ts'
import type { RequestContext } from './request-context.ts'
import { limit, perHour } from './rate-limits.ts'

const copied: readonly MediaType[] = ['text/csv', 'application/zip']
const printed: readonly MediaType[] = ['text/csv', 'application/pdf']
const printedPerHour = 60

/** Counts an export of the back office or a client's PDF; throws `too-many`. Every other call passes. */
export async function limitExports(
  { pool, settings }: { readonly pool: Pool; readonly settings: Settings },
  { caller, endpoint, now }: Pick<RequestContext, 'caller' | 'endpoint' | 'now'>,
): Promise<void> {
  if (caller.kind === 'client' && printed.includes(endpoint.produces))
    await limit(pool, perHour('printed', caller.clientId), printedPerHour, now)
  if (caller.kind !== 'staff' || !copied.includes(endpoint.produces)) return
  const { exportsPerHour } = await settings.get('rateLimits')
  await limit(pool, perHour('export', caller.staffId), exportsPerHour, now)
}
