/** Settles withdrawals after the platform's response: the debit, and the credit of a returned payout. */
import { decimalOf } from '#rules/money.ts'
import { withdrawalMachine } from '#rules/withdrawals.ts'
import type { WithdrawalId } from '#rules/ids.ts'
import { holdDebitIfBlocked } from '../../checks/hold-debit.ts'
import { applyTransition } from '../../db/transition.ts'
import type { AuditContext } from '../../db/events.ts'
import type { Transaction } from '../../db/sql.ts'
import { ledgerEntryOf, type BalanceLegs, type BalancePayload, type HeldLegs } from '../../jobs/balance.ts'
import type { Operation, Outcome } from '../../jobs/operations.ts'
import { openOperationItem, recordOf } from '../../jobs/operation.ts'
import { post } from '../../ledger/post.ts'
import { release } from '../../ledger/reservations.ts'
import { platformErrorComment } from '../../i18n/format.ts'
import { workItemDueIn } from '../../office/due-dates.ts'
import { notifyWithdrawal } from './notify-withdrawal.ts'
import { withdrawalById, withdrawalWorkItem, type Withdrawal } from './queries.ts'
import { withdrawalChecked } from './withdrawal-checks.ts'

/** Settles an operation that the platform has carried out. */
type Settle = (
  tx: Transaction,
  withdrawal: Withdrawal,
  operation: Operation<BalancePayload>,
  auditContext: AuditContext,
) => Promise<void>

export const legs: BalanceLegs = {
  'withdrawal-debit': async (tx, operation, outcome, auditContext) => {
    const withdrawal = await withdrawalOfOperation(tx, operation)
    await ('done' in outcome
      ? settleDebit(tx, withdrawal, operation, auditContext)
      : settleRefusedDebit(tx, withdrawal, outcome, auditContext))
  },
  'withdrawal-reversal': async (tx, operation, outcome, auditContext) => {
    const withdrawal = await withdrawalOfOperation(tx, operation)
    if ('done' in outcome) await settleReversal(tx, withdrawal, operation, auditContext)
    // The account was debited and nothing will be paid: a person must resolve it.
    else await openRefusedItem(tx, operation, auditContext.now)
  },
  'withdrawal-return': async (tx, operation, outcome, auditContext) => {
    const withdrawal = await withdrawalOfOperation(tx, operation)
    if ('done' in outcome) await settleReturn(tx, withdrawal, operation, auditContext)
    // The client's money is in our bank and not on the platform: a person must resolve it.
    else await openRefusedItem(tx, operation, auditContext.now)
  },
}

export const held: HeldLegs = {
  'withdrawal-debit': async (tx, operation, now) => {
    const withdrawal = await withdrawalOfOperation(tx, operation)
    const work = {
      ...withdrawalWorkItem(withdrawal),
      state: 'processing',
      dueAt: await workItemDueIn(tx, 'withdrawal', now),
    }
    return holdDebitIfBlocked(tx, debitChecked, withdrawal, work, now)
  },
}

const debitChecked = withdrawalChecked('debit')

function withdrawalOfOperation(tx: Transaction, operation: Operation<BalancePayload>): Promise<Withdrawal> {
  return recordOf(operation, (id: WithdrawalId) => withdrawalById(tx, id))
}

/** Posts the debit and releases the reservation in one transaction (requirements 18.7). */
const settleDebit: Settle = async (tx, withdrawal, operation, auditContext) => {
  const { currency, accountId, amountMinor, feeMinor } = withdrawal
  await applyTransition(tx, withdrawalMachine, auditContext, withdrawal, 'debited', {
    set: { approved_at: auditContext.now },
    workItem: {
      ...withdrawalWorkItem(withdrawal),
      state: 'approved',
      dueAt: await workItemDueIn(tx, 'withdrawal', auditContext.now),
    },
  })
  await release(tx, 'withdrawal', withdrawal.id, auditContext.now)
  await post(tx, auditContext.now, ledgerEntryOf(operation), [
    { account: { kind: 'client', currency, tradingAccount: accountId }, minor: amountMinor },
    { account: { kind: 'payout_in_transit', currency }, minor: -(amountMinor - feeMinor) },
    { account: { kind: 'fees', currency }, minor: -feeMinor },
  ])
  await notifyWithdrawal(tx, withdrawal, 'withdrawal-approved', auditContext)
}

/** Rejects a withdrawal that the platform refused, with its reason, and releases the reservation. */
async function settleRefusedDebit(
  tx: Transaction,
  withdrawal: Withdrawal,
  outcome: Extract<Outcome, { refused: unknown }>,
  auditContext: AuditContext,
): Promise<void> {
  const { reason, code } = outcome.refused
  const comment = platformErrorComment(reason)
  await applyTransition(tx, withdrawalMachine, auditContext, withdrawal, 'refused', {
    reason: code,
    set: { comment, rejected_at: auditContext.now },
    workItem: null,
  })
  await release(tx, 'withdrawal', withdrawal.id, auditContext.now)
  await notifyWithdrawal(tx, { ...withdrawal, comment }, 'withdrawal-rejected', auditContext)
}

const settleReturn: Settle = async (tx, withdrawal, operation, auditContext) => {
  const { currency, accountId, amountMinor, feeMinor } = withdrawal
  await post(tx, auditContext.now, ledgerEntryOf(operation), [
    { account: { kind: 'payout_in_transit', currency }, minor: amountMinor - feeMinor },
    { account: { kind: 'client', currency, tradingAccount: accountId }, minor: -(amountMinor - feeMinor) },
  ])
  await notifyWithdrawal(tx, withdrawal, 'withdrawal-returned', auditContext)
}

/** Settles a reversal: the whole debit is credited again, its fee included. */
const settleReversal: Settle = async (tx, withdrawal, operation, auditContext) => {
  const { currency, accountId, amountMinor, feeMinor } = withdrawal
  const fee = { account: { kind: 'fees', currency }, minor: feeMinor } as const
  await post(tx, auditContext.now, ledgerEntryOf(operation), [
    { account: { kind: 'payout_in_transit', currency }, minor: amountMinor - feeMinor },
    ...(feeMinor === 0n ? [] : [fee]),
    { account: { kind: 'client', currency, tradingAccount: accountId }, minor: -amountMinor },
  ])
  await notifyWithdrawal(tx, withdrawal, 'withdrawal-reversed', auditContext)
}

/** Opens the item of a credit that the platform refused. */
function openRefusedItem(tx: Transaction, operation: Operation<BalancePayload>, now: Date): Promise<void> {
  const { minor, currency } = operation.payload
  return openOperationItem(tx, operation, 'refused', now, { amount: decimalOf(BigInt(minor)), currency })
}
