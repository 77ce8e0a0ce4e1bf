/**
 * Before the first send of every start, and after every change of the database's timeline, a server checks whether
 * integrations know more than its database. Until then it sends nothing; a sign opens recovery, which every server
 * reads (requirements 20.9). A failover that lost nothing delays sends for seconds.
 */
import type { ClientBase, Pool } from 'pg'
import type { FastifyBaseLogger } from 'fastify'
import type { AuditContext } from '../db/events.ts'
import { forgetRecentEvents, recentEvents, type RecentEvent } from '../db/recent-events.ts'
import { row, transaction, type Transaction } from '../db/sql.ts'
import { Deferred } from '../integrations/errors.ts'
import { isUnreadableFieldError } from '../ledger/unreadable-accounts.ts'
import { lastKnown, recordDatabaseChange, timelineOf } from './database-identity.ts'
import { openRecovery } from './open-recovery.ts'
import type { RecoverySign } from './stopped-money.ts'

/** A search for one sign at one integration. */
export interface SignSearch {
  readonly name: string
  /** The integration whose sends wait for it, as in an operation's target; null for all of them. */
  readonly integration: string | null
  /**
   * Throws if the integration does not respond. `since`: from when on commits may be lost, after a failover; null at a
   * start, where the search begins at the newest settled operation.
   */
  look(since: Date | null): Promise<SeenSign | null>
}

/** The finding of a search. */
export interface SeenSign {
  readonly sign: RecoverySign
  readonly since: Date
  /** Writes what was found besides the sign, in the transaction that opens recovery. */
  keep?(tx: Transaction, auditContext: AuditContext): Promise<void>
}

export interface SendingGate {
  /** Returns whether operations of this target may be sent now; searches for signs if not done yet. */
  maySend(target: string): Promise<boolean>
  /** Returns why a search at the target's integration has no answer although the integration responds, or null. */
  problemAt(target: string): string | null
  /** True if all searches of this epoch have succeeded: nothing needs to be checked. */
  isOpen(): boolean
  /** Changes with each new timeline: earlier permissions must be checked again. */
  epoch(): number
  /** Receives the timeline of a new connection. */
  connected(timeline: string | null): void
  /** Searches now, and again while a search failed or the timeline changed; returns a function that stops it. */
  keepLooking(): () => Promise<void>
}

interface GateDependencies {
  /** The pools whose events count; the first one is queried. */
  readonly pools: readonly [Pool, ...Pool[]]
  readonly searches: readonly SignSearch[]
  readonly timeline: string
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn'>
  readonly now: () => Date
}

/** A search that failed is retried after this time. */
const againMs = 2_000
/** The same cause is logged again after this time, and then after twice the time, up to an hour. */
const warnedAgainMs = 60_000
const warnedAgainMsMax = 3_600_000
const timelineStep = 'timeline'

/** The result of one step of a search in an epoch. */
interface Look {
  readonly epoch: number
  readonly at: number
  readonly passed: Promise<boolean>
}

