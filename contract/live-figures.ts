/** Figures of accounts on a page that stands open, pushed as they change: requirements 24.12. */
import * as z from 'zod/mini'
import { account } from './accounts.ts'
import { seconds, signedBalance } from './fields.ts'
import { openTrades } from './open-trades.ts'

/** What of an account moves while somebody looks at it. */
export const liveFigures = z.object({
  _id: account.shape._id,
  balance: account.shape.balance,
  equity: account.shape.equity,
  freeMargin: account.shape.freeMargin,
  openPositions: account.shape.openPositions,
  available: account.shape.available,
  reserved: account.shape.reserved,
  figuresAt: account.shape.figuresAt,
  /** The platform has not answered for longer than it should take. */
  figuresOld: account.shape.figuresOld,
  credit: z.nullable(signedBalance),
  margin: z.nullable(signedBalance),
})
export type LiveFigures = z.output<typeof liveFigures>

/** What is open on an account, by the reading of its figures. */
export const liveTrades = z.object({ _id: account.shape._id, readAt: seconds, ...openTrades.shape })
export type LiveTrades = z.output<typeof liveTrades>

/** `data: { accounts: [figures], trades: [open trades] }` at the beginning and for each change; trades where `trades=1` asks for them. */
export const liveFiguresEvent = z.object({
  accounts: z.array(liveFigures),
  trades: z.optional(z.array(liveTrades)),
})

/** A page shows no more accounts at once. */
export const liveAccountsMax = 100

/**
 * text/event-stream: figures of the session's own open accounts that `ids` names, by commas, and with `trades=1` their open
 * positions and pending orders; ends with the session, and while the client is suspended.
 */
export const liveAccountsPath = '/api/accounts/live'
