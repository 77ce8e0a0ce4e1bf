/**
 * Double entry: each movement of client money is one entry whose postings sum to zero per currency (requirements 18.4).
 */
import type { Currency } from '#rules/money.ts'
import type { AccountId } from '#rules/ids.ts'
import { row, type Connection, type Transaction, requireRow } from '../db/sql.ts'

export type LedgerAccountKind =
  | 'client'
  | 'bank'
  | 'provider'
  | 'arrived_unmatched'
  | 'payout_in_transit'
  | 'transfer_in_transit'
  | 'exchange'
  | 'fees'
  | 'trading_result'
  | 'corrections'
  | 'firm_money'

export interface LedgerAccount {
  readonly kind: LedgerAccountKind
  readonly currency: Currency
  /** The owner, for `client` and `trading_result`. */
  readonly tradingAccount?: string
  /** Distinguishes banks and providers. */
  readonly name?: string
}

export interface Posting {
  readonly account: LedgerAccount
  /** Positive for a debit: more in our bank, less owed to a client. */
  readonly minor: bigint
}

interface Entry {
  /** Unique for ever: posting the same movement again fails. */
  readonly ref: string
  readonly kind: string
  readonly subject?: string | null
  readonly record?: string | null
}

/**
 * Posts an entry in the caller's transaction and returns its number: one statement, which finds or creates its accounts
 * (ADR 61). The database rejects sums other than zero.
 */
export async function post(tx: Transaction, at: Date, entry: Entry, postings: readonly Posting[]): Promise<bigint> {
  const moving = postings.filter((posting) => posting.minor !== 0n)
  const accounts = moving.map(({ account }) => account)
  const posted = await requireRow<{ id: bigint }>(tx)`
    select post_named_entry(${entry.ref}, ${entry.kind}, ${entry.subject ?? null}, ${entry.record ?? null}::uuid,
      ${at}, ${accounts.map(({ kind }) => kind)}::text[], ${accounts.map(({ currency }) => currency)}::text[],
      ${accounts.map(({ tradingAccount }) => tradingAccount ?? null)}::uuid[],
      ${accounts.map(({ name }) => name ?? '')}::text[],
      ${moving.map(({ minor }) => String(minor))}::bigint[]) as id`
  return posted.id
}

/** Returns the amount owed to the client of one trading account, in minor units. */
export async function accountLiability(
  connection: Connection,
  { accountId }: { accountId: AccountId },
): Promise<bigint> {
  const found = await row<{ owed: bigint }>(connection)`
    select coalesce(-sum(balance_minor), 0)::bigint as owed from ledger_accounts
      where kind = 'client' and trading_account = ${accountId}`
  return found?.owed ?? 0n
}
