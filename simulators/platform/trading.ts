/** Trades: opens positions and closes them, completely, partly, by another one or by reversing them. */
import type { Account, Deal, DealFacts, Position, Store } from './store.ts'

export interface Costs {
  readonly storage: number
  readonly commission: number
  readonly fee?: number
  readonly reason?: number
}

/** Opens a position with a deal; `commission` is charged to the balance, now or when it is closed. */
export function openPosition(book: Store, position: Omit<Position, 'position' | 'time'>, commission = 0): Position {
  const account = accountOf(book, position.login)
  const [now, later] = book.chargesAtClose ? [0, commission] : [commission, 0]
  const opened: Position = {
    ...position,
    position: book.nextTicket(),
    time: book.clock.seconds(),
    ...(later !== 0 && { commission: later }),
  }
  const facts = { ...tradeOf(opened), action: openingAction(opened), entry: 0 as const, amount: 0, commission: now }
  book.deal(account, { ...facts, price: position.price }, { [opened.position]: opened })
  return opened
}

/**
 * Closes a position, or this number of its lots: that part of its profit and swap, and the costs of closing, are added
 * to the balance.
 */
export function closePosition(book: Store, position: Position, costs: Costs, lots = position.lots): void {
  const part = partOf(position, lots)
  const facts: DealFacts = {
    ...tradeOf(position),
    ...closingAmounts(costs, part),
    action: 1 - openingAction(position),
    entry: 1,
    amount: part.profit,
    lots,
    closedLots: lots,
    price: priceNow(position),
    pricePosition: position.price,
  }
  book.deal(accountOf(book, position.login), facts, { [position.position]: restOf(position, part) })
}

/** Closes a position and opens one of the opposite side with the remaining lots, by one deal (Entry 2). */
export function turnPosition(book: Store, position: Position, costs: Costs, lots: number): void {
  const price = priceNow(position)
  const side = position.side === 'buy' ? 'sell' : 'buy'
  const rest = lots - position.lots
  const notional = Math.round((position.notional * rest) / position.lots)
  const reversed: Position = { ...position, side, lots: rest, price, notional, profit: 0, storage: 0 }
  const facts: DealFacts = {
    ...tradeOf(position),
    ...closingAmounts(costs, partOf(position, position.lots)),
    action: 1 - openingAction(position),
    entry: 2,
    amount: position.profit,
    lots,
    closedLots: position.lots,
    price,
    pricePosition: position.price,
  }
  book.deal(accountOf(book, position.login), facts, { [position.position]: reversed })
}

/** Closes two positions of opposite sides by one another: a deal for each (Entry 3), with the profit in the first. */
export function closeBy(book: Store, one: Position, other: Position, costs: Costs): void {
  const lots = Math.min(one.lots, other.lots)
  const none = { storage: 0, commission: 0 }
  for (const [position, by, own] of [
    [one, other, costs],
    [other, one, none],
  ] as const) {
    const part = partOf(position, lots)
    const facts: DealFacts = {
      ...tradeOf(position),
      ...closingAmounts(own, part),
      action: 1 - openingAction(position),
      entry: 3,
      amount: part.profit,
      lots,
      price: by.price,
    }
    book.deal(accountOf(book, position.login), facts, { [position.position]: restOf(position, part) })
  }
}

/** Returns the price that corresponds to its profit. */
export function priceNow({ price, side, profit, notional }: Position): number {
  return price * (1 + ((side === 'buy' ? 1 : -1) * profit) / Math.max(1, notional))
}

/** Returns a cancelled deal in the platform's form: another action, and no amounts. */
export function cancelledDeal(deal: Deal): Deal {
  return { ...deal, action: deal.action === 1 ? 14 : 13, amount: 0, storage: 0, commission: 0, fee: 0 }
}

function accountOf(book: Store, login: string): Account {
  const account = book.account(login)
  if (account === undefined) throw new Error(`Account ${login} not found`)
  return account
}

function openingAction({ side }: Pick<Position, 'side'>): number {
  return side === 'buy' ? 0 : 1
}

function tradeOf({ symbol, position, lots, stopLoss, takeProfit }: Position) {
  const stops = { ...(stopLoss !== undefined && { stopLoss }), ...(takeProfit !== undefined && { takeProfit }) }
  return { comment: '', symbol, position, lots, ...stops }
}

interface Part {
  readonly lots: number
  readonly share: number
  readonly profit: number
  readonly storage: number
  readonly commission: number
}

/** Returns the part of a position that this number of its lots is. */
function partOf({ lots: all, profit, storage = 0, commission = 0 }: Position, lots: number): Part {
  const share = Math.min(1, lots / all)
  const of = (amount: number) => Math.round(amount * share)
  return { lots, share, profit: of(profit), storage: of(storage), commission: of(commission) }
}

function closingAmounts({ storage, commission, fee, reason }: Costs, held: Part) {
  return {
    storage: storage + held.storage,
    commission: commission + held.commission,
    ...(fee !== undefined && { fee }),
    ...(reason !== undefined && { reason }),
  }
}

/** Returns what stays open of a position after a part of it was closed, or null if that was all. */
function restOf(position: Position, { lots, share, profit, storage, commission }: Part): Position | null {
  if (share === 1) return null
  const owed = (position.commission ?? 0) - commission
  return {
    ...position,
    lots: Math.round((position.lots - lots) * 1e8) / 1e8,
    notional: Math.round(position.notional * (1 - share)),
    profit: position.profit - profit,
    storage: (position.storage ?? 0) - storage,
    ...(owed !== 0 && { commission: owed }),
  }
}
