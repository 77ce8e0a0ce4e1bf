/** Trades of a MetaTrader 4 server over the gateway (docs/mt4-gateway.md). Its times and days are UTC. */
import { hourMs } from '#rules/dates.ts'
import { lotsText } from '#rules/trading-days.ts'
import type * as z from 'zod/mini'
import { isIntegrationError, Rejected, Unavailable } from '../../errors.ts'
import { splitIntoParts } from '#rules/split-into-parts.ts'
import type { ServerZone } from '../server-clock.ts'
import type {
  CurrentFigures,
  PlatformDayEnd,
  PlatformDeal,
  PlatformOpenTrades,
  PlatformOrder,
  PlatformPosition,
  ReportedPosition,
  TradeHistory,
  DealsOfPart,
} from '../trade-history.ts'
import { accountPath } from './accounts.ts'
import * as answers from './answers.ts'
import type { GatewayCaller } from './caller.ts'
import { dealsOf, hundredMillionths, mayBeRest, minorOfDecimal, originalTicketLookup } from './orders-as-deals.ts'
import { allPages, pagePath } from './pages.ts'
import { unreadableKeyField, tradeFrom, type ReadTrade } from './read-trade.ts'

/** The maximum number of accounts or groups in a call's address. */
const namesAtOnce = 100
/** The maximum number of accounts in a call's body. */
const loginsAtOnce = 1000
/** How long a gateway that has no trades is not asked for open ones. */
const noTradesRetryMs = hourMs

/** Whose trades: those of some accounts, or of all in some groups. */
type DealScope = { readonly logins: readonly string[] } | { readonly groups: readonly string[] }

/** The gateway converts the server's times to UTC. */
const zone: ServerZone = { toUtc: (platformMs) => platformMs, toServerTime: (ourMs) => ourMs }

export class Mt4TradeHistory implements TradeHistory {
  readonly #caller: GatewayCaller
  readonly #accounts: (logins: readonly string[]) => Promise<unknown[]>
  readonly #now: () => Date
  /** When the gateway last reported that it has no trades; null if it has them. */
  #lackedAt: number | null = null

  /** `accounts` returns the records of those accounts that exist. */
  constructor(caller: GatewayCaller, accounts: (logins: readonly string[]) => Promise<unknown[]>, now: () => Date) {
    this.#caller = caller
    this.#accounts = accounts
    this.#now = now
  }

  async isAvailable(): Promise<boolean> {
    const { tradeHistory } = await this.#caller.ask('/healthz', answers.healthAnswer)
    this.#lackedAt = tradeHistory === true ? null : this.#now().getTime()
    return tradeHistory === true
  }

  zone(): Promise<ServerZone> {
    return Promise.resolve(zone)
  }

  /**
   * Reads trades that were opened, closed, posted or changed in the time: a correction is found whatever it corrects.
   */
  deals(logins: readonly string[], fromMs: number, toMs: number): Promise<PlatformDeal[]> {
    return this.#deals({ logins }, fromMs, toMs)
  }

