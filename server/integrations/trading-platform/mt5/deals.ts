/** Deals of one or many accounts, read in windows that the server can return (webapi_deal_get_batch: no paging). */
import type { Currency, Money } from '#rules/money.ts'
import { splitIntoParts } from '#rules/split-into-parts.ts'
import { Rejected, Unavailable } from '../../errors.ts'
import { exactAmount } from '../figures.ts'
import { mayBeRef } from '../identifiers.ts'
import { removeControlCharacters } from '../unreadable-records.ts'
import type { Mt5Caller } from './caller.ts'
import { AnswerTooLarge, TimedOut } from './session.ts'
import { isNumber } from './values.ts'

export const balanceAction = '2'
/** The maximum size of one response; a longer one is queried in two halves. One second has the session's maximum. */
const bytesMax = 8_000_000
/** The number of times that a window is halved because there was no response in time; each costs the time of a call. */
const halvedForTimeMax = 3
/** The number of accounts that are read in one query, with their logins in its address. */
const loginsAtOnce = 500
/** The maximum number of one account's deals in a query: a deal with all its fields has about a kilobyte. */
const dealsAtOnce = 6_000

/** A deal that changed a balance; `time` is the platform's own, in ms. */
export interface BalanceDeal {
  readonly ticket: string
  /** Empty if it cannot be read. */
  readonly login: string
  /** Null if it, the action or the ticket cannot be read. */
  readonly amount: Money | null
  /** Null if it cannot be read. */
  readonly comment: string | null
  /** Null if it cannot be read. */
  readonly time: number | null
}

/** Whose deals: one of the call's two list parameters, in its format. */
export type DealsOf = { readonly login: string } | { readonly group: string }

/** The deals of a part of a window of time. */
export interface DealsPart {
  readonly deals: readonly Record<string, unknown>[]
  /** The last second of the part. */
  readonly to: number
}

/**
 * Reads the deals of a window of the platform's seconds, including both ends, in parts from the earliest to the latest.
 * Each part is complete for all of `whose`, so that a caller can store how far it has read. A window whose response is
 * too large or late is read in halves; a second, in which all accounts may be charged, by fewer accounts.
 */
export async function* dealsInParts(
  caller: Mt5Caller,
  whose: readonly DealsOf[],
  { from, to }: { readonly from: number; readonly to: number },
  halvedForTime = 0,
): AsyncGenerator<DealsPart> {
  let deals: Record<string, unknown>[]
  try {
    deals =
      from === to ? await dealsOfSecond(caller, whose, from, halvedForTime) : await listDeals(caller, whose, from, to)
  } catch (error) {
    if (from === to || !isForSmallerParts(error, halvedForTime)) throw error
    const middle = Math.floor((from + to) / 2)
    const halved = halvesAfter(error, halvedForTime)
    yield* dealsInParts(caller, whose, { from, to: middle }, halved)
    yield* dealsInParts(caller, whose, { from: middle + 1, to }, halved)
    return
  }
  yield { deals, to }
}

/** Reads the deals of a window at once. */
export async function dealsBetween(
  caller: Mt5Caller,
  whose: DealsOf,
  from: number,
  to: number,
): Promise<Record<string, unknown>[]> {
  const found: (readonly Record<string, unknown>[])[] = []
  for await (const { deals } of dealsInParts(caller, [whose], { from, to })) found.push(deals)
  return found.flat()
}

function isForSmallerParts(error: unknown, halvedForTime: number): boolean {
  return error instanceof AnswerTooLarge || (error instanceof TimedOut && halvedForTime < halvedForTimeMax)
}

function halvesAfter(error: unknown, halvedForTime: number): number {
  return halvedForTime + (error instanceof TimedOut ? 1 : 0)
}

async function listDeals(caller: Mt5Caller, whose: readonly DealsOf[], from: number, to: number) {
  const found: Record<string, unknown>[][] = []
  for (const one of whose) {
    const query = { ...one, from: String(from), to: String(to) }
    found.push(await caller.list('/api/deal/get_batch', query, from === to ? undefined : bytesMax))
  }
  return found.flat()
}

