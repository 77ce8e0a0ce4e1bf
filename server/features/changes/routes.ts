/**
 * Live screens: a stream of changes, which ends with the session that opened it (requirements 21.1). `notifyChange`
 * (db/work-items.ts) announces a change in its transaction; office/layout/changes.ts reads the stream.
 */
import * as z from 'zod/mini'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { changesPath } from '#contract/office/inbox.ts'
import type { StaffRole } from '#rules/actors.ts'
import { canRead } from '#rules/permissions.ts'
import { workItemAreas, type WorkItemKind } from '#rules/work-items.ts'
import { listenTo } from '../../db/listen.ts'
import { rows } from '../../db/sql.ts'
import { createEventStreams, type Stream } from '../../http/event-streams.ts'
import { Problem } from '../../http/problem.ts'
import { bearerOf } from '../../http/register-endpoint.ts'
import { resolveCaller, type StaffCaller } from '../../http/sessions.ts'
import type { Dependencies } from '../../dependencies.ts'

const streamsPerSessionMax = 20

const changeNotification = z.object({ kind: z.string(), id: z.string() })

interface Reader {
  readonly sessionId: string
  roles: readonly StaffRole[]
}

export async function changesRoutes(server: FastifyInstance, dependencies: Dependencies): Promise<void> {
  const { streams, open, onNotification, endAll } = createEventStreams<Reader>(server, dependencies, {
    kind: 'changes',
    perSessionMax: streamsPerSessionMax,
    lookAgain: (looked) => endExpiredStreams(dependencies, looked),
  })
  const listener = await listenTo({
    url: dependencies.config.database?.url ?? '',
    channels: ['changes', 'streams'],
    onNotification: (payload, channel) => {
      if (channel === 'streams') return onNotification(payload)
      const change = changeNotification.safeParse(JSON.parse(payload))
      if (!change.success) return
      const text = `data: ${JSON.stringify(change.data)}\n\n`
      for (const stream of streams) if (canReceive(change.data.kind, stream.roles)) stream.write(text)
    },
    // Changes during an interruption are lost: the streams end, and pages reload when they reconnect.
    onReconnect: endAll,
    onError: (error) => dependencies.log.warn({ err: error }, 'change stream lost'),
  })
  server.addHook('preClose', () => listener.stop())
  server.get(changesPath, async (request, reply) => {
    const { sessionId, roles } = await authenticateStaff(dependencies, request)
    open(reply, { sessionId, roles })
  })
}

async function authenticateStaff(dependencies: Dependencies, request: FastifyRequest): Promise<StaffCaller> {
  const token = bearerOf(request)
  if (token === null) throw new Problem('not-signed-in')
  const caller = await resolveCaller(dependencies.pool, dependencies.keys, token, ['office'], dependencies.now(), true)
  if (caller?.kind !== 'staff') throw new Problem('session-ended')
  return caller
}

/** Returns whether these roles may be notified of a record of this area; without read permission they are not. */
function canReceive(kind: string, roles: readonly StaffRole[]): boolean {
  return !(kind in workItemAreas) || canRead(workItemAreas[kind as WorkItemKind], roles)
}

/**
 * Ends the streams whose session is over and applies changed roles, in one statement for all streams of this server.
 */
async function endExpiredStreams(dependencies: Dependencies, looked: readonly Stream<Reader>[]): Promise<void> {
  const now = dependencies.now()
  const alive = await rows<{ id: string; roles: StaffRole[] }>(dependencies.pool)`
    select s.id, t.roles from sessions s join staff t on t.id = s.staff_id
      where s.id = any (${looked.map((stream) => stream.sessionId)}::uuid[]) and s.ended_at is null
        and s.ends_at > ${now} and s.last_seen_at + make_interval(secs => s.idle_seconds) > ${now}
        and t.state <> 'deactivated'`
  const rolesOf = new Map(alive.map((one) => [one.id, one.roles]))
  for (const stream of looked) {
    const roles = rolesOf.get(stream.sessionId)
    if (roles) stream.roles = roles
    else stream.end()
  }
}
