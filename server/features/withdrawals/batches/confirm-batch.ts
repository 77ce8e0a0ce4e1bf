/** Finance confirms that the bank has sent a batch: its payments are paid, and nothing else makes one paid. */
import type { confirmPayoutBatch as endpoint } from '#contract/office/payout-batches.ts'
import { decimalOf } from '#rules/money.ts'
import { batchNumber, checkSent, payoutBatchLife } from '#rules/payout-batches.ts'
import { withdrawalLife } from '#rules/withdrawals.ts'
import { advance } from '../../../db/transition.ts'
import { transaction, type Transaction } from '../../../db/transaction.ts'
import { firmBankAccount } from '../../../settings/firm-bank-account.ts'
import { staffOf, type Call } from '../../../http/request-context.ts'
import { Problem, refuse } from '../../../http/problem.ts'
import type { Verb } from '../../../http/register-endpoint.ts'
import { paidHereToo } from '../../../ledger/differences.ts'
import { post } from '../../../ledger/post.ts'
import { decidedAnswer, namingDecider } from '../../../office/records.ts'
import type { Parts } from '../../../dependencies.ts'
import type { PaymentMethod } from '../../../settings/payment-methods.ts'
import { tellOfWithdrawal } from '../notify-withdrawal.ts'
import { payoutMinor } from './payout-file.ts'
import { batchById, lockBatch, lockPayments, type BatchPayment } from './queries.ts'

const { name: kind } = payoutBatchLife

export function confirmBatch(parts: Parts): Verb<typeof endpoint> {
  return async (call) => {
    const known = await batchById(parts.pool, call.params.id)
    if (!known) throw new Problem('not-found')
    const bank = await firmBankAccount(parts, known.currency)
    const { withdrawal: methods } = await parts.settings.get('methods')
    return namingDecider(parts, kind, known.id, () =>
      transaction(parts.pool, async (tx) => {
        const batch = await lockBatch(tx, known.id)
        if (!batch) throw new Problem('not-found')
        refuse(checkSent(batch.releasedBy, staffOf(call).staffId))
        const after = await advance(tx, payoutBatchLife, call.act, {
          id: batch.id,
          verb: 'confirm',
          version: call.body.version,
          ...(call.body.note ? { reason: call.body.note } : {}),
          details: {
            number: batchNumber(batch.number),
            count: batch.count,
            total: decimalOf(batch.totalMinor),
            currency: batch.currency,
          },
          set: { confirmed_by: staffOf(call).staffId, sent_at: call.now },
          work: null,
        })
        for (const payment of await lockPayments(tx, batch.id))
          // What recovery read on a statement is paid already.
          if (payment.state === 'approved') await pay(tx, call, payment, bank, batchNumber(batch.number), methods)
        return decidedAnswer(tx, call, kind, batch.id, after)
      }),
    )
  }
}

async function pay(
  tx: Transaction,
  call: Call<typeof endpoint>,
  payment: BatchPayment,
  bank: string,
  batch: string,
  methods: readonly PaymentMethod[],
): Promise<void> {
  const { id, clientId, currency } = payment
  await advance(tx, withdrawalLife, call.act, {
    id,
    verb: 'pay',
    clientId,
    details: { batch },
    set: { paid_by: staffOf(call).staffId, paid_at: call.now },
    work: null,
  })
  const left = payoutMinor(payment)
  await post(tx, {
    ref: `withdrawal-paid:${id}`,
    kind: 'withdrawal-paid',
    subject: withdrawalLife.name,
    record: id,
    at: call.now,
    postings: [
      { account: { kind: 'payout_in_transit', currency }, minor: left },
      { account: { kind: 'bank', currency, name: bank }, minor: -left },
    ],
  })
  await paidHereToo(tx, call.act, id)
  await tellOfWithdrawal(tx, payment, 'withdrawal-paid', call.act, timeToArrive(methods, payment))
}

/** How long the method takes, in both languages; nothing for one that the settings no longer have. */
function timeToArrive(methods: readonly PaymentMethod[], { method: kept }: BatchPayment): Record<string, string> {
  const time = methods.find(({ method }) => method.en === kept)?.time
  return time ? { timeEn: time.en, timeDe: time.de } : {}
}
