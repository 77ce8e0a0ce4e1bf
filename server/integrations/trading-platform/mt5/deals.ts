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

/**
 * Reads the deals of a window of the platform's seconds, including both ends. A window whose response is too large or
 * late is read in parts: first by time, then, because all accounts may be charged in the same second, by accounts.
 */
export async function dealsBetween(
  caller: Mt5Caller,
  whose: DealsOf,
  from: number,
  to: number,
  halvedForTime = 0,
): Promise<Record<string, unknown>[]> {
  try {
    const query = { ...whose, from: String(from), to: String(to) }
    return await caller.list('/api/deal/get_batch', query, from === to ? undefined : bytesMax)
  } catch (error) {
    const isLate = error instanceof TimedOut && halvedForTime < halvedForTimeMax
    if (!isLate && !(error instanceof AnswerTooLarge)) throw error
    const parts = await smallerParts(caller, { whose, from, to })
    if (parts.length === 0) throw error
    const halved = halvedForTime + (isLate ? 1 : 0)
    const found: Record<string, unknown>[][] = []
    for (const part of parts) found.push(await dealsBetween(caller, part.whose, part.from, part.to, halved))
    return found.flat()
  }
}

interface DealsWindow {
  readonly whose: DealsOf
  readonly from: number
  readonly to: number
}

/** Returns the parts of a window: two halves, or fewer accounts in one second; none for one account in one second. */
async function smallerParts(caller: Mt5Caller, { whose, from, to }: DealsWindow): Promise<DealsWindow[]> {
  if (from === to) return (await fewerAccounts(caller, whose)).map((part) => ({ whose: part, from, to }))
  const middle = Math.floor((from + to) / 2)
  return [
    { whose, from, to: middle },
    { whose, from: middle + 1, to },
  ]
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
