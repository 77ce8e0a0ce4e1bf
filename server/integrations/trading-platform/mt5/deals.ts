/** Deals of one or many accounts, read in windows that the server can return (webapi_deal_get_batch: no paging). */
import type { Currency, Money } from '#rules/money.ts'
import { Rejected, Unavailable } from '../../errors.ts'
import { exactAmount } from '../figures.ts'
import { mayBeRef } from '../identifiers.ts'
import { removeControlCharacters } from '../unreadable-records.ts'
import type { Mt5Caller } from './caller.ts'
import { AnswerTooLarge } from './session.ts'
import { isNumber } from './values.ts'

export const balanceAction = '2'
/** The maximum size of one response; a longer one is queried in two halves. */
const bytesMax = 8_000_000
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

/** Reads the deals of a window of the platform's seconds, including both ends. */
export async function dealsBetween(
  caller: Mt5Caller,
  whose: DealsOf,
  from: number,
  to: number,
): Promise<Record<string, unknown>[]> {
  try {
    const query = { ...whose, from: String(from), to: String(to) }
    return await caller.list('/api/deal/get_batch', query, bytesMax)
  } catch (error) {
    if (!(error instanceof AnswerTooLarge) || from === to) throw error
    const middle = Math.floor((from + to) / 2)
    const first = await dealsBetween(caller, whose, from, middle)
    return [...first, ...(await dealsBetween(caller, whose, middle + 1, to))]
  }
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
