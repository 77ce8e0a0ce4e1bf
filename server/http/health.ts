/** Health checks: the process responds (healthz), and it can do its work (readyz). */
import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { row } from '../db/sql.ts'
import type { Dependencies } from '../dependencies.ts'
import { productVersion } from '../log/log.ts'
import { Problem } from './problem.ts'

/** A database that takes longer counts as not ready. */
const databaseTimeoutMs = 3_000

/**
 * Registers `/healthz` and `/readyz`. Only the database decides readiness: a platform that does not respond, or
 * recovery, in which clients sign in and read, must not make the portal unavailable. A read-only database is not ready;
 * a draining server is alive and not ready.
 */
export function healthRoutes(server: FastifyInstance, dependencies: Dependencies): void {
  const running = {
    ok: true,
    version: productVersion,
    role: dependencies.config.role,
    host: hostname(),
    pid: process.pid,
  }
  server.get('/healthz', async () => running)
  server.get('/readyz', async () => {
    if (dependencies.stopping.aborted) throw new Problem('unavailable', { retryAfterSeconds: 5 })
    const state = await Promise.race([readinessOf(dependencies), wait(databaseTimeoutMs, null, { ref: false })])
    if (state === null) throw new Problem('unavailable', { retryAfterSeconds: 5 })
    if (state === 'read-only') throw new Problem('database-read-only', { retryAfterSeconds: 5 })
    return { ok: true, role: dependencies.config.role, state }
  })
}

async function readinessOf(dependencies: Dependencies): Promise<'serving' | 'recovery' | 'read-only' | null> {
  const found = await row<{ readOnly: boolean; recovery: boolean }>(dependencies.pool)`
    select current_setting('transaction_read_only') = 'on' as "readOnly",
      exists (select from recovery where closed_at is null) as recovery`.catch(() => null)
  if (!found) return null
  if (found.readOnly) return 'read-only'
  return found.recovery ? 'recovery' : 'serving'
}
