/** Posts deals that were not initiated here, once each, under `deal:<platform>:<ticket>` (requirements 18.3). */
import { money, type Money } from '#rules/money.ts'
import type { AccountId } from '#rules/ids.ts'
import { row, rows, type Transaction } from '../db/sql.ts'
import { adjustSnapshot } from './account-snapshot.ts'
import { post, type LedgerAccount } from './post.ts'

export interface DecidedDeal {
  /** The subject of two people's decision: a discrepancy, or an item of recovery. */
  readonly subject: 'difference' | 'recovery_item'
  readonly record: string
  /** `deal:<platform>:<ticket>`. */
  readonly ref: string
  readonly accountId: AccountId
  /** The platform's amount; negative for a withdrawal. */
  readonly amount: Money
}

/** A deal with the subject and record of its ledger entry. */
type PostedDeal = Pick<DecidedDeal, 'ref' | 'accountId' | 'amount'> & {
  readonly subject: string | null
  readonly record: string | null
}

/**
 * Posts a deal that the platform has already made: the client is owed its amount from now on, against firm money or the
 * trading result. Brings the stored balances up to date if they were read without it. Call it under the account's lock,
 * so that a concurrent reading comes before or after it, never in between.
 */
export async function bookDeal(
  tx: Transaction,
  deal: DecidedDeal,
  against: 'corrections' | 'trading_result',
  at: Date,
): Promise<void> {
  const { ref, accountId, amount } = deal
  await postDeal(tx, deal, against, at)
  await adjustSnapshot(tx, { accountId, deal: ref, amount })
}

/** Posts by how much a deal exceeds its operation, which was settled with it in the same transaction, unless it is posted. */
export async function bookDifference(tx: Transaction, deal: PostedDeal, at: Date): Promise<void> {
  const { ref, accountId, amount } = deal
  if (amount.minor === 0n || (await isBooked(tx, differenceRef(ref)))) return
  await postDeal(tx, { ...deal, ref: differenceRef(ref) }, 'corrections', at)
  // If the whole deal was posted before as one of others, the stored balances contain it already.
  if (!(await isBooked(tx, ref))) await adjustSnapshot(tx, { accountId, deal: ref, amount })
}

/** Returns the reference under which the difference between a deal and its operation is posted. */
const differenceRef = (deal: string) => `${deal}:difference`

function postDeal(
  tx: Transaction,
  { subject, record, ref, accountId, amount: { currency, minor } }: PostedDeal,
  against: 'corrections' | 'trading_result',
  at: Date,
) {
  const own = { currency, tradingAccount: accountId }
  return post(tx, at, { ref, kind: 'deal', subject, record }, [
    {
      account: against === 'corrections' ? { kind: 'corrections', currency } : { kind: 'trading_result', ...own },
      minor,
    },
    { account: { kind: 'client', ...own }, minor: -minor },
  ])
}

/** Returns whether a deal is posted. */
export async function isBooked(tx: Transaction, ref: string): Promise<boolean> {
  return (await row(tx)`select 1 from entries where ref = ${ref}`) !== null
}

/**
 * Reverses the posting of a deal that two people posted on its own: an operation posts it in the same transaction, with
 * `amount`. If the deal has another amount, the difference is posted. Returns false if the deal is not posted.
 */
export async function reverseBookedDeal(
  tx: Transaction,
  { ref, accountId, amount }: Pick<DecidedDeal, 'ref' | 'accountId' | 'amount'>,
  at: Date,
): Promise<boolean> {
  const posted = await rows<LedgerAccount & { minor: bigint; subject: string | null; record: string | null }>(tx)`
    select l.kind, l.currency, l.trading_account as "tradingAccount", l.name, p.minor, e.subject, e.record
      from entries e join postings p on p.entry_id = e.id join ledger_accounts l on l.id = p.ledger_account
      where e.ref = ${ref} and e.kind = 'deal'`
  const client = posted.find(({ kind }) => kind === 'client')
  if (client === undefined) return false
  const { subject, record } = client
  await post(
    tx,
    at,
    { ref: `${ref}:ours`, kind: 'deal-reversal', subject, record },
    posted.map(({ minor, subject: _subject, record: _record, ...account }) => ({ account, minor: -minor })),
  )
  const difference = money(-client.minor - amount.minor, amount.currency)
  await bookDifference(tx, { subject, record, ref, accountId, amount: difference }, at)
  return true
}

/** Posts a deal and its reversal on the platform, each under its own reference: their sum is zero. */
export async function bookDealWithReversal(
  tx: Transaction,
  deal: DecidedDeal,
  reversalRef: string,
  at: Date,
): Promise<void> {
  await bookDeal(tx, deal, 'corrections', at)
  await bookReversal(tx, deal, reversalRef, at)
}

/** Posts the reversal of a posted deal. */
export async function bookReversal(tx: Transaction, deal: DecidedDeal, reversalRef: string, at: Date): Promise<void> {
  const { currency, minor } = deal.amount
  await post(tx, at, { ref: reversalRef, kind: 'deal-reversal', subject: deal.subject, record: deal.record }, [
    { account: { kind: 'corrections', currency }, minor: -minor },
    { account: { kind: 'client', currency, tradingAccount: deal.accountId }, minor },
  ])
}