async function dealsOfSecond(
  caller: Mt5Caller,
  whose: readonly DealsOf[],
  second: number,
  halvedForTime: number,
): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[][] = []
  for (const one of whose)
    try {
      found.push(await listDeals(caller, [one], second, second))
    } catch (error) {
      if (!isForSmallerParts(error, halvedForTime)) throw error
      const fewer = await fewerAccounts(caller, one)
      if (fewer.length === 0) throw error
      found.push(await dealsOfSecond(caller, fewer, second, halvesAfter(error, halvedForTime)))
    }
  return found.flat()
}

/** Returns the two halves of a list of logins or groups, or the logins of one group. */
async function fewerAccounts(caller: Mt5Caller, whose: DealsOf): Promise<DealsOf[]> {
  if ('login' in whose) return halvesOf(whose.login).map((login) => ({ login }))
  const groups = halvesOf(whose.group)
  if (groups.length > 0) return groups.map((group) => ({ group }))
  const logins = await caller.texts('/api/user/logins', whose)
  return splitIntoParts(logins, loginsAtOnce).map((part) => ({ login: part.join(',') }))
}

/** Returns the halves of a list in the format of a parameter, or nothing for one element. */
function halvesOf(list: string): string[] {
  const names = list.split(',')
  if (names.length === 1) return []
  return splitIntoParts(names, Math.ceil(names.length / 2)).map((part) => part.join(','))
}

/**
 * Reads one account's deals of a long time. The server's counts determine the windows: a response that is too large is
 * lost work on both sides, and that of many years is not created within the time of a call. They determine nothing
 * else: a window without deals by its count is read as well.
 */
export async function dealsOfAccount(
  caller: Mt5Caller,
  login: string,
  from: number,
  to: number,
): Promise<Record<string, unknown>[]> {
  const counted = async (first: number, last: number) => {
    const query = { login, from: String(first), to: String(last) }
    try {
      return Number((await caller.recordIfAny('/api/deal/get_total', query))?.['Total'] ?? 0)
    } catch (error) {
      // A server that does not count is read in windows halved by size alone.
      if (error instanceof Rejected) return 0
      throw error
    }
  }
  const read = async (first: number, last: number, count: number): Promise<Record<string, unknown>[]> => {
    if (!(count > dealsAtOnce) || first === last) return dealsBetween(caller, { login }, first, last)
    const middle = Math.floor((first + last) / 2)
    const early = await counted(first, middle)
    return [...(await read(first, middle, early)), ...(await read(middle + 1, last, count - early))]
  }
  return read(from, to, await counted(from, to))
}

/**
 * Throws `Unavailable` for a deal of another account in the list of one account: it may be this one's, and would be
 * taken as absent. One without a readable account is this one's.
 */
export function assertDealOfLogin({ Login }: Record<string, unknown>, login: string): void {
  if (Login !== login && isNumber(Login)) throw new Unavailable('The platform returned a deal of another account')
}

/**
 * Returns the deal if it changed a balance, otherwise null; one with an action that cannot be read may have unless its
 * comment is not a reference. Unreadable fields are empty or null, so that it is still found by its reference or ticket
 * and does not stop other accounts (ADR 328). `currency`: null if that of its group cannot be read.
 */
export function balanceDealOf(deal: Record<string, unknown>, currency: Currency | null): BalanceDeal | null {
  const text = (name: string) => (typeof deal[name] === 'string' ? removeControlCharacters(deal[name]) : '')
  const isActionKnown = /^\d{1,4}$/.test(text('Action'))
  const comment = typeof deal.Comment === 'string' ? text('Comment') : null
  if (isActionKnown ? deal.Action !== balanceAction : comment !== null && !mayBeRef(comment)) return null
  const ticket = /^\d+$/.test(text('Deal')) ? text('Deal') : ''
  return {
    ticket,
    login: isNumber(deal.Login) ? text('Login') : '',
    amount: isActionKnown && ticket !== '' && currency !== null ? exactAmount(deal.Profit, currency) : null,
    comment,
    time: /^\d{1,10}$/.test(text('Time')) ? Number(text('Time')) * 1000 : null,
  }
}
