/**
 * A payout that the bank returns is reported twice, by staff and by a statement, in either order; it is posted once.
 * The transaction has the withdrawal's reference. One with less than the sent amount, or without a reference, is
 * matched by a person.
 */
import { bankLineMachine } from '#rules/deposits.ts'
import { decimalOf, type Currency, type Money } from '#rules/money.ts'
import type { WithdrawalState } from '#rules/withdrawals.ts'
import type { BankLineId, ClientId, WithdrawalId } from '#rules/ids.ts'
import { applyTransition } from '../db/transition.ts'
import type { AuditContext } from '../db/events.ts'
import { row, rows, run, sql, type Connection, type Transaction } from '../db/sql.ts'
import { uuidOrNull } from '../db/ids.ts'
import { namesReference } from './named-references.ts'
import { post, type LedgerAccount } from './post.ts'

interface Payout {
  readonly id: WithdrawalId
  readonly reference: string
}

/** Posts a returned payout: its money is where the bank's statement shows it, or on the account that paid it. */
export async function postReturned(
  tx: Transaction,
  auditContext: AuditContext,
  payout: Payout,
  back: Money,
): Promise<void> {
  const { minor, currency } = back
  const place = await placeOfReturned(tx, auditContext, payout, back)
  const kind = 'withdrawal-came-back'
  await post(tx, auditContext.now, { ref: `${kind}:${payout.id}`, kind, subject: 'withdrawal', record: payout.id }, [
    { account: place, minor },
    { account: { kind: 'payout_in_transit', currency }, minor: -minor },
  ])
}

/**
 * Returns where the money of a returned payout is: in the unallocated receipts if a statement has shown it, whose
 * transaction is then matched, or at the bank if its transaction is still to come.
 */
async function placeOfReturned(
  tx: Transaction,
  auditContext: AuditContext,
  payout: Payout,
  { minor, currency }: Money,
): Promise<LedgerAccount> {
  const line = await row<{ id: BankLineId }>(tx)`
    select id from bank_lines where state = 'unmatched' and amount_minor = ${minor} and currency = ${currency}
      and ${namesReference(sql`remittance`, sql`${payout.reference}::text`)} order by created_at, id limit 1 for update`
  if (!line) return { kind: 'bank', currency, name: await bankOfEntry(tx, `withdrawal-paid:${payout.id}`) }
  await claimLine(tx, auditContext, line.id, payout.id)
  return { kind: 'arrived_unmatched', currency }
}

/**
 * Returns whether a bank transaction is the money of a payout that staff have returned before, which is already
 * posted. On another account than the posting it is not: staff match it, which moves the money. Earlier versions posted
 * without the account's name. Waits for a return in progress.
 */
export async function isKnownReturn(
  tx: Transaction,
  auditContext: AuditContext,
  line: { readonly id: BankLineId; readonly amountMinor: bigint; readonly bankAccount: string } & Pick<
    Money,
    'currency'
  >,
  references: readonly string[],
): Promise<boolean> {
  if (references.length === 0) return false
  const named = await rows<{ id: WithdrawalId; state: string }>(tx)`
    select id, case when paid_at is null then 'never paid' else state end as state from withdrawals where reference = any (${[...references]}::text[])
      and amount_minor - fee_minor = ${line.amountMinor} and currency = ${line.currency} order by id for update`
  for (const { id } of named.filter(({ state }) => state === 'returned')) {
    const other = await row(tx)`
      select 1 from bank_lines where withdrawal_id = ${id}
      union all select 1 from entries e join postings p on p.entry_id = e.id join ledger_accounts l on l.id = p.ledger_account
        where e.ref = ${`withdrawal-came-back:${id}`} and l.kind = 'bank' and l.name not in (${line.bankAccount}, '')`
    if (other) continue
    await claimLine(tx, { ...auditContext, identity: { kind: 'external' } }, line.id, id)
    return true
  }
  return false
}

async function claimLine(tx: Transaction, auditContext: AuditContext, id: BankLineId, withdrawalId: WithdrawalId) {
  await applyTransition(tx, bankLineMachine, auditContext, { id }, 'comeBack', {
    set: { withdrawal_id: withdrawalId },
    workItem: null,
  })
}

/** A payout that a transaction may be the return of. */
export interface ReturnedPayout extends Payout {
  readonly clientId: ClientId
  readonly clientEmail: string
  readonly login: string
  readonly state: WithdrawalState
  /** The amount sent to the client's bank, in minor units. */
  readonly sentMinor: bigint
  readonly currency: Currency
  /** The staff member who returned it, which posted the full amount at the bank. */
  readonly returnedBy: string | null
  readonly hasLine: boolean
  /** False for one that was reversed before it was paid. */
  readonly wasPaid: boolean
}

