/**
 * A payout that the bank returns is told of twice, by staff and by a statement, in either order; it enters the books once.
 * The line names the withdrawal's reference.
 */
import { bankLineLife } from '#rules/deposits.ts'
import type { Money } from '#rules/money.ts'
import { advance } from '../db/advance.ts'
import type { Act } from '../db/events.ts'
import { row, rows, sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import type { LedgerAccount } from './post.ts'

interface Payout {
  readonly id: string
  readonly reference: string
}

/**
 * Where the money of a payout that staff say came back is: among what arrived, if a statement has shown it, whose line is
 * then taken; else at the bank, whose line is still to come.
 */
export async function placeOfReturned(
  tx: Transaction,
  act: Act,
  payout: Payout,
  { minor, currency }: Money,
  bank: string,
): Promise<LedgerAccount> {
  const line = await row<{ id: string }>(
    tx,
    sql`select id from bank_lines where state = 'unmatched' and amount_minor = ${minor} and currency = ${currency}
          and upper(remittance) like '%' || ${payout.reference}::text || '%' order by created_at, id limit 1 for update`,
  )
  if (!line) return { kind: 'bank', currency, name: bank }
  await takeLine(tx, act, line.id, payout.id)
  return { kind: 'arrived_unmatched', currency }
}

/**
 * True where a line that arrives is the money of a payout that staff have returned before: it is in the books already. A
 * payout that is just being returned is waited for, or finds the line.
 */
export async function isKnownReturn(
  tx: Transaction,
  act: Act,
  line: { readonly id: string; readonly amountMinor: bigint } & Pick<Money, 'currency'>,
  references: readonly string[],
): Promise<boolean> {
  if (references.length === 0) return false
  const named = await rows<{ id: string; state: string }>(
    tx,
    sql`select id, state from withdrawals where reference = any (${[...references]}::text[])
          and amount_minor - fee_minor = ${line.amountMinor} and currency = ${line.currency} order by id for update`,
  )
  for (const { id } of named.filter(({ state }) => state === 'returned')) {
    const other = await row(tx, sql`select id from bank_lines where withdrawal_id = ${id}`)
    if (other) continue
    await takeLine(tx, { ...act, acting: { kind: 'outside' } }, line.id, id)
    return true
  }
  return false
}

async function takeLine(tx: Transaction, act: Act, id: string, withdrawalId: string): Promise<void> {
  await advance(tx, bankLineLife, act, { id, verb: 'comeBack', set: { withdrawal_id: withdrawalId }, work: null })
}
