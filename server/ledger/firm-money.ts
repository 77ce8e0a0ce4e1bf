/** Posts firm money with its bank transaction: against the bank, and never as owed to clients. */
import { bankLineMachine } from '#rules/deposits.ts'
import { firmMoneyMachine } from '#rules/firm-money.ts'
import { differenceMachine } from '#rules/corrections.ts'
import type { Currency } from '#rules/money.ts'
import type { BankLineId, DifferenceId, FirmMoneyId } from '#rules/ids.ts'
import { applyTransition } from '../db/transition.ts'
import type { AuditContext } from '../db/events.ts'
import { row, rows, type Transaction } from '../db/sql.ts'
import { post } from './post.ts'

export interface BookedLine {
  readonly id: BankLineId
  readonly bankAccount: string
  /** Negative for a debit. */
  readonly amountMinor: bigint
  readonly currency: Currency
}

/**
 * Matches a transaction as firm money: a receipt leaves arrived-unmatched, a debit leaves the bank, and its open
 * discrepancy is explained. Throws `decided-meanwhile` if the transaction was matched otherwise.
 */
export async function bookFirmMoney(
  tx: Transaction,
  auditContext: AuditContext,
  moveId: FirmMoneyId,
  line: BookedLine,
  reason: string,
): Promise<void> {
  const { id, amountMinor, currency, bankAccount: name } = line
  await applyTransition(tx, bankLineMachine, auditContext, { id }, 'own', { reason, set: { reason }, workItem: null })
  const from =
    amountMinor > 0n ? ({ kind: 'arrived_unmatched', currency } as const) : { kind: 'bank' as const, currency, name }
  const entry = { ref: `firm-money:${moveId}`, kind: 'firm-money', subject: firmMoneyMachine.name, record: moveId }
  await post(tx, auditContext.now, entry, [
    { account: from, minor: amountMinor },
    { account: { kind: 'firm_money', currency }, minor: -amountMinor },
  ])
  await explainOutgoing(tx, auditContext, id, reason)
}

/** Explains the open discrepancy of a debit that two people have decided; a receipt has none. */
export async function explainOutgoing(
  tx: Transaction,
  auditContext: AuditContext,
  lineId: BankLineId,
  reason: string,
): Promise<void> {
  const open = await rows<{ id: DifferenceId }>(tx)`
    select id from differences where kind = 'bank-outgoing' and record = ${lineId} and state = 'open'`
  const staff = auditContext.identity.kind === 'staff' ? auditContext.identity.id : null
  for (const { id: difference } of open) {
    const set = { reason, decided_by: staff, decided_at: auditContext.now }
    await applyTransition(tx, differenceMachine, auditContext, { id: difference }, 'explain', {
      reason,
      set,
      workItem: null,
    })
  }
}

/**
 * Posts the confirmed transfer that a new transaction names by its reference, in the same amount and currency. Returns
 * whether there was one.
 */
export async function bookByReference(
  tx: Transaction,
  auditContext: AuditContext,
  line: BookedLine,
  references: readonly string[],
): Promise<boolean> {
  const move = await row<{ id: FirmMoneyId; reason: string }>(tx)`
    select id, reason from firm_money_moves where state = 'processing' and bank_line is null
      and reference = any (${[...references]}::text[]) and amount_minor = ${line.amountMinor}
      and currency = ${line.currency} order by id limit 1`
  if (!move) return false
  const byIntegration: AuditContext = { ...auditContext, identity: { kind: 'external' } }
  await applyTransition(tx, firmMoneyMachine, byIntegration, move, 'booked', { set: { bank_line: line.id } })
  await bookFirmMoney(tx, byIntegration, move.id, line, move.reason)
  return true
}
