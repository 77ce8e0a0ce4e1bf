/** Whether the process answers (healthz), and whether it can do its work (readyz). */
import type { FastifyInstance } from 'fastify'
import { row, sql } from '../db/sql.ts'
import type { Parts } from '../parts.ts'
import { Problem } from './problem.ts'

/** The database alone decides readiness: a platform that is away must not take the portal down. */
export function healthRoutes(server: FastifyInstance, parts: Parts): void {
  server.get('/healthz', async () => ({ ok: true }))
  server.get('/readyz', async () => {
    const answered = await row<{ ready: boolean }>(parts.pool, sql`select true as ready`).catch(() => null)
    if (!answered) throw new Problem('unavailable', { retryAfterSeconds: 5 })
    return { ok: true, role: parts.config.role }
  })
}