const payoutColumns = sql`w.id, w.reference, w.client_id as "clientId", c.email::text as "clientEmail", a.login, w.state,
  w.amount_minor - w.fee_minor as "sentMinor", w.currency, (select e.actor_id from events e where e.kind = 'withdrawal'
    and e.record = w.id and e.verb = 'return' and e.actor = 'staff' order by e.id desc limit 1) as "returnedBy",
  exists (select from bank_lines b where b.withdrawal_id = w.id) as "hasLine", w.paid_at is not null as "wasPaid"`
const payoutTables = sql`withdrawals w join clients c on c.id = w.client_id join trading_accounts a on a.id = w.account_id`

/** Returns since when payouts that were marked as returned wait for their transaction. */
export function returnsSince(now: Date): Date {
  return new Date(now.getTime() - 60 * 86_400_000)
}

const payoutsMax = 5

/**
 * Returns payouts that a transaction may return: those that it names, and returned ones of the same amount whose
 * transaction is still missing. Payouts of a smaller amount are excluded: the bank adds nothing.
 */
export function payoutsFor(
  connection: Connection,
  { amountMinor, currency }: { readonly amountMinor: bigint } & Pick<Money, 'currency'>,
  references: readonly string[],
  now: Date,
): Promise<ReturnedPayout[]> {
  const named = sql`w.reference = any (${[...references]}::text[])`
  return rows<ReturnedPayout>(connection)`select ${payoutColumns} from ${payoutTables}
      where w.id in (select id from withdrawals w where ${named} and w.state in ('paid', 'returned')
          union select id from withdrawals w where w.state = 'returned'
            and w.returned_at > ${returnsSince(now)} and w.amount_minor - w.fee_minor = ${amountMinor})
        and w.currency = ${currency} and w.amount_minor - w.fee_minor >= ${amountMinor} and w.paid_at is not null
        and not exists (select from bank_lines b where b.withdrawal_id = w.id)
      order by ${named} desc, w.returned_at desc nulls last limit ${payoutsMax}`
}

/** Returns the payout that a bank transaction was matched to, or null. */
export function payoutOfLine(connection: Connection, lineId: BankLineId): Promise<ReturnedPayout | null> {
  return row<ReturnedPayout>(connection)`
    select ${payoutColumns} from ${payoutTables} join bank_lines l on l.withdrawal_id = w.id where l.id = ${lineId}`
}

/** Returns the payout of one of these references, or null. */
export function payoutByReference(
  connection: Connection,
  references: readonly string[],
): Promise<ReturnedPayout | null> {
  return row<ReturnedPayout>(connection)`
    select ${payoutColumns} from ${payoutTables} where w.reference = any (${[...references]}::text[])
      order by w.id limit 1`
}

/** Returns one payout and locks its row until the transaction ends, or null. */
export async function lockPayout(tx: Transaction, id: string): Promise<ReturnedPayout | null> {
  // Locked first, read after: a call that waited for another transaction to be matched sees it.
  await run(tx)`select id from withdrawals where id = ${uuidOrNull(id)}::uuid for update`
  return row<ReturnedPayout>(tx)`select ${payoutColumns} from ${payoutTables} where w.id = ${uuidOrNull(id)}::uuid`
}

interface ClaimedLine {
  readonly id: BankLineId
  readonly version: number
  readonly amountMinor: bigint
  readonly reason: string
}

/**
 * Matches a transaction with a payout that was returned before and posted in full at the bank: the receipt is no longer
 * unallocated, and the bank charges are a cost of the firm.
 */
export async function matchReturnedPayout(
  tx: Transaction,
  auditContext: AuditContext,
  line: ClaimedLine,
  payout: ReturnedPayout,
) {
  const { currency, sentMinor } = payout
  const { id, version, amountMinor, reason } = line
  const kept = sentMinor - amountMinor
  const of = { id, clientId: payout.clientId }
  const after = await applyTransition(tx, bankLineMachine, auditContext, of, 'comeBack', {
    version,
    reason,
    details: { withdrawal: payout.reference, charge: decimalOf(kept), currency },
    set: { withdrawal_id: payout.id, reason },
    workItem: null,
  })
  const charge = { account: { kind: 'fees', currency }, minor: kept } as const
  const entry = { ref: `returned-payout:${id}`, kind: 'returned-payout', subject: bankLineMachine.name, record: id }
  await post(tx, auditContext.now, entry, [
    { account: { kind: 'arrived_unmatched', currency }, minor: amountMinor },
    {
      account: { kind: 'bank', currency, name: await bankOfEntry(tx, `withdrawal-came-back:${payout.id}`) },
      minor: -sentMinor,
    },
    ...(kept === 0n ? [] : [charge]),
  ])
  return after
}

/** Returns the name of the firm's bank account in the ledger that a payout or its return was posted to. */
async function bankOfEntry(tx: Transaction, ref: string): Promise<string> {
  const booked = await row<{ name: string }>(tx)`
    select l.name from entries e join postings p on p.entry_id = e.id join ledger_accounts l on l.id = p.ledger_account
      where e.ref = ${ref} and l.kind = 'bank'`
  if (!booked) throw new Error(`entry ${ref} has no bank posting`)
  return booked.name
}
