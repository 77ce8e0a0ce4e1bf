/** Live figures of accounts on an open page (requirements 24.12). */
import * as z from 'zod/mini'
import { account } from './accounts.ts'
import { seconds, signedBalance } from './fields.ts'
import { openTrades } from './open-trades.ts'

/** Figures of an account that change while it is viewed. */
export const liveFigures = z.object({
  _id: account.shape._id,
  balance: account.shape.balance,
  equity: account.shape.equity,
  freeMargin: account.shape.freeMargin,
  openPositions: account.shape.openPositions,
  available: account.shape.available,
  reserved: account.shape.reserved,
  figuresAt: account.shape.figuresAt,
  /** Older than expected: the platform has not responded, or `figuresHeld` says why they are not replaced. */
  figuresOld: account.shape.figuresOld,
  figuresHeld: account.shape.figuresHeld,
  credit: z.nullable(signedBalance),
  margin: z.nullable(signedBalance),
})
export type LiveFigures = z.output<typeof liveFigures>

/** Open trades of an account, from the same reading as its figures. */
export const liveTrades = z.object({ _id: account.shape._id, readAt: seconds, ...openTrades.shape })
export type LiveTrades = z.output<typeof liveTrades>

/**
 * `data: { accounts: [figures], trades: [open trades] }` initially and for each change; trades only with `trades=1`.
 */
export const liveFiguresEvent = z.object({
  accounts: z.array(liveFigures),
  trades: z.optional(z.array(liveTrades)),
})

/** Maximum accounts of one page. */
export const liveAccountsMax = 100

/**
 * text/event-stream: figures of the session's own open accounts named by `ids`, separated by commas, and with
 * `trades=1` their open positions and pending orders; ends with the session, and while the client is suspended.
 */
export const liveAccountsPath = '/api/accounts/live'