export function openSendingGate(dependencies: GateDependencies): SendingGate {
  const { searches, now, log } = dependencies
  let { timeline } = dependencies
  let epoch = 0
  let since: Date | null = null
  const looks = new Map<string, Look>()
  /** The epoch in which a search succeeded, by its name. */
  const passedEpochs = new Map<string, number>()
  /** The response that a search cannot use, by the name of the search. */
  const unreadable = new Map<string, string>()
  const hasPassed = (name: string) => passedEpochs.get(name) === epoch
  /** How often and when the causes of a search's failures were logged, by its name. */
  const warned = new Map<string, Map<string, { readonly times: number; readonly at: number }>>()

  const warn = (name: string, error: unknown): void => {
    const causes = warned.get(name) ?? new Map<string, { times: number; at: number }>()
    warned.set(name, causes)
    const at = now().getTime()
    const last = causes.get(String(error))
    const times = last?.times ?? 0
    const waitMs = Math.min(warnedAgainMsMax, warnedAgainMs * 2 ** (times - 1))
    if (last && Math.abs(at - last.at) < waitMs) return
    causes.set(String(error), { times: times + 1, at })
    log.warn({ err: error, search: name }, 'failover check failed, repeated before anything is sent')
  }

  /** Runs a step once in an epoch; one that failed is run again after a while. */
  const step = async (name: string, work: () => Promise<void>): Promise<boolean> => {
    if (hasPassed(name)) return true
    const last = looks.get(name)
    if (last?.epoch === epoch && Math.abs(now().getTime() - last.at) < againMs) return last.passed
    const begun = epoch
    const passed = (async () => {
      try {
        await work()
        unreadable.delete(name)
        warned.delete(name)
        passedEpochs.set(name, begun)
        return epoch === begun
      } catch (error) {
        const isAnswer = error instanceof Deferred || isUnreadableFieldError(error)
        if (error instanceof Error && isAnswer) unreadable.set(name, error.message)
        else unreadable.delete(name)
        warn(name, error)
        return false
      }
    })()
    looks.set(name, { epoch: begun, at: now().getTime(), passed })
    return passed
  }

  const afterFailover = async (): Promise<void> => {
    const { news } = await recordDatabaseChange(dependencies.pools[0], now())
    since = await transaction(dependencies.pools[0], (tx) => lastKnown(tx, now()))
    if (await lostEvents(dependencies.pools[0], recentEvents(dependencies.pools)))
      await found({ sign: 'lost-event', since })
    forgetRecentEvents(dependencies.pools)
    log.info({ news, timeline }, 'timeline changed, unfinished operations are queried before anything is sent')
  }

  const found = (seen: SeenSign): Promise<void> => {
    log.warn({ sign: seen.sign }, 'platforms or providers have newer data, recovery begins')
    const auditContext: AuditContext = { identity: { kind: 'recovery' }, now: now(), reference: 'recovery' }
    return transaction(dependencies.pools[0], async (tx) => {
      await openRecovery(tx, { sign: seen.sign, since: seen.since, now: auditContext.now })
      await seen.keep?.(tx, auditContext)
    })
  }

  const search = (one: SignSearch) => async (): Promise<void> => {
    const sign = await one.look(since)
    if (sign) await found(sign)
  }

  const lookEverywhere = async (): Promise<void> => {
    if (epoch > 0 && !(await step(timelineStep, afterFailover))) return
    await Promise.all(searches.map((one) => step(one.name, search(one))))
  }

  const gate: SendingGate = {
    isOpen: () => (epoch === 0 || hasPassed(timelineStep)) && searches.every(({ name }) => hasPassed(name)),
    epoch: () => epoch,
    connected(seen) {
      if (seen === null || seen === timeline) return
      timeline = seen
      epoch += 1
      void step(timelineStep, afterFailover)
    },
    async maySend(target) {
      const [integration] = target.split(':')
      const begun = epoch
      if (begun > 0 && !(await step(timelineStep, afterFailover))) return false
      for (const one of searches) {
        if (one.integration !== null && one.integration !== integration) continue
        if (!(await step(one.name, search(one)))) return false
      }
      return begun === epoch
    },
    problemAt(target) {
      const [integration] = target.split(':')
      const near = searches.filter((one) => one.integration === null || one.integration === integration)
      return near.map(({ name }) => unreadable.get(name)).find((problem) => problem !== undefined) ?? null
    },
    keepLooking() {
      const look = () => {
        if (!gate.isOpen()) void lookEverywhere()
      }
      look()
      const timer = setInterval(look, againMs)
      timer.unref()
      return async () => {
        clearInterval(timer)
        await Promise.all([...looks.values()].map(({ passed }) => passed))
      }
    },
  }
  return gate
}

/** Returns whether the database lacks one of these events, or has another one under its number. */
async function lostEvents(pool: Pool, events: readonly RecentEvent[]): Promise<boolean> {
  if (events.length === 0) return false
  const lost = await row<{ lost: boolean }>(pool)`select exists (
        select from unnest(${events.map(({ id }) => String(id))}::bigint[], ${events.map(({ at }) => at)}::timestamptz[],
          ${events.map(({ verb: action }) => action)}::text[]) as known (id, at, verb)
        where not exists (select from events e where e.id = known.id and e.at = known.at and e.verb = known.verb)) as lost`
  return lost?.lost ?? true
}

/** Reads the timeline of every new connection of these pools, before anything else is sent on it. */
export function watchTimelines(pools: readonly Pool[], gate: SendingGate): void {
  for (const pool of pools)
    Object.assign(pool.options, {
      onConnect: async (connection: ClientBase) => gate.connected(await timelineOf(connection)),
    })
}

/** For sends without a server, in the tests of operations. */
export const alwaysOpenGate: SendingGate = {
  isOpen: () => true,
  maySend: () => Promise.resolve(true),
  problemAt: () => null,
  epoch: () => 0,
  connected: () => undefined,
  keepLooking: () => () => Promise.resolve(),
}
