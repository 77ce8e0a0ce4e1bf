/** Reads many accounts together: records, trade states, open positions and deals, each in one query for all. */
import type { Currency } from '#rules/money.ts'
import { isIntegrationError } from '../../errors.ts'
import { roundedDownAmount } from '../figures.ts'
import { unreadableAccountOf, UnreadableValue, removeControlCharacters } from '../unreadable-records.ts'
import type {
  AccountReadings,
  BalanceOperation,
  LiveFigures,
  PlatformAccount,
  TradingServer,
} from '../trading-server.ts'
import { splitIntoParts } from '#rules/split-into-parts.ts'
import type { Mt5Caller } from './caller.ts'
import { balanceDealOf, dealsBetween, type BalanceDeal } from './deals.ts'
import { accountRecords, hasOnlyLogins, groupByLogin } from './account-records.ts'
import { openRecords, ordersPath, positionsPath, tradesFrom } from './open-trades.ts'
import { serverWindow, type ServerZone } from '../server-clock.ts'
import { textOf, nullIfUnreadable, wholeNumber } from './values.ts'

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
    ...balancesFrom(user, state, currency, readAt),
    leverage: leverageOf(user),
    group: groupOf(user),
    enabled: isEnabled(user),
  }
}

/** The database stores no larger one. */
const leverageMax = 2 ** 31 - 1

function leverageOf(user: WireRecord): number {
  const leverage = wholeNumber(user, 'Leverage')
  if (leverage > leverageMax)
    throw new UnreadableValue('Leverage', 'value', user.Leverage, "The platform's Leverage is too large")
  return leverage
}

/** Returns the name of a user's group. Throws `Unavailable` for a text that names none. */
export function groupOf(user: WireRecord): string {
  const group = textOf(user, 'Group')
  if (group === '' || group !== removeControlCharacters(group))
    throw new UnreadableValue('Group', 'value', group, "The platform's Group is not a name")
  return group
}

export function isEnabled(user: WireRecord): boolean {
  return (wholeNumber(user, 'Rights') & enabledRight) !== 0
}

