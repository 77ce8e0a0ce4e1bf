/** Figures of accounts on a page that stands open: a stream of the portal's own (requirements 24.12, ADR 215). */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { liveAccountsMax, liveAccountsPath, liveFigures, type LiveFigures } from '#contract/live-figures.ts'
import type { AccountId } from '#rules/ids.ts'
import { listenTo } from '../../db/listen.ts'
import { isUuid } from '../../db/ids.ts'
import { eventStreams, type Stream } from '../../http/event-streams.ts'
import { fastEncode } from '../../http/fast-encoder.ts'
import { Problem } from '../../http/problem.ts'
import { authorize, bearerOf } from '../../http/register-endpoint.ts'
import { requireClient } from '../../http/request-context.ts'
import { resolveCaller, type ClientCaller } from '../../http/sessions.ts'
import { snapshotAgeMs } from '../../ledger/account-snapshot.ts'
import type { Dependencies } from '../../dependencies.ts'
import { figuresShown } from '../accounts/queries.ts'
import { figuresOf, ownOpenAccounts, sessionsThatMay, watch, type FiguresRow, type OwnAccount } from './queries.ts'

const streamsPerSessionMax = 5
/** A server that ends leaves its accounts watched for so long; renewed well before. */
const watchedMs = 30_000
const renewMs = 10_000
/** A platform that answers is read every 12 s: figures that are older are said to be. */
const oldMs = 20_000

interface Viewer {
  readonly sessionId: string
  readonly accounts: readonly OwnAccount[]
  /** What was sent of each account last. */
  readonly sent: Map<AccountId, string>
}

export async function liveFigureRoutes(server: FastifyInstance, dependencies: Dependencies): Promise<void> {
  let renewedAt = 0
  const { streams, open, endAll } = eventStreams<Viewer>(server, dependencies, {
    perSessionMax: streamsPerSessionMax,
    async lookAgain(looked) {
      const now = dependencies.now()
      const may = await sessionsThatMay(
        dependencies.pool,
        looked.map(({ sessionId }) => sessionId),
        now,
      )
      for (const stream of looked) if (!may.has(stream.sessionId)) stream.end()
      if (Math.abs(now.getTime() - renewedAt) >= renewMs) {
        renewedAt = now.getTime()
        await watchFor(dependencies, [...streams])
      }
      await send(dependencies, [...streams])
    },
  })
  const listener = await listenTo({
    url: dependencies.config.database?.url ?? '',
    channels: ['figures'],
    heard: () =>
      void send(dependencies, [...streams]).catch((error: unknown) =>
        dependencies.log.warn({ err: error }, 'live figures not sent'),
      ),
    missed: endAll,
    onError: (error) => dependencies.log.warn({ err: error }, 'stream of figures lost'),
  })
  server.addHook('preClose', () => listener.stop())
  server.get(liveAccountsPath, async (request, reply) => {
    const { sessionId, clientId } = await approvedClient(dependencies, request)
    const accounts = await ownOpenAccounts(dependencies.pool, clientId, idsOf(request))
    const viewer = { sessionId, accounts, sent: new Map() }
    await watchFor(dependencies, [viewer])
    await send(dependencies, [open(reply, viewer)])
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

async function watchFor(dependencies: Dependencies, viewers: readonly Pick<Viewer, 'accounts'>[]): Promise<void> {
  const accounts = accountsOf(viewers)
  if (accounts.size > 0)
    await watch(dependencies.pool, [...accounts.values()], new Date(dependencies.now().getTime() + watchedMs))
}

function accountsOf(viewers: readonly Pick<Viewer, 'accounts'>[]): ReadonlyMap<AccountId, OwnAccount> {
  return new Map(viewers.flatMap(({ accounts }) => accounts.map((account) => [account.id, account])))
}

/** Reads the kept figures of all that is looked at in one statement, and sends each stream what is new in it. */
async function send(dependencies: Dependencies, streams: readonly Stream<Viewer>[]): Promise<void> {
  const ids = [...accountsOf(streams).keys()]
  if (ids.length === 0) return
  const now = dependencies.now()
  const figures = new Map(
    (await figuresOf(dependencies.pool, ids)).map((row) => [
      row.id,
      JSON.stringify(fastEncode(liveFigures, shown(row, now))),
    ]),
  )
  for (const stream of streams) {
    const news = stream.accounts.flatMap(({ id }) => {
      const text = figures.get(id)
      if (text === undefined || stream.sent.get(id) === text) return []
      stream.sent.set(id, text)
      return [text]
    })
    if (news.length > 0) stream.write(`data: {"accounts":[${news.join(',')}]}\n\n`)
  }
}

function shown(row: FiguresRow, now: Date): LiveFigures {
  const known = !row.demoBalanceOnItsWay
  return {
    _id: row.id,
    ...figuresShown(row),
    credit: known ? row.creditMinor : null,
    margin: known ? row.marginMinor : null,
    figuresOld: row.readAt !== null && snapshotAgeMs(row.readAt, now) >= oldMs,
  }
}
