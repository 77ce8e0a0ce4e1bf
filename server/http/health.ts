/** Whether the process answers (healthz), and whether it can do its work (readyz). */
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { row, sql } from '../db/sql.ts'
import type { Parts } from '../parts.ts'
import { Problem } from './problem.ts'

/** A database that takes longer is of no use to anybody. */
const patienceMs = 3_000

/** The database alone decides readiness: a platform that is away must not take the portal down. */
export function healthRoutes(server: FastifyInstance, parts: Parts): void {
  server.get('/healthz', async () => ({ ok: true }))
  server.get('/readyz', async () => {
    const ready = await Promise.race([answers(parts), wait(patienceMs, false, { ref: false })])
    if (!ready) throw new Problem('unavailable', { retryAfterSeconds: 5 })
    return { ok: true, role: parts.config.role }
  })
}

async function answers(parts: Parts): Promise<boolean> {
  const answered = await row<{ ready: boolean }>(parts.pool, sql`select true as ready`).catch(() => null)
  return answered !== null
}
