/** Deals that no one here asked for, in the books: under `deal:<platform>:<ticket>`, once (requirements 18.3). */
import type { Money } from '#rules/money.ts'
import type { AccountId } from '#rules/ids.ts'
import type { Transaction } from '../db/transaction.ts'
import { post } from './post.ts'

export interface DecidedDeal {
  /** What two people have decided: a difference, or an item of recovery. */
  readonly subject: 'difference' | 'recovery_item'
  readonly record: string
  /** `deal:<platform>:<ticket>`. */
  readonly ref: string
  readonly accountId: AccountId
  /** What the platform moved; negative took money out. */
  readonly amount: Money
}

/** Books what the platform has moved already: the client is owed it from now on, against the firm or the trading result. */
export async function bookDeal(
  tx: Transaction,
  { subject, record, ref, accountId, amount }: DecidedDeal,
  against: 'corrections' | 'trading_result',
  at: Date,
): Promise<void> {
  const { currency, minor } = amount
  const own = { currency, tradingAccount: accountId }
  await post(tx, {
    ref,
    kind: 'deal',
    subject,
    record,
    at,
    postings: [
      {
        account: against === 'corrections' ? { kind: 'corrections', currency } : { kind: 'trading_result', ...own },
        minor,
      },
      { account: { kind: 'client', ...own }, minor: -minor },
    ],
  })
}

/** Books a deal and its reversal at the platform, each under its own reference: together nothing moved. */
export async function bookReversal(tx: Transaction, deal: DecidedDeal, reversalRef: string, at: Date): Promise<void> {
  await bookDeal(tx, deal, 'corrections', at)
  await bookTakenBack(tx, deal, reversalRef, at)
}

/** Books the reversal of a deal that is in the books. */
export async function bookTakenBack(tx: Transaction, deal: DecidedDeal, reversalRef: string, at: Date): Promise<void> {
  const { currency, minor } = deal.amount
  await post(tx, {
    ref: reversalRef,
    kind: 'deal-reversal',
    subject: deal.subject,
    record: deal.record,
    at,
    postings: [
      { account: { kind: 'corrections', currency }, minor: -minor },
      { account: { kind: 'client', currency, tradingAccount: deal.accountId }, minor },
    ],
  })
}
