/** Finance confirms that the bank has executed a batch, which marks its payments as paid. Nothing else does. */
import type { confirmPayoutBatch as endpoint } from '#contract/office/payout-batches.ts'
import { languages } from '#rules/choices.ts'
import { decimalOf } from '#rules/money.ts'
import { batchNumber, checkSentConfirmation, payoutBatchMachine } from '#rules/payout-batches.ts'
import { withdrawalMachine } from '#rules/withdrawals.ts'
import { applyTransition } from '../../../db/transition.ts'
import type { Transaction } from '../../../db/sql.ts'
import { firmBankAccount } from '../../../settings/firm-bank-account.ts'
import { requireStaff, type RequestContext, type Handler } from '../../../http/handler.ts'
import { requireFound, throwIfProblem } from '../../../http/problem.ts'
import { closePayoutDiscrepancies } from '../../../ledger/differences.ts'
import { assertNotOwnRequest, takeDecision } from '../../../office/records.ts'
import { timeFact } from '../../../mail/templates/withdrawals.ts'
import type { PaymentMethod } from '../../../settings/payment-methods.ts'
import { postPaid } from '../adopt-payouts.ts'
import { notifyWithdrawal } from '../notify-withdrawal.ts'
import { batchById, lockBatch, lockPayments, type BatchPayment } from './queries.ts'

const { name: kind } = payoutBatchMachine

export const confirmBatch: Handler<typeof endpoint> = async (dependencies, context) => {
  const known = requireFound(await batchById(dependencies.pool, context.params.id))
  const present = await firmBankAccount(dependencies, known.currency)
  const { withdrawal: methods } = await dependencies.settings.get('methods')
  return takeDecision(dependencies, context, kind, known.id, async (tx) => {
    const batch = requireFound(await lockBatch(tx, known.id))
    const staff = requireStaff(context)
    throwIfProblem(checkSentConfirmation(batch.releasedBy, staff.staffId))
    const payments = await lockPayments(tx, batch.id)
    for (const { clientEmail } of payments) assertNotOwnRequest(staff, clientEmail)
    const number = batchNumber(batch.number)
    const after = await applyTransition(tx, payoutBatchMachine, context.auditContext, batch, 'confirm', {
      version: context.body.version,
      reason: context.body.note,
      details: { number, count: batch.count, total: decimalOf(batch.totalMinor), currency: batch.currency },
      set: { confirmed_by: staff.staffId, sent_at: context.now },
      workItem: null,
    })
    for (const payment of payments)
      // Payments that recovery read on a statement are paid already.
      if (payment.state === 'approved')
        await payWithdrawal(tx, context, payment, batch.bankAccount ?? present, number, methods)
    return after
  })
}

async function payWithdrawal(
  tx: Transaction,
  context: RequestContext<typeof endpoint>,
  payment: BatchPayment,
  bank: string,
  batch: string,
  methods: readonly PaymentMethod[],
): Promise<void> {
  await applyTransition(tx, withdrawalMachine, context.auditContext, payment, 'pay', {
    details: { batch },
    set: { paid_by: requireStaff(context).staffId, paid_at: context.now },
    workItem: null,
  })
  await postPaid(tx, payment, bank, context.now)
  await closePayoutDiscrepancies(tx, context.auditContext, payment.id)
  await notifyWithdrawal(tx, payment, 'withdrawal-paid', context.auditContext, timeToArrive(methods, payment))
}

/** Returns how long the method takes, in both languages; nothing if the settings no longer have it. */
function timeToArrive(methods: readonly PaymentMethod[], { method: kept }: BatchPayment): Record<string, string> {
  const time = methods.find(({ method }) => method.en === kept)?.time
  return time ? Object.fromEntries(languages.map((language) => [timeFact(language), time[language]])) : {}
}
