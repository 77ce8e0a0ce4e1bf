/**
 * A seeded market that moves without commands: prices move randomly and return to their start, a night costs swap, and
 * sometimes an account that trades closes its oldest position and opens a similar one, with commission and fee.
 */
import { seeded } from './seeded.ts'
import type { Position, Store } from './store.ts'
import { closePosition, openPosition, priceNow } from './trading.ts'

const daySeconds = 86_400
/** Hundredths of the account's currency for each lot. */
const swapPerLot = 210
const commissionPerLot = 350
const feePerLot = 20
/** The share of its distance from the start by which a price returns at each step. */
const returning = 0.002

export interface Walk {
  readonly seed: number
  /** The maximum change of a price in a step, in thousandths. */
  readonly step: number
  /** The average number of steps between an account's trades; 0 for none. */
  readonly tradesEvery: number
}

/** Returns a function that takes one step. */
export function walkingMarket(book: Store, { seed, step, tradesEvery }: Walk): () => void {
  const random = seeded(seed)
  const distances = new Map<string, number>()
  let day = Math.floor(book.clock.seconds() / daySeconds)
  return () => {
    const nights = Math.max(0, Math.floor(book.clock.seconds() / daySeconds) - day)
    day += nights
    const moves = new Map<string, number>()
    const moveOf = (symbol: string): number => {
      const known = moves.get(symbol)
      if (known !== undefined) return known
      const distance = distances.get(symbol) ?? 0
      const move = ((random() * 2 - 1) * step) / 1000 - distance * returning
      distances.set(symbol, distance + move)
      moves.set(symbol, move)
      return move
    }
    const moved = book.positions().map((position) => movedBy(position, moveOf(position.symbol), nights))
    if (moved.length > 0) book.moveProfits(moved)
    if (tradesEvery <= 0) return
    const oldest = new Map(
      book
        .positions()
        .toReversed()
        .map((position) => [position.login, position]),
    )
    for (const position of oldest.values()) if (random() * tradesEvery < 1) tradeOn(book, position)
  }
}

function movedBy(position: Position, move: number, nights: number): Position {
  const sign = position.side === 'buy' ? 1 : -1
  const profit = position.profit + Math.round(sign * position.notional * move)
  if (nights === 0) return { ...position, profit }
  return { ...position, profit, storage: (position.storage ?? 0) - Math.round(position.lots * swapPerLot * nights) }
}

/** Closes a position and opens a similar one at the current price. */
function tradeOn(book: Store, position: Position): void {
  const { login, symbol, side, lots, notional } = position
  const commission = -Math.round(lots * commissionPerLot)
  closePosition(book, position, { storage: 0, commission, fee: -Math.round(lots * feePerLot) })
  const price = priceNow(position)
  openPosition(book, { login, symbol, side, lots, price, notional, profit: 0 }, commission)
}
