/**
 * Payouts of the lost period that the bank shows: an approved withdrawal is paid if an outgoing transaction has its
 * reference and amount (requirements 20.14). An earlier state is first advanced by the deal of its debit, which two
 * people decide.
 */
import { differenceMachine } from '#rules/corrections.ts'
import { payoutStopMachine } from '#rules/payout-stops.ts'
import { withdrawalMachine } from '#rules/withdrawals.ts'
import type { BankLineId, DifferenceId, PayoutStopId, WithdrawalId } from '#rules/ids.ts'
import { applyTransition } from '../../db/transition.ts'
import type { AuditContext } from '../../db/events.ts'
import { rows, run, sql, type Transaction } from '../../db/sql.ts'
import { closePayoutDiscrepancies } from '../../ledger/differences.ts'
import { namesReference } from '../../ledger/named-references.ts'
import { post } from '../../ledger/post.ts'
import { recoveryOf } from '../../recovery/stopped-money.ts'
import { payoutMinor } from './batches/payout-file.ts'
import { withdrawalById, type Withdrawal } from './queries.ts'
import { notifyWithdrawal } from './notify-withdrawal.ts'

interface PaidAtBank {
  readonly id: WithdrawalId
  readonly line: BankLineId
  readonly bank: string
}

/**
 * Adopts every payout that the bank shows, while payouts are stopped. Returns their number; repeating it finds none.
 */
export async function adoptPayouts(tx: Transaction, by: AuditContext): Promise<number> {
  const recovery = await recoveryOf(tx)
  if (!recovery || recovery.payoutsOpenAt !== null) return 0
  const auditContext: AuditContext = { ...by, identity: { kind: 'recovery' } }
  const found = await rows<PaidAtBank>(tx)`select distinct on (w.id) w.id, l.id as line, l.bank_account as bank
      from withdrawals w join bank_lines l on l.currency = w.currency and l.amount_minor = w.fee_minor - w.amount_minor
        and ${namesReference(sql`l.remittance`, sql`w.reference`)}
      where w.state = 'approved' and l.amount_minor < 0 and l.state = 'unmatched' order by w.id, l.created_at, l.id`
  let adopted = 0
  for (const { id, line, bank } of found) {
    await rows(tx)`select id from withdrawals where id = ${id} for update`
    const withdrawal = await withdrawalById(tx, id)
    if (withdrawal?.state !== 'approved') continue
    await markPaid(tx, withdrawal, bank, auditContext)
    await clearDoubts(tx, withdrawal, line, auditContext)
    await notifyWithdrawal(tx, withdrawal, 'withdrawal-paid', auditContext)
    adopted += 1
  }
  return adopted
}

/**
 * Marks a withdrawal as paid, as the bank or a returned payout proves, and removes it from a batch that was never
 * released.
 */
export async function markPaid(
  tx: Transaction,
  withdrawal: Withdrawal,
  bank: string,
  auditContext: AuditContext,
): Promise<void> {
  const { id } = withdrawal
  const set = { paid_at: auditContext.now, reversal_asked_by: null, reversal_asked_at: null }
  await applyTransition(tx, withdrawalMachine, auditContext, withdrawal, 'adoptPaid', { set, workItem: null })
  await postPaid(tx, withdrawal, bank, auditContext.now)
  await run(tx)`
    update payout_batch_payments p set live = false, left_out = array['payout-paid-already'] from payout_batches b
      where b.id = p.batch_id and b.state = 'created' and p.withdrawal_id = ${id} and p.live`
}

/** Posts what the bank has paid for a withdrawal. */
export async function postPaid(tx: Transaction, withdrawal: Withdrawal, bank: string, at: Date): Promise<void> {
  const { id: record, currency } = withdrawal
  const left = payoutMinor(withdrawal)
  const kind = 'withdrawal-paid'
  await post(tx, at, { ref: `${kind}:${record}`, kind, subject: withdrawalMachine.name, record }, [
    { account: { kind: 'payout_in_transit', currency }, minor: left },
    { account: { kind: 'bank', currency, name: bank }, minor: -left },
  ])
}

/**
 * Clears what the transaction opened before: a payout stop for an unknown payment, or the discrepancy of an unpaid
 * payout.
 */
async function clearDoubts(tx: Transaction, { id, reference }: Withdrawal, line: string, auditContext: AuditContext) {
  await closePayoutDiscrepancies(tx, auditContext, id)
  const differences = await rows<{ id: DifferenceId }>(tx)`
    select id from differences where fingerprint = ${`bank-outgoing:${line}`} and state in ('open', 'proposed')`
  const clock: AuditContext = { ...auditContext, identity: { kind: 'clock' } }
  for (const one of differences) await applyTransition(tx, differenceMachine, clock, one, 'vanish', { workItem: null })
  const stops = await rows<{ id: PayoutStopId }>(tx)`
    select id from payout_stops where bank_line = ${line} and reference = ${reference}
      and state in ('open', 'explained') for update`
  for (const stop of stops)
    await applyTransition(tx, payoutStopMachine, auditContext, stop, 'adopt', { workItem: null })
}