/** Returns the balances of a trade state, or those of the user's record without one. */
function balancesFrom(user: WireRecord | null, state: WireRecord | null, currency: Currency, readAt: Date) {
  const read = (name: string) => {
    const value = (state ?? user)?.[name]
    const amount = roundedDownAmount(value, currency)
    if (amount === null) throw new UnreadableValue(name, 'amount', value, `The platform's ${name} is not an amount`)
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
 * pending orders. An unreadable account is left out, without affecting the others.
 */
export async function readFigures(
  { caller, now }: { caller: Pick<Mt5Caller, 'list' | 'listByBody'>; now: () => Date },
  accounts: readonly { readonly login: string; readonly currency: Currency }[],
  records: boolean,
): Promise<ReadonlyMap<string, LiveFigures>> {
  const readAt = now()
  const logins = accounts.map(({ login }) => login)
  const states = accountRecords(await listInParts(caller, '/api/user/account/get_batch', logins), logins)
  const wanted = records ? logins : states.without(logins)
  const users = accountRecords(await listInParts(caller, '/api/user/get_batch', wanted), wanted).of
  // Only an account with a trade state can have positions.
  const positions = groupByLogin(await openRecords(caller, positionsPath, [...states.of.keys()]))
  const waiting = await openRecords(caller, ordersPath, logins).catch(nullIfIntegration)
  const orders = waiting && groupByLogin(waiting)
  const isCounted = hasOnlyLogins([...states.of.keys()], positions)
  const isComplete = isCounted && orders !== null && hasOnlyLogins(logins, orders)
  return new Map(
    accounts.flatMap(({ login, currency }) => {
      const [state, user] = [states.of.get(login) ?? null, users.get(login) ?? null]
      if (state === null && (user === null || states.isOwnerless)) return []
      const figures = nullIfUnreadable(() => balancesFrom(user, state, currency, readAt))
      if (figures === null) return []
      const open = positions.get(login) ?? []
      const openPositions = isCounted || state === null ? open.length : null
      const trades = isComplete ? nullIfUnreadable(() => tradesFrom(open, orders.get(login) ?? [])) : null
      const enabled = user && nullIfUnreadable(() => isEnabled(user))
      return [[login, { ...figures, openPositions, trades, enabled }]]
    }),
  )
}

/** Balances do not depend on pending orders: null if they are not read. */
function nullIfIntegration(error: unknown): null {
  if (!isIntegrationError(error)) throw error
  return null
}

async function listInParts(
  caller: Pick<Mt5Caller, 'list'>,
  path: string,
  logins: readonly string[],
): Promise<WireRecord[]> {
  const found: WireRecord[] = []
  for (const part of splitIntoParts(logins, figuresAtOnce))
    found.push(...(await caller.list(path, { login: part.join(',') })))
  return found
}

interface Reading {
  readonly account: PlatformAccount
  /** Null if a position has no readable account: it may be this account's. */
  readonly openPositions: number | null
  /** Null if a deal among those of several accounts is of none of them: it may be this account's. */
  readonly deals: readonly BalanceDeal[] | null
}

/** Why an account's own record in a list cannot be read. */
interface Unread {
  readonly failure: Error
}

interface ReadingSource {
  readonly caller: Mt5Caller
  readonly currencyOf: (group: string) => Promise<Currency>
  readonly zone: ServerZone
  readonly now: () => Date
  /** Reads one account alone: its absence from a list does not prove that it does not exist. */
  readonly single: AccountReadings & Pick<TradingServer, 'health'>
}

/**
 * Reads accounts, positions and balance operations of many logins with few calls. The window is by our clock; an
 * account that is in no list, and one in another window, is read alone. One whose own record in the list is unreadable
 * is not read again: the result would be the same, and thousands of them would delay the others.
 */
export async function readAccounts(
  source: ReadingSource,
  logins: readonly string[],
  { from, to }: { from: Date; to: Date },
): Promise<AccountReadings> {
  const readings = new Map<string, Reading | Unread>()
  const window = serverWindow(source.zone, from.getTime(), to.getTime())
  for (const part of splitIntoParts(logins, figuresAtOnce))
    for (const [login, reading] of await readPart(source, part, window)) readings.set(login, reading)
  const { single } = source
  const readingOf = (login: string): Reading | undefined => {
    const reading = readings.get(login)
    if (reading !== undefined && 'failure' in reading) throw reading.failure
    return reading
  }
  return {
    getAccount: async (login) => readingOf(login)?.account ?? single.getAccount(login),
    openPositions: async (login) => readingOf(login)?.openPositions ?? single.openPositions(login),
    async balanceOperations(login, first, last): Promise<BalanceOperation[]> {
      const reading = readingOf(login)
      if (!reading?.deals || first < from || last > to) return single.balanceOperations(login, first, last)
      return operationsWithin(reading.deals, source.zone, first, last)
    },
  }
}

/** Returns the deals of a window as operations with times by our clock; one without a readable time gets its start. */
export function operationsWithin(
  deals: readonly BalanceDeal[],
  zone: ServerZone,
  from: Date,
  to: Date,
): BalanceOperation[] {
  // The platform's times are whole seconds.
  const [first, last] = [Math.floor(from.getTime() / 1000) * 1000, to.getTime()]
  return deals
    .map(({ ticket, amount, comment, time }) => ({
      ticket,
      amount,
      comment,
      at: time === null ? from : new Date(zone.toUtc(time)),
    }))
    .filter(({ at }) => at.getTime() >= first && at.getTime() <= last)
}

async function readPart(
  source: ReadingSource,
  logins: readonly string[],
  window: { from: number; to: number },
): Promise<[string, Reading | Unread][]> {
  const { caller, now } = source
  const currencyOf = cachedCurrencyOf(source.currencyOf)
  let responds = false
  const login = logins.join(',')
  const readAt = now()
  const users = accountRecords(await caller.list('/api/user/get_batch', { login }), logins)
  const states = accountRecords(await caller.list('/api/user/account/get_batch', { login }), logins)
  // Only an account with a trade state can have positions.
  const trading = [...states.of.keys()].join(',')
  const positions = trading === '' ? [] : await caller.list('/api/position/get_batch', { login: trading })
  const [from, to] = [Math.floor(window.from / 1000), Math.ceil(window.to / 1000)]
  const deals = Map.groupBy(await dealsBetween(caller, { login }, from, to), ({ Login }) => String(Login))
  const isOwnerless = !hasOnlyLogins(logins, deals)
  const counts = groupByLogin(positions)
  const isCounted = hasOnlyLogins([...states.of.keys()], counts)
  const readings: [string, Reading | Unread][] = []
  for (const [number, user] of users.of) {
    const state = states.of.get(number) ?? null
    if (state === null && states.isOwnerless) continue
    const account = await accountOrFailure(currencyOf, user, state, readAt)
    if ('failure' in account) {
      // If the platform does not respond, every further account would fail as well.
      if (!responds && unreadableAccountOf(account.failure) === null) {
        await source.single.health()
        responds = true
      }
      readings.push([number, account])
      continue
    }
    const { currency } = account.balance
    readings.push([
      number,
      {
        account,
        openPositions: isCounted ? (counts.get(number)?.length ?? 0) : null,
        deals: isOwnerless ? null : (deals.get(number) ?? []).flatMap((deal) => balanceDealOf(deal, currency) ?? []),
      },
    ])
  }
  return readings
}

/** Returns an account, or why its records or its group cannot be read. */
async function accountOrFailure(
  currencyOf: ReadingSource['currencyOf'],
  user: WireRecord,
  state: WireRecord | null,
  readAt: Date,
): Promise<PlatformAccount | Unread> {
  try {
    return accountFrom(user, state, await currencyOf(groupOf(user)), readAt)
  } catch (error) {
    if (!isIntegrationError(error)) throw error
    return { failure: error }
  }
}

/** Returns the currencies of groups, each read once, also one that cannot be read; twice if there was no answer. */
function cachedCurrencyOf(currencyOf: ReadingSource['currencyOf']): ReadingSource['currencyOf'] {
  const known = new Map<string, Promise<Currency>>()
  return (group) => {
    const again = (error: unknown) => {
      if (unreadableAccountOf(error) !== null) throw error
      return currencyOf(group)
    }
    const currency = known.get(group) ?? currencyOf(group).catch(again)
    known.set(group, currency)
    return currency
  }
}
