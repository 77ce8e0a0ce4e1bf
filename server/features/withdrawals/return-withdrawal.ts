/** The way back from the bank: finance states that the bank returned a payout. */
import type { returnWithdrawal as returnEndpoint } from '#contract/office/withdrawals.ts'
import { money } from '#rules/money.ts'
import { withdrawalLife } from '#rules/withdrawals.ts'
import { firmBankAccount } from '../../settings/firm-bank-account.ts'
import type { Verb } from '../../http/register-endpoint.ts'
import { enqueueBalance } from '../../jobs/balance.ts'
import { post } from '../../ledger/post.ts'
import { placeOfReturned } from '../../ledger/returned-payouts.ts'
import { decide } from '../../office/decide.ts'
import type { Parts } from '../../dependencies.ts'
import { paymentReturned } from './batches/payment-returned.ts'
import { forDecision } from './decide-withdrawal.ts'

/** The money is in our bank again; it goes back to the account under a reference of its own. */
export function returnWithdrawal(parts: Parts): Verb<typeof returnEndpoint> {
  return async (call) => {
    const withdrawal = await forDecision(parts, call, call.params.id)
    const { currency, platform, login, accountId, clientId } = withdrawal
    const back = withdrawal.amountMinor - withdrawal.feeMinor
    const bank = await firmBankAccount(parts, currency)
    const { version, reason } = call.body
    const set = { returned_at: call.now, comment: reason }
    const comingBack = { request: withdrawal, verb: 'return', version, reason, set }
    return decide(parts, call, withdrawalLife, comingBack, async (tx) => {
      const place = await placeOfReturned(tx, call.act, withdrawal, money(back, currency), bank)
      await post(tx, {
        ref: `withdrawal-came-back:${withdrawal.id}`,
        kind: 'withdrawal-came-back',
        subject: 'withdrawal',
        record: withdrawal.id,
        at: call.now,
        postings: [
          { account: place, minor: back },
          { account: { kind: 'payout_in_transit', currency }, minor: -back },
        ],
      })
      await enqueueBalance(
        tx,
        parts.keys,
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
        call.now,
      )
      await paymentReturned(tx, call.act, withdrawal.id)
    })
  }
}
