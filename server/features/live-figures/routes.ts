/** A stream of live figures for an open page of accounts, for the portal only (requirements 24.12, ADR 215). */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { liveAccountsMax, liveAccountsPath, liveFigures, type LiveFigures } from '#contract/live-figures.ts'
import type { AccountId } from '#rules/ids.ts'
import { getOfficePositions } from '#contract/office/trading-accounts.ts'
import { getOpenPositions as ownPositions } from '#contract/trading-history.ts'
import { listenTo } from '../../db/listen.ts'
import { isUuid } from '../../db/ids.ts'
import { createEventStreams, type Stream } from '../../http/event-streams.ts'
import { fastEncode } from '../../http/fast-encoder.ts'
import { Problem } from '../../http/problem.ts'
import { authorize, bearerOf, type RegisterEndpoint } from '../../http/register-endpoint.ts'
import { requireClient } from '../../http/handler.ts'
import { resolveCaller, type ClientCaller } from '../../http/sessions.ts'
import { snapshotAgeMs } from '../../ledger/account-snapshot.ts'
import type { Dependencies } from '../../dependencies.ts'
import { clientBalances, oldBalancesReason } from '../accounts/queries.ts'
import {
  figuresOf,
  storedTrades,
  ownOpenAccounts,
  sessionsWithAccess,
  watchAccounts,
  type FiguresRow,
  type StoredTrades,
  type OwnAccount,
} from './queries.ts'
import { getOpenPositions } from './show-positions.ts'
import { oldMs, watchedMs } from './times.ts'

const streamsPerSessionMax = 5
const renewMs = 10_000

interface Viewer {
  readonly sessionId: string
  readonly accounts: readonly OwnAccount[]
  /** Whether it receives open trades. */
  readonly trades: boolean
  /** The time of the last sent reading of open trades, by account. */
  readonly tradesSent: Map<AccountId, number>
  /** The last sent figures, by account. */
  readonly sent: Map<AccountId, string>
  readonly openedAt: number
  /** When the first of its balances will be marked as old, in ms; Infinity if none will. */
  oldAt: number
}

export function openPositionRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(ownPositions, getOpenPositions)
  registerEndpoint(getOfficePositions, getOpenPositions)
}

export async function liveFigureRoutes(server: FastifyInstance, dependencies: Dependencies): Promise<void> {
  let renewedAt = 0
  let becomesOld: NodeJS.Timeout | undefined
  const sendTo = async (some: readonly Stream<Viewer>[]): Promise<void> => {
    await sendChanges(dependencies, some)
    clearTimeout(becomesOld)
    // Pages are notified as soon as balances are old, not only at the next check.
    const oldAt = Math.min(...[...streams].map((stream) => stream.oldAt))
    const afterMs = Math.max(0, oldAt - dependencies.now().getTime())
    if (oldAt < Infinity) becomesOld = setTimeout(sendAll, afterMs).unref()
  }
  const sendAll = () =>
    void sendTo([...streams]).catch((error: unknown) => dependencies.log.warn({ err: error }, 'live figures not sent'))
  const { streams, open, onNotification, endAll } = createEventStreams<Viewer>(server, dependencies, {
    kind: 'figures',
    perSessionMax: streamsPerSessionMax,
    async lookAgain(looked) {
      const now = dependencies.now()
      const may = await sessionsWithAccess(
        dependencies.pool,
        looked.map(({ sessionId }) => sessionId),
        now,
      )
      for (const stream of looked) if (!may.has(stream.sessionId)) stream.end()
      if (Math.abs(now.getTime() - renewedAt) >= renewMs) {
        renewedAt = now.getTime()
        await renewWatch(dependencies, [...streams])
      }
      await sendTo([...streams])
    },
  })
  const listener = await listenTo({
    url: dependencies.config.database?.url ?? '',
    channels: ['figures', 'streams'],
    onNotification: (payload, channel) => (channel === 'streams' ? onNotification(payload) : sendAll()),
    onReconnect: endAll,
    onError: (error) => dependencies.log.warn({ err: error }, 'stream of live figures lost'),
  })
  server.addHook('preClose', async () => {
    clearTimeout(becomesOld)
    await listener.stop()
  })
  server.get(liveAccountsPath, async (request, reply) => {
    const { sessionId, clientId } = await approvedClient(dependencies, request)
    const accounts = await ownOpenAccounts(dependencies.pool, clientId, idsOf(request))
    const { trades } = request.query as Readonly<Record<string, unknown>>
    const viewer = {
      sessionId,
      accounts,
      trades: trades === '1',
      sent: new Map(),
      tradesSent: new Map(),
      openedAt: dependencies.now().getTime(),
      oldAt: Infinity,
    }
    await renewWatch(dependencies, [viewer])
    await sendTo([open(reply, viewer)])
  })
}

async function approvedClient(dependencies: Dependencies, request: FastifyRequest): Promise<ClientCaller> {
  const token = bearerOf(request)
  if (token === null) throw new Problem('not-signed-in')
  const caller = await resolveCaller(dependencies.pool, dependencies.keys, token, ['portal'], dependencies.now(), true)
  if (caller === null) throw new Problem('session-ended')
  authorize(['approved'], caller)
  return requireClient({ caller })
}

