/** Finance records that the bank returned a payout. */
import type { returnWithdrawal as returnEndpoint } from '#contract/office/withdrawals.ts'
import type { StaffId } from '#rules/ids.ts'
import { money, type Currency, type Money } from '#rules/money.ts'
import { referencesIn } from '#rules/references.ts'
import { checkMarkReturned, type UnallocatedReceipt, type UnshownReturn } from '#rules/returned-payouts.ts'
import { sameBankSince, withdrawalMachine } from '#rules/withdrawals.ts'
import { rows, run, sql, type Connection, type Transaction } from '../../db/sql.ts'
import { amountText } from '../../i18n/format.ts'
import { requireStaff, type Handler, type RequestContext } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { enqueueBalance } from '../../jobs/balance.ts'
import { namesReference } from '../../ledger/named-references.ts'
import { postReturned, returnsSince } from '../../ledger/returned-payouts.ts'
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
    // Returns at the same time count each other, and one receipt shows only one of them.
    await run(tx)`select pg_advisory_xact_lock(hashtext('withdrawal_return'))`
    const problem = await returnProblem(dependencies, tx, context as RequestContext, withdrawal)
    if (problem) throw problem
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
  { state, currency, amountMinor, feeMinor, reference }: Withdrawal,
): Promise<Problem | null> {
  if (state !== 'paid') return null
  const threshold = money((await dependencies.settings.get('thresholds'))[currency], currency)
  const payout = { reference, sentMinor: amountMinor - feeMinor }
  const { staffId } = requireStaff(context)
  const returned = await unshownReturns(connection, staffId, currency, context.now)
  const references = [reference, ...returned.map((one) => one.reference)]
  const receipts = await receiptsFor(connection, staffId, threshold, references)
  const refusal = checkMarkReturned({ payout, returned, receipts, threshold })
  const values = { threshold: amountText(threshold, context.language), reference }
  return refusal && new Problem(refusal, { values })
}

/** Condition for a bank transaction, `l`, of the import `i`, that rests on more than the word of this person. */
const isShownBesides = (staffId: StaffId) =>
  sql`(l.confirmed_by is not null or coalesce(l.typed_by, i.imported_by) is distinct from ${staffId}::uuid)`

/** Returns the payouts that are marked as returned and for which only this person, or no one, has shown a transaction. */
function unshownReturns(connection: Connection, staffId: StaffId, currency: Currency, now: Date) {
  return rows<UnshownReturn>(connection)`
    select w.reference, w.amount_minor - w.fee_minor as "sentMinor",
        w.returned_at > ${sameBankSince(now)} and exists (select from events e where e.kind = ${withdrawalMachine.name}
          and e.record = w.id and e.verb = 'return' and e.actor_id = ${staffId}) as "isOwn"
      from withdrawals w where w.state = 'returned' and w.returned_at > ${returnsSince(now)} and w.paid_at is not null
        and w.currency = ${currency} and not exists (select from bank_lines l
          left join statement_imports i on i.id = l.import_id where l.withdrawal_id = w.id and ${isShownBesides(staffId)})`
}

/** Returns the unallocated receipts that name one of these payouts or, at or over the threshold, may be of any payout. */
async function receiptsFor(
  connection: Connection,
  staffId: StaffId,
  threshold: Money,
  references: readonly string[],
): Promise<UnallocatedReceipt[]> {
  const lines = await rows<{ amountMinor: bigint; remittance: string }>(connection)`
    select l.amount_minor as "amountMinor", l.remittance
      from bank_lines l left join statement_imports i on i.id = l.import_id
      where l.state = 'unmatched' and l.currency = ${threshold.currency} and l.amount_minor > 0
        and ${isShownBesides(staffId)} and (l.amount_minor >= ${threshold.minor} or exists (
          select from unnest(${[...references]}::text[]) as r (reference)
            where ${namesReference(sql`l.remittance`, sql`r.reference`)}))`
  const candidates = lines.flatMap(({ remittance }) => referencesIn(remittance))
  const known = await rows<{ reference: string }>(connection)`
    select reference from withdrawals where reference = any (${candidates}::text[])
      union select reference from deposits where reference = any (${candidates}::text[])
      union select reference from firm_money_moves where reference = any (${candidates}::text[])`
  const ours = new Set(known.map(({ reference }) => reference))
  return lines.map(({ amountMinor, remittance }) => ({
    amountMinor,
    named: referencesIn(remittance).filter((one) => ours.has(one)),
  }))
}
