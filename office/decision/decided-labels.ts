/** What a decision led to and what comes next, by record and state, where the state's label alone does not say it. */
import { msg, type Message } from '#contract/message.ts'
import type { StatusRecord } from '#contract/status-labels.ts'

const matched = msg`Matched. The platform is crediting the amount.`

export const decidedLabels = {
  'account.processing': msg`Approved. The platform is opening the account.`,
  // Confirmed: the person who entered or imported it did not match it yet.
  'bank_line.unmatched': msg`Confirmed. The payment can now be matched.`,
  'bank_line.matched': matched,
  'deposit.processing': matched,
  'leverage_request.processing': msg`Approved. The platform is changing the leverage.`,
  'payout_batch.void_requested': msg`Void requested. A second person must confirm it.`,
  'profile_change.confirming': msg`Approved. The client confirms the new address by a link in our email.`,
  'transfer.processing': msg`Approved. The platform is carrying out the transfer.`,
  'withdrawal.second_approval': msg`First approval given. A finance supervisor must give the second approval.`,
  'withdrawal.processing': msg`Approved. Once the account has been debited, the withdrawal is ready for payout.`,
} as const satisfies Readonly<Partial<Record<`${StatusRecord}.${string}`, Message>>>