  async *dealsOfGroups(groups: readonly string[], fromMs: number, toMs: number): AsyncIterable<DealsOfPart> {
    yield { deals: await this.#deals({ groups }, fromMs, toMs), toMs }
  }

  async #deals(whose: DealScope, fromMs: number, toMs: number): Promise<PlatformDeal[]> {
    const found = await this.#trades(whose, fromMs, toMs)
    const placed = found.filter(isPlaced)
    const origins = originalTicketLookup([...placed, ...(await this.#withRests(placed, fromMs, toMs))])
    return found.flatMap((trade) => dealsOf(trade, origins(trade.ticket)))
  }

  /** Returns positions under the number of their deals. */
  async openTrades(logins: readonly string[]): Promise<ReadonlyMap<string, PlatformOpenTrades>> {
    const open = await this.#openTrades(logins)
    const rests = [...open.values()].flatMap(({ positions }) => positions.filter(({ comment }) => mayBeRest(comment)))
    const origins = originalTicketLookup(await this.#sinceOpened(rests, this.#now().getTime() + hourMs))
    return new Map(
      [...open].map(([login, { positions, orders }]) => [
        login,
        { positions: positions.map((one) => ({ ...one, ticket: origins(one.ticket) })), orders },
      ]),
    )
  }

  /**
   * Returns open trades, or null if the gateway does not provide them. One without trades is asked again after an hour,
   * or once `isAvailable` has found them.
   */
  async openNow(logins: readonly string[]): Promise<ReadonlyMap<string, PlatformOpenTrades> | null> {
    const nowMs = this.#now().getTime()
    // In either direction: the clock may have been set back.
    if (this.#lackedAt !== null && Math.abs(nowMs - this.#lackedAt) < noTradesRetryMs) return null
    try {
      return await this.#openTrades(logins)
    } catch (error) {
      if (!isIntegrationError(error)) throw error
      if (error instanceof Rejected && error.reason === 'not-found') this.#lackedAt = nowMs
      return null
    }
  }

  /**
   * Returns the open trades of each account, each under its current ticket. An account with an unreadable trade is left
   * out, without affecting the others. Throws `Rejected` if the gateway does not provide open trades, and `Unavailable`
   * for a trade of none of these accounts, because one of theirs would be missing.
   */
  async #openTrades(logins: readonly string[]): Promise<ReadonlyMap<string, OpenOfAccount>> {
    const found = { positions: new Array<unknown>(), orders: new Array<unknown>() }
    for (const some of splitIntoParts(logins, loginsAtOnce)) {
      const read = (after: string | null) => {
        const body = { logins: some, ...(after !== null && { after }) }
        return this.#caller.askByBody('/v2/open-trades', body, answers.openTradeRecords)
      }
      for await (const page of allPages(read)) {
        found.positions.push(...page.positions)
        found.orders.push(...page.orders)
      }
    }
    return openTradesByLogin(logins, found)
  }

  /** The gateway has no end-of-day reports: our own deals and readings replace them. */
  dayEnds(): Promise<PlatformDayEnd[]> {
    return Promise.resolve([])
  }

  reportedPositions(): Promise<ReadonlyMap<string, ReportedPosition[]>> {
    return Promise.resolve(new Map<string, ReportedPosition[]>())
  }

  async groupsOf(logins: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const accounts = answers.readableRecords(answers.accountGroup, await this.#accounts(logins))
    return new Map(accounts.map(({ login, group }) => [login, group]))
  }

  async currentFigures(logins: readonly string[]): Promise<ReadonlyMap<string, CurrentFigures>> {
    const accounts = answers.readableRecords(answers.accountResult, await this.#accounts(logins))
    return new Map(
      accounts.flatMap(({ login, equity, margin, balance, credit, openPositions }) => {
        const used = margin === undefined ? null : minorOfDecimal(margin)
        if (equity !== undefined)
          return [
            [
              login,
              { floating: minorOfDecimal(equity) - minorOfDecimal(balance) - minorOfDecimal(credit), margin: used },
            ] as const,
          ]
        return openPositions === 0 ? [[login, { floating: 0n, margin: used ?? 0n }] as const] : []
      }),
    )
  }

  async sums(login: string): Promise<{ balance: bigint; credit: bigint }> {
    const { balance, credit } = await this.#caller.ask(accountPath(login), answers.accountAnswer)
    return { balance: minorOfDecimal(balance), credit: minorOfDecimal(credit) }
  }

  /** Reads the other orders of positions that are closed in parts and were opened before the time. */
  #withRests(found: readonly ReadTrade[], fromMs: number, toMs: number): Promise<ReadTrade[]> {
    const older = found.filter(({ comment, openedAt }) => mayBeRest(comment) && Date.parse(openedAt) < fromMs)
    return this.#sinceOpened(
      older.map(({ login, openedAt }) => ({ login, time: Date.parse(openedAt) })),
      toMs,
    )
  }

  /** Every order of a position changes after the position was opened. */
  async #sinceOpened(opened: readonly { login: string; time: number }[], toMs: number): Promise<ReadTrade[]> {
    if (opened.length === 0) return []
    const logins = [...new Set(opened.map(({ login }) => login))]
    const first = opened.reduce((least, { time }) => Math.min(least, time), toMs)
    return (await this.#trades({ logins }, first, toMs)).filter(isPlaced)
  }

  async #trades(whose: DealScope, fromMs: number, toMs: number): Promise<ReadTrade[]> {
    const [name, names] = 'logins' in whose ? ['logins', whose.logins] : ['groups', whose.groups]
    const [owner = ''] = name === 'logins' && names.length === 1 ? names : []
    const found: ReadTrade[] = []
    for (const some of splitIntoParts(names, namesAtOnce)) {
      const window = { from: new Date(fromMs), to: new Date(toMs), [name]: some.join(',') }
      const read = (after: string | null) =>
        this.#caller.ask(pagePath('/v2/trades', { ...window, after }), answers.tradeRecords)
      for await (const page of allPages(read)) {
        for (const record of page.trades) {
          const trade = tradeFrom(record, owner)
          // It may belong to this account, and would otherwise be treated as deleted.
          if (owner !== '' && trade.login !== owner)
            throw new Unavailable('The gateway returned an order of another account')
          found.push(trade)
        }
      }
    }
    return found
  }
}

type WireOpen = z.infer<typeof answers.openTradesOfAccount>

/** The open trades of an account, with the comments that name the other parts of a position. */
interface OpenOfAccount extends PlatformOpenTrades {
  readonly positions: readonly OpenPosition[]
}

interface OpenPosition extends PlatformPosition {
  readonly comment: string
}

function isPlaced(trade: ReadTrade): boolean {
  return unreadableKeyField(trade) === null
}

function positionFrom(position: WireOpen['positions'][number]): OpenPosition {
  const { ticket, login, symbol, side, lots, openPrice, price, stopLoss, takeProfit, comment } = position
  return {
    ticket,
    login,
    symbol,
    side,
    lots: lotsText(hundredMillionths(lots)),
    openPrice,
    price,
    stopLoss,
    takeProfit,
    swap: minorOfDecimal(position.swap),
    profit: minorOfDecimal(position.profit),
    time: Date.parse(position.openedAt),
    comment,
  }
}

function openTradesByLogin(
  logins: readonly string[],
  open: Readonly<Record<'positions' | 'orders', readonly unknown[]>>,
): ReadonlyMap<string, OpenOfAccount> {
  const [positions, orders] = [groupByLogin(open.positions), groupByLogin(open.orders)]
  const asked = new Set(logins)
  for (const login of [...positions.keys(), ...orders.keys()])
    if (!asked.has(login)) throw new Unavailable(`The gateway returned an open trade of "${login}"`)
  return new Map(
    logins.flatMap((login) => {
      const own = { positions: positions.get(login) ?? [], orders: orders.get(login) ?? [] }
      return answers
        .readableRecords(answers.openTradesOfAccount, [own])
        .map((read) => [login, { positions: read.positions.map(positionFrom), orders: read.orders.map(orderFrom) }])
    }),
  )
}

function groupByLogin(records: readonly unknown[]): Map<string, unknown[]> {
  return Map.groupBy(records, (record) => String(answers.recordOf(record).login))
}

function orderFrom({
  lots,
  placedAt,
  expiresAt: _expiry,
  comment: _comment,
  ...order
}: WireOpen['orders'][number]): PlatformOrder {
  return { ...order, lots: lotsText(hundredMillionths(lots)), time: Date.parse(placedAt) }
}
