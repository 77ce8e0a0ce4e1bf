/** Brings a withdrawal to the state that a deal on the platform proves (requirements 20.13, 20.14). */
import { isLessThan, money, negate } from '#rules/money.ts'
import { withdrawalMachine } from '#rules/withdrawals.ts'
import type { WithdrawalId } from '#rules/ids.ts'
import { applyTransition, recordCreation } from '../../db/transition.ts'
import type { AuditContext } from '../../db/events.ts'
import { row, type Transaction, requireRow } from '../../db/sql.ts'
import { Problem, requireFound } from '../../http/problem.ts'
import { release, reserve, reserveAgain } from '../../ledger/reservations.ts'
import { postReturned } from '../../ledger/returned-payouts.ts'
import { hasEnded, recoveredDetails, type FoundRequest, type RequestAdoption } from '../../recovery/adoption.ts'
import { readFirmBankAccount } from '../../settings/firm-bank-account.ts'
import { feeOf } from '../../settings/payment-methods.ts'
import { readSetting } from '../../settings/settings.ts'
import { bankOfClient } from '../bank-details/queries.ts'
import { markPaid } from './adopt-payouts.ts'
import { recordReturnedPayment } from './batches/record-returned-payment.ts'
import { batchOf } from './batches/queries.ts'
import { notifyWithdrawal } from './notify-withdrawal.ts'
import { withdrawalById, type Withdrawal } from './queries.ts'

export const withdrawalAdoption: RequestAdoption<WithdrawalId> = {
  find: (tx, shown) =>
    row<FoundRequest<WithdrawalId>>(
      tx,
    )`select id, client_id as "clientId" from withdrawals where reference = ${shown} for update`,

  async fits(tx, id, { leg, platform, login, amount }) {
    const withdrawal = await withdrawalById(tx, id)
    if (!withdrawal || withdrawal.platform !== platform || withdrawal.login !== login) return false
    const { amountMinor, feeMinor, currency } = withdrawal
    const expected =
      leg === 'withdrawal-debit' ? -amountMinor : leg === 'withdrawal-return' ? amountMinor - feeMinor : amountMinor
    return amount.currency === currency && amount.minor === expected
  },

  async bringTo(tx, id, { leg }, auditContext) {
    const withdrawal = await withdrawalById(tx, id)
    if (!withdrawal) throw new Error(`withdrawal ${id} not found`)
    if (leg === 'withdrawal-return') return adoptReturnedPayout(tx, withdrawal, auditContext)
    if (leg === 'withdrawal-reversal') return adoptReversal(tx, withdrawal, auditContext)
    if (leg !== 'withdrawal-debit' || withdrawal.state === 'processing') return
    await reserveAgain(tx, 'withdrawal', id)
    await applyTransition(tx, withdrawalMachine, auditContext, withdrawal, 'adopt', { workItem: null })
  },

  async end(tx, id, auditContext) {
    const withdrawal = await withdrawalById(tx, id)
    if (!withdrawal || !['pending', 'second_approval'].includes(withdrawal.state)) return hasEnded(withdrawal)
    const set = { rejected_at: auditContext.now }
    await applyTransition(tx, withdrawalMachine, auditContext, withdrawal, 'reject', { set, workItem: null })
    await release(tx, 'withdrawal', id, auditContext.now)
    await notifyWithdrawal(tx, withdrawal, 'withdrawal-rejected', auditContext)
    return true
  },

  async recreate(tx, { deal, account, proposal: { bankId } }, auditContext) {
    if (deal.leg !== 'withdrawal-debit') throw new Problem('recovery-debit-first')
    if (bankId === undefined) throw new Problem('required', { field: 'bankId' })
    const bank = requireFound(await bankOfClient(tx, account.clientId, bankId), { field: 'bankId' })
    const amount = negate(deal.amount)
    const { withdrawal: methods } = (await readSetting(tx, 'methods', auditContext.now)).value
    const method = methods.find(({ type }) => type === 'wire')
    const fee = method ? feeOf(method, amount) : money(0n, amount.currency)
    const kept = isLessThan(fee, amount) ? fee.minor : 0n
    const { id } = await requireRow<{ id: WithdrawalId }>(tx)`
      insert into withdrawals (client_id, account_id, bank_id, bank, type, method, amount_minor, fee_minor, currency,
          reference, figures, requested_at)
        values (${account.clientId}, ${account.id}, ${bank.id}, ${JSON.stringify(bank.chosen)}::text::jsonb,
          'wire', ${method?.method.en ?? 'Bank Transfer'}, ${amount.minor}, ${kept}, ${amount.currency},
          ${deal.shown}, '{}'::jsonb, ${deal.at}) returning id`
    await reserve(tx, { accountId: account.id, subject: 'withdrawal', record: id, amount, now: auditContext.now })
    const details = recoveredDetails(deal, amount)
    await recordCreation(tx, withdrawalMachine, auditContext, { id, clientId: account.clientId }, 'recover', {
      details,
    })
    return id
  },
}

/** Posts the missing payout and return of a withdrawal whose credit proves both. */
async function adoptReturnedPayout(tx: Transaction, withdrawal: Withdrawal, auditContext: AuditContext): Promise<void> {
  const { id, state, currency } = withdrawal
  if (state === 'returned') return
  if (state !== 'approved' && state !== 'paid') throw new Problem('recovery-debit-first')
  if (state === 'approved') {
    const batch = await batchOf(tx, id)
    const bank = batch?.bankAccount ?? (await readFirmBankAccount(tx, currency, auditContext.now))
    await markPaid(tx, withdrawal, bank, auditContext)
  }
  await applyTransition(tx, withdrawalMachine, auditContext, withdrawal, 'adoptReturned', {
    set: { returned_at: auditContext.now },
    workItem: null,
  })
  const back = money(withdrawal.amountMinor - withdrawal.feeMinor, currency)
  await postReturned(tx, auditContext, withdrawal, back)
  await recordReturnedPayment(tx, auditContext, id)
}

/** Posts the reversal of a withdrawal that was credited back before it was paid. */
async function adoptReversal(tx: Transaction, { id, clientId, state }: Withdrawal, auditContext: AuditContext) {
  if (state === 'returned') return
  if (state !== 'approved') throw new Problem('recovery-debit-first')
  const set = { returned_at: auditContext.now, reversal_asked_by: null, reversal_asked_at: null }
  await applyTransition(tx, withdrawalMachine, auditContext, { id, clientId }, 'adoptReturned', { set, workItem: null })
}
