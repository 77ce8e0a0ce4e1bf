/** Finance records that the bank returned a payout. */
import type { returnWithdrawal as returnEndpoint } from '#contract/office/withdrawals.ts'
import { money } from '#rules/money.ts'
import { withdrawalMachine } from '#rules/withdrawals.ts'
import { firmBankAccount } from '../../settings/firm-bank-account.ts'
import type { Handler } from '../../http/request-context.ts'
import { enqueueBalance } from '../../jobs/balance.ts'
import { post } from '../../ledger/post.ts'
import { placeOfReturned } from '../../ledger/returned-payouts.ts'
import { decide } from '../../office/decide.ts'
import { withKeptReason } from '../../office/standard-reasons.ts'
import { paymentReturned } from './batches/payment-returned.ts'
import { forDecision } from './decide-withdrawal.ts'

/** Returns the money, which is in our bank again, to the account under a reference of its own. */
export const returnWithdrawal: Handler<typeof returnEndpoint> = async (dependencies, context) => {
  const withdrawal = await forDecision(dependencies, context, context.params.id)
  const { currency, platform, login, accountId, clientId } = withdrawal
  const back = withdrawal.amountMinor - withdrawal.feeMinor
  const bank = await firmBankAccount(dependencies, currency)
  const { version, reason } = withKeptReason(context.body)
  const set = { returned_at: context.now, comment: reason }
  const comingBack = { request: withdrawal, action: 'return', version, reason, set }
  return decide(dependencies, context, withdrawalMachine, comingBack, async (tx) => {
    const place = await placeOfReturned(tx, context.auditContext, withdrawal, money(back, currency), bank)
    await post(tx, {
      ref: `withdrawal-came-back:${withdrawal.id}`,
      kind: 'withdrawal-came-back',
      subject: 'withdrawal',
      record: withdrawal.id,
      at: context.now,
      postings: [
        { account: place, minor: back },
        { account: { kind: 'payout_in_transit', currency }, minor: -back },
      ],
    })
    await enqueueBalance(
      tx,
      dependencies.keys,
      {
        shown: withdrawal.reference,
        platform,
        login,
        accountId,
        amount: money(back, currency),
        checkMargin: false,
        leg: 'withdrawal-return',
        subject: 'withdrawal',
        record: withdrawal.id,
        clientId,
      },
      context.now,
    )
    await paymentReturned(tx, context.auditContext, withdrawal.id)
  })
}
