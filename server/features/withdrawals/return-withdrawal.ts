/** Finance records that the bank returned a payout. */
import type { returnWithdrawal as returnEndpoint } from '#contract/office/withdrawals.ts'
import type { StaffId } from '#rules/ids.ts'
import { money } from '#rules/money.ts'
import { checkMarkReturned, sameBankSince, withdrawalMachine } from '#rules/withdrawals.ts'
import { requireRow, row, run, type Connection, type Transaction } from '../../db/sql.ts'
import { amountText } from '../../i18n/format.ts'
import { requireStaff, type Handler, type RequestContext } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { enqueueBalance } from '../../jobs/balance.ts'
import { postReturned } from '../../ledger/returned-payouts.ts'
import { decide } from '../../office/decide.ts'
import { withStoredReason } from '../../office/standard-reasons.ts'
import { recordReturnedPayment } from './batches/record-returned-payment.ts'
import type { Dependencies } from '../../dependencies.ts'
import { withdrawalForDecision } from './decide-withdrawal.ts'
import type { Withdrawal } from './queries.ts'

/** Credits the money, which is at our bank again, to the account under its own reference. */
export const returnWithdrawal: Handler<typeof returnEndpoint> = async (dependencies, context) => {
  const withdrawal = await withdrawalForDecision(dependencies, context, context.params.id)
  const { currency } = withdrawal
  const amount = money(withdrawal.amountMinor - withdrawal.feeMinor, currency)
  const { version, reason } = withStoredReason(context.body)
  const set = { returned_at: context.now, comment: reason }
  const judge = async (tx: Transaction) => {
    // Two returns of one person at the same time count each other.
    await run(tx)`select 1 from staff where id = ${requireStaff(context).staffId} for no key update`
    const problem = await returnProblem(dependencies, tx, context as RequestContext, withdrawal)
    if (problem && withdrawal.state === 'paid') throw problem
    return {}
  }
  const comingBack = { request: withdrawal, action: 'return', version, reason, set, judge }
  return decide(dependencies, context, withdrawalMachine, comingBack, async (tx) => {
    await postReturned(tx, context.auditContext, withdrawal, amount)
    const order = { request: withdrawal, subject: withdrawalMachine.name, leg: 'withdrawal-return', amount } as const
    await enqueueBalance(tx, dependencies.keys, context.now, order)
    await recordReturnedPayment(tx, context.auditContext, withdrawal.id)
  })
}

/** Returns why the caller may not mark this payout as returned before the bank has shown it, or null. */
export async function returnProblem(
  dependencies: Pick<Dependencies, 'settings'>,
  connection: Connection,
  context: Pick<RequestContext, 'caller' | 'now' | 'language'>,
  { currency, amountMinor, feeMinor, reference }: Withdrawal,
): Promise<Problem | null> {
  const threshold = money((await dependencies.settings.get('thresholds'))[currency], currency)
  const sent = money(amountMinor - feeMinor, currency)
  // Every receipt at or above the threshold has been confirmed by a second person, or reported by the bank itself.
  const shown = await row(connection)`
    select from bank_lines where state = 'unmatched' and currency = ${currency} and amount_minor between 1 and ${sent.minor}
      and (upper(remittance) like '%' || ${reference}::text || '%'
        or (amount_minor >= ${threshold.minor} and remittance !~* '[A-Z]{1,4}-[0-9A-Z]{8}')) limit 1`
  const before = await sumReturnedBy(connection, requireStaff(context).staffId, currency, context.now)
  const refusal = checkMarkReturned(sent, before, threshold, shown !== null)
  const values = { threshold: amountText(threshold, context.language), reference }
  return refusal && new Problem(refusal, { values })
}

/** Returns the sum of the payouts that a person marked as returned within 24 hours and the bank has not shown since. */
async function sumReturnedBy(connection: Connection, staffId: StaffId, currency: Withdrawal['currency'], now: Date) {
  const { sum } = await requireRow<{ sum: bigint }>(connection)`
    select coalesce(sum(w.amount_minor - w.fee_minor), 0)::bigint as sum from withdrawals w
      where w.state = 'returned' and w.returned_at > ${sameBankSince(now)} and w.paid_at is not null
        and w.currency = ${currency} and not exists (select from bank_lines l where l.withdrawal_id = w.id)
        and exists (select from events e where e.kind = ${withdrawalMachine.name} and e.record = w.id
          and e.verb = 'return' and e.actor_id = ${staffId})`
  return sum
}