function idsOf({ query }: FastifyRequest): string[] {
  const { ids } = query as Readonly<Record<string, unknown>>
  const named = typeof ids === 'string' ? ids.split(',') : []
  if (named.length === 0 || named.length > liveAccountsMax || !named.every(isUuid)) throw new Problem('check-fields')
  return named
}

async function renewWatch(dependencies: Dependencies, viewers: readonly Pick<Viewer, 'accounts'>[]): Promise<void> {
  const accounts = accountsOf(viewers)
  if (accounts.size > 0)
    await watchAccounts(dependencies.pool, [...accounts.values()], new Date(dependencies.now().getTime() + watchedMs))
}

function accountsOf(viewers: readonly Pick<Viewer, 'accounts'>[]): ReadonlyMap<AccountId, OwnAccount> {
  return new Map(viewers.flatMap(({ accounts }) => accounts.map((account) => [account.id, account])))
}

/** Reads all watched data with one statement each, sends each stream what has changed for it, and sets its `oldAt`. */
async function sendChanges(dependencies: Dependencies, streams: readonly Stream<Viewer>[]): Promise<void> {
  const ids = [...accountsOf(streams).keys()]
  if (ids.length === 0) return
  const now = dependencies.now()
  const read = await figuresOf(dependencies.pool, ids)
  const encoded = (isAwaited: boolean) =>
    new Map(read.map((row) => [row.id, JSON.stringify(fastEncode(liveFigures, figuresResponse(row, now, isAwaited)))]))
  const figures = encoded(false)
  // For accounts without a viewer until now, the last reading is old before the platform is read for the first time.
  const isNew = ({ openedAt }: Viewer) => now.getTime() - openedAt < oldMs
  const awaited = streams.some(isNew) ? encoded(true) : figures
  const trades = await unsentTrades(dependencies, streams, now)
  const rowOf = new Map(read.map((row) => [row.id, row]))
  for (const stream of streams) {
    const own = stream.accounts.flatMap(({ id }) => rowOf.get(id) ?? [])
    stream.oldAt = Math.min(...own.map((row) => becomesOldAt(row, stream, now)))
    const news = stream.accounts.flatMap(({ id }) => {
      const text = (isNew(stream) ? awaited : figures).get(id)
      if (text === undefined || stream.sent.get(id) === text) return []
      stream.sent.set(id, text)
      return [text]
    })
    const newTrades = stream.trades ? newTradesOf(stream, trades) : []
    const further = newTrades.length === 0 ? '' : `,"trades":[${newTrades.join(',')}]`
    if (news.length + newTrades.length > 0) stream.write(`data: {"accounts":[${news.join(',')}]${further}}\n\n`)
  }
}

/** Returns when the balances of a page will be marked as old, in ms; Infinity if they already are, or are unknown. */
function becomesOldAt({ readAt }: FiguresRow, { openedAt }: Viewer, now: Date): number {
  if (readAt === null) return Infinity
  const oldAt = (snapshotAgeMs(readAt, now) < oldMs ? readAt.getTime() : openedAt) + oldMs
  return oldAt > now.getTime() ? oldAt : Infinity
}

/** Returns open trades of accounts whose pages show them, since the last ones sent to each page. */
async function unsentTrades(
  { pool }: Dependencies,
  streams: readonly Viewer[],
  now: Date,
): Promise<ReadonlyMap<AccountId, StoredTrades>> {
  const oldest = now.getTime() - watchedMs
  const sentUntil = new Map<AccountId, number>()
  for (const { accounts, tradesSent } of streams.filter((stream) => stream.trades))
    for (const { id } of accounts)
      sentUntil.set(id, Math.min(sentUntil.get(id) ?? Infinity, Math.max(tradesSent.get(id) ?? 0, oldest)))
  const since = new Map([...sentUntil].map(([id, at]) => [id, new Date(at)]))
  const kept = since.size === 0 ? [] : await storedTrades(pool, since)
  return new Map(kept.map((one) => [one.id, one]))
}

/** Returns the stored JSON unchanged, preceded by the account and the time of its reading. */
function newTradesOf({ accounts, tradesSent }: Viewer, trades: ReadonlyMap<AccountId, StoredTrades>): string[] {
  return accounts.flatMap(({ id }) => {
    const kept = trades.get(id)
    const at = kept?.readAt.getTime() ?? 0
    if (kept === undefined || (tradesSent.get(id) ?? 0) >= at) return []
    tradesSent.set(id, at)
    return [`{"_id":"${id}","readAt":${Math.floor(at / 1000)},${kept.trades.slice(1)}`]
  })
}

/** Returns the balances of an account; old ones without a known reason are not marked as old while `isAwaited`. */
function figuresResponse(row: FiguresRow, now: Date, isAwaited: boolean): LiveFigures {
  const known = !row.demoBalanceOnItsWay
  const isOld = row.readAt !== null && snapshotAgeMs(row.readAt, now) >= oldMs
  const held = isOld ? oldBalancesReason(row, now) : null
  const figuresOld = isOld && (held !== null || !isAwaited)
  return {
    _id: row.id,
    ...clientBalances(row),
    credit: known ? row.creditMinor : null,
    margin: known ? row.marginMinor : null,
    figuresOld,
    figuresHeld: held,
  }
}
