/** Reads many accounts together: records, trade states, open positions and deals, each in one query for all. */
import type { Currency } from '#rules/money.ts'
import { isIntegrationError, Unavailable } from '../../errors.ts'
import { figure } from '../figures.ts'
import type { AccountReadings, BalanceOperation, LiveFigures, PlatformAccount } from '../trading-server.ts'
import { inParts } from '#rules/in-parts.ts'
import type { Mt5Caller } from './caller.ts'
import { balanceDealOf, dealsBetween, isNumber, type BalanceDeal } from './deals.ts'
import { ofLogins, openRecords, ordersPath, positionsPath, tradesFrom } from './open-trades.ts'
import { windowOfServer, type ZoneOfServer } from '../server-clock.ts'
import { textOf, unlessOdd } from './values.ts'

type WireRecord = Record<string, unknown>

export const enabledRight = 1

/** Returns the account of a user's record and its trade state, if the server has one. */
export function accountFrom(
  user: WireRecord,
  state: WireRecord | null,
  currency: Currency,
  readAt: Date,
): PlatformAccount {
  return {
    ...figuresFrom(user, state, currency, readAt),
    leverage: Number(textOf(user, 'Leverage')),
    group: textOf(user, 'Group'),
    enabled: isEnabled(user),
  }
}

function isEnabled(user: WireRecord): boolean {
  return (Number(textOf(user, 'Rights')) & enabledRight) !== 0
}

/** Returns the balances of a trade state, or those of the user's record without one. */
function figuresFrom(user: WireRecord | null, state: WireRecord | null, currency: Currency, readAt: Date) {
  const read = (name: string) => {
    const amount = figure((state ?? user)?.[name], currency)
    if (amount === null) throw new Unavailable(`The platform's ${name} is no amount`)
    return amount
  }
  return {
    balance: read('Balance'),
    credit: read('Credit'),
    ...(state !== null && {
      equity: read('Equity'),
      margin: read('Margin'),
      freeMargin: read('MarginFree'),
      profit: read('Profit'),
    }),
    readAt,
  }
}

/** The number of trade states and users that are read in one query, with their logins in its address. */
const figuresAtOnce = 500

/**
 * Reads the trade states of many accounts, the users of those without one (`records`: of all), open positions and
 * pending orders. An account whose figures are no amounts is absent, so that the others have theirs.
 */
export async function readFigures(
  { caller, now }: { caller: Pick<Mt5Caller, 'list' | 'listByBody'>; now: () => Date },
  accounts: readonly { readonly login: string; readonly currency: Currency }[],
  records: boolean,
): Promise<ReadonlyMap<string, LiveFigures>> {
  const readAt = now()
  const logins = accounts.map(({ login }) => login)
  const states = byLogin(await listed(caller, '/api/user/account/get_batch', logins))
  const wanted = records ? logins : logins.filter((login) => !states.has(login))
  const users = byLogin(await listed(caller, '/api/user/get_batch', wanted))
  // Only an account with a trade state can have positions.
  const positions = ofLogins(await openRecords(caller, positionsPath, [...states.keys()]))
  const waiting = await openRecords(caller, ordersPath, logins).catch(nullIfIntegration)
  const orders = waiting && ofLogins(waiting)
  return new Map(
    accounts.flatMap(({ login, currency }) => {
      const [state, user] = [states.get(login) ?? null, users.get(login) ?? null]
      if (state === null && user === null) return []
      const figures = unlessOdd(() => figuresFrom(user, state, currency, readAt))
      if (figures === null) return []
      const open = positions.get(login) ?? []
      const trades = orders && unlessOdd(() => tradesFrom(open, orders.get(login) ?? []))
      const enabled = user && unlessOdd(() => isEnabled(user))
      return [[login, { ...figures, openPositions: open.length, trades, enabled }]]
    }),
  )
}

/** Balances do not depend on pending orders: null if they are not read. */
function nullIfIntegration(error: unknown): null {
  if (!isIntegrationError(error)) throw error
  return null
}

