/** Return codes that surely mean "no, and nothing was applied" (retcodes_common, _clients, _trades, _trade_request). */
import type { RefusalReason } from '../../errors.ts'

/** Anything else after a write is no answer to rely on: network, time-out, partial, shutdown and unheard-of codes. */
export const refusals: ReadonlyMap<number, RefusalReason> = new Map<number, RefusalReason>([
  [3, 'bad-input'],
  [4, 'bad-input'],
  [8, 'no-permission'],
  [13, 'not-found'],
  [17, 'exists-already'],
  [3002, 'logins-exhausted'],
  [3003, 'logins-exhausted'],
  [3004, 'exists-already'],
  [3006, 'weak-password'],
  [3007, 'logins-exhausted'],
  [3008, 'open-positions'],
  [3009, 'refused'],
  [3010, 'wrong-currency'],
  [4005, 'amount-too-large'],
  [10006, 'refused'],
  [10013, 'bad-input'],
  [10017, 'trading-disabled'],
  [10018, 'trading-disabled'],
  [10019, 'not-enough-money'],
])

export const done = 0
/** "Successful completion with no information returned": an empty list, where a list was asked for. */
export const doneWithoutAnswer = 1
export const notFound = 13
/** "Too frequent requests": it was not taken up. */
export const tooFrequent = 12
