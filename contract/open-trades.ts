/** Open positions and pending orders of an account (requirements 24.11, 24.12). */
import * as z from 'zod/mini'
import { choice, seconds, signedBalance } from './fields.ts'

export const sides = choice(['buy', 'sell'])
/** Lots and prices are texts with the platform's decimal places. */
export const decimals = z.string()

export const openPosition = z.object({
  ticket: z.string(),
  symbol: z.string(),
  side: sides,
  lots: decimals,
  openPrice: decimals,
  price: decimals,
  stopLoss: z.nullable(decimals),
  takeProfit: z.nullable(decimals),
  swap: signedBalance,
  profit: signedBalance,
  openedAt: seconds,
})
export type OpenPosition = z.output<typeof openPosition>

export const orderKinds = [
  'buy-limit',
  'sell-limit',
  'buy-stop',
  'sell-stop',
  'buy-stop-limit',
  'sell-stop-limit',
] as const
export const pendingOrder = z.object({
  ticket: z.string(),
  symbol: z.string(),
  kind: choice(orderKinds),
  lots: decimals,
  price: decimals,
  stopLoss: z.nullable(decimals),
  takeProfit: z.nullable(decimals),
  placedAt: seconds,
})
export type PendingOrder = z.output<typeof pendingOrder>

/** The open trades of an account at one time. */
export const openTrades = z.object({
  positions: z.array(openPosition),
  orders: z.array(pendingOrder),
  totals: z.object({ swap: signedBalance, profit: signedBalance }),
})
export type OpenTrades = z.output<typeof openTrades>
