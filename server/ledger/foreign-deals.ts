/**
 * A balance deal at a platform that no request explains, once two people have decided to book it: in the ledger alone,
 * under a reference that no second booking can have (mechanics section 1).
 */
import type { Money } from '#rules/money.ts'
import type { Act } from '../db/events.ts'
import type { Transaction } from '../db/transaction.ts'
import { post } from './post.ts'

export interface DecidedDeal {
  readonly platform: string
  readonly ticket: string
  readonly amount: Money
  readonly accountId: string
}

/** Books a deal against corrections. Throws where it has been booked before. */
export async function bookDeal(tx: Transaction, { platform, ticket, amount, accountId }: DecidedDeal, act: Act) {
  const { minor, currency } = amount
  await post(tx, {
    ref: `deal:${platform}:${ticket}`,
    kind: 'deal-booked',
    subject: 'trading-account',
    record: accountId,
    at: act.now,
    postings: [
      { account: { kind: 'corrections', currency }, minor },
      { account: { kind: 'client', currency, tradingAccount: accountId }, minor: -minor },
    ],
  })
}