async function listed(caller: Pick<Mt5Caller, 'list'>, path: string, logins: readonly string[]): Promise<WireRecord[]> {
  const found: WireRecord[] = []
  for (const part of inParts(logins, figuresAtOnce)) found.push(...(await caller.list(path, { login: part.join(',') })))
  return found
}

interface Reading {
  readonly account: PlatformAccount
  readonly openPositions: number
  /** Null if a deal among those of several accounts has no readable one: it may be this account's. */
  readonly deals: readonly BalanceDeal[] | null
}

interface ReadingSource {
  readonly caller: Mt5Caller
  readonly currencyOf: (group: string) => Promise<Currency>
  readonly zone: ZoneOfServer
  readonly now: () => Date
  /** Reads one account alone: its absence from a list is no proof that it does not exist. */
  readonly single: AccountReadings
}

/**
 * Reads accounts, positions and balance operations of many logins with few calls. The window is by our clock; an
 * account that is in no list, and one in another window, is read alone.
 */
export async function readAccounts(
  source: ReadingSource,
  logins: readonly string[],
  { from, to }: { from: Date; to: Date },
): Promise<AccountReadings> {
  const readings = new Map<string, Reading>()
  const window = windowOfServer(source.zone, from.getTime(), to.getTime())
  for (const part of inParts(logins, figuresAtOnce))
    for (const [login, reading] of await readPart(source, part, window)) readings.set(login, reading)
  const { single } = source
  return {
    getAccount: async (login) => readings.get(login)?.account ?? single.getAccount(login),
    openPositions: async (login) => readings.get(login)?.openPositions ?? single.openPositions(login),
    async balanceOperations(login, first, last): Promise<BalanceOperation[]> {
      const reading = readings.get(login)
      if (!reading?.deals || first < from || last > to) return single.balanceOperations(login, first, last)
      return operationsWithin(reading.deals, source.zone, first, last)
    },
  }
}

/** Returns the deals of a window as operations with times by our clock. */
export function operationsWithin(
  deals: readonly BalanceDeal[],
  zone: ZoneOfServer,
  from: Date,
  to: Date,
): BalanceOperation[] {
  // The platform's times are whole seconds.
  const [first, last] = [Math.floor(from.getTime() / 1000) * 1000, to.getTime()]
  return deals
    .map(({ ticket, amount, comment, time }) => ({ ticket, amount, comment, at: new Date(zone.ours(time)) }))
    .filter(({ at }) => at.getTime() >= first && at.getTime() <= last)
}

async function readPart(
  { caller, currencyOf, now }: ReadingSource,
  logins: readonly string[],
  window: { from: number; to: number },
): Promise<[string, Reading][]> {
  const login = logins.join(',')
  const readAt = now()
  const users = await caller.list('/api/user/get_batch', { login })
  const states = byLogin(await caller.list('/api/user/account/get_batch', { login }))
  // Only an account with a trade state can have positions.
  const trading = [...states.keys()].join(',')
  const positions = trading === '' ? [] : await caller.list('/api/position/get_batch', { login: trading })
  const [from, to] = [Math.floor(window.from / 1000), Math.ceil(window.to / 1000)]
  const deals = Map.groupBy(await dealsBetween(caller, { login }, from, to), ({ Login }) => String(Login))
  const isOwnerless = ![...deals.keys()].every(isNumber)
  const counts = Map.groupBy(positions, ({ Login }) => String(Login))
  const readings: [string, Reading][] = []
  for (const user of users) {
    const number = textOf(user, 'Login')
    const currency = await currencyOf(textOf(user, 'Group'))
    readings.push([
      number,
      {
        account: accountFrom(user, states.get(number) ?? null, currency, readAt),
        openPositions: counts.get(number)?.length ?? 0,
        deals: isOwnerless
          ? null
          : (deals.get(number) ?? []).flatMap((deal) => balanceDealOf(deal, currency, from) ?? []),
      },
    ])
  }
  return readings
}

function byLogin(records: readonly WireRecord[]): Map<string, WireRecord> {
  return new Map(records.map((record) => [textOf(record, 'Login'), record]))
}
