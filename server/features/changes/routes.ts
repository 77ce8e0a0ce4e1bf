/** Live screens: a stream of what changed, which ends with the session that opened it (requirements 21.1). */
import * as z from 'zod/mini'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { changesPath } from '#contract/office/inbox.ts'
import type { StaffRole } from '#rules/actors.ts'
import { canRead } from '#rules/permissions.ts'
import { workItemAreas, type WorkItemKind } from '#rules/work-items.ts'
import { listenTo } from '../../db/listen.ts'
import { rows } from '../../db/sql.ts'
import { Problem } from '../../http/problem.ts'
import { bearerOf } from '../../http/register-endpoint.ts'
import { resolveCaller, type StaffCaller } from '../../http/sessions.ts'
import type { Dependencies } from '../../dependencies.ts'
import { openStream, type Stream } from './open-stream.ts'

const lookAgainMs = 3_000
const heartbeatMs = 20_000
const streamsPerSessionMax = 20

const announced = z.object({ kind: z.string(), id: z.string() })

export async function changesRoutes(server: FastifyInstance, dependencies: Dependencies): Promise<void> {
  const streams = new Set<Stream>()
  const endAll = () => streams.forEach((stream) => stream.end())
  const listener = await listenTo({
    url: dependencies.config.database?.url ?? '',
    channels: ['changes'],
    heard: (payload) => {
      const change = announced.safeParse(JSON.parse(payload))
      if (!change.success) return
      const text = `data: ${JSON.stringify(change.data)}\n\n`
      for (const stream of streams) if (mayHear(change.data.kind, stream.roles)) stream.write(text)
    },
    // What happened during a break is lost: the streams end, and the pages read again when they open the next one.
    missed: endAll,
    onError: (error) => dependencies.log.warn({ err: error }, 'change stream lost'),
  })
  const { stopping, config, pause } = dependencies
  stopping.addEventListener('abort', () => void endSpread(streams, config.drainMs, pause))
  const clocks = [
    setInterval(
      () =>
        void endDead(dependencies, streams).catch((error: unknown) =>
          dependencies.log.warn({ err: error }, 'stream sessions not checked'),
        ),
      lookAgainMs,
    ),
    setInterval(() => streams.forEach((stream) => stream.write(': here\n\n')), heartbeatMs),
  ]
  for (const clock of clocks) clock.unref()
  server.addHook('preClose', async () => {
    clocks.forEach((clock) => clearInterval(clock))
    endAll()
    await listener.stop()
  })
  server.get(changesPath, async (request, reply) => {
    const staff = await signedIn(dependencies, request)
    endOldest(streams, staff.sessionId)
    open(reply, staff, streams)
  })
}

/**
 * Ends the streams of a server that drains one by one, the ones that are opened meanwhile too: each page opens its next
 * one elsewhere, and not all of them at once.
 */
async function endSpread(streams: ReadonlySet<Stream>, withinMs: number, pause: Dependencies['pause']): Promise<void> {
  const eachMs = withinMs / (streams.size + 1)
  for (const stream of streams) {
    await pause(eachMs)
    stream.end()
  }
}

/** Ends the oldest stream of a session over its limit: a closed page may be noticed late. */
function endOldest(streams: Set<Stream>, sessionId: string): void {
  const own = [...streams].filter((one) => one.sessionId === sessionId)
  for (const stream of own.slice(0, Math.max(0, own.length - streamsPerSessionMax + 1))) stream.end()
}

async function signedIn(dependencies: Dependencies, request: FastifyRequest): Promise<StaffCaller> {
  const token = bearerOf(request)
  if (token === null) throw new Problem('not-signed-in')
  const caller = await resolveCaller(dependencies.pool, dependencies.keys, token, ['office'], dependencies.now(), true)
  if (caller?.kind !== 'staff') throw new Problem('session-ended')
  return caller
}

function open(reply: FastifyReply, staff: StaffCaller, streams: Set<Stream>): void {
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value)
  reply.hijack()
  reply.raw.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  openStream(streams, reply.raw, staff)
}

/** Records of an area that somebody may not read are not even announced to them. */
function mayHear(kind: string, roles: readonly StaffRole[]): boolean {
  return !(kind in workItemAreas) || canRead(workItemAreas[kind as WorkItemKind], roles)
}

/** Ends the streams whose session is over, and takes over changed roles: one statement for all of this server's. */
async function endDead(dependencies: Dependencies, streams: ReadonlySet<Stream>): Promise<void> {
  // Those of now: one that is opened while the database answers is not in its answer.
  const looked = [...streams]
  if (looked.length === 0) return
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
