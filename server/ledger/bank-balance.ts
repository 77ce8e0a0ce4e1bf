/** Compares the bank's own balance with the ledger's, at the end of a statement that contains it. */
import { differenceMachine } from '#rules/corrections.ts'
import { bankBalanceDiffers as kind } from '#rules/differences.ts'
import type { Currency } from '#rules/money.ts'
import type { DifferenceId } from '#rules/ids.ts'
import { applyTransition } from '../db/transition.ts'
import type { AuditContext } from '../db/events.ts'
import { rows, run, sql, type Transaction, requireRow } from '../db/sql.ts'
import { raiseDifference } from './differences.ts'
import { namesReference } from './named-references.ts'

/** Sent payments may take this number of days to appear on a statement. */
const sentDays = 5

interface Closing {
  readonly account: string
  readonly currency: Currency
  readonly closing: bigint
  readonly on: string
  readonly booked: bigint
  /** When another difference, or none, was last found; null if never. */
  readonly otherwiseAt: Date | null
  /** A statement of a later day was compared before, so this one is not compared with today's ledger. */
  readonly older: boolean
}

/**
 * Stores the ledger balance at the statement's end, and opens a discrepancy if the bank's differs. The discrepancy of
 * an earlier statement of the account is closed, because this one is newer; one that was explained opens again once the
 * difference was another in between (requirements 24.279). Days end in the firm's time zone.
 */
export async function reconcileWithBank(
  tx: Transaction,
  auditContext: AuditContext,
  statementId: string,
  timeZone: string,
): Promise<void> {
  const stated = await closingOf(tx, statementId, timeZone)
  if (stated.older) return
  const { account, currency, closing, on, booked, otherwiseAt } = stated
  await run(tx)`update statement_imports set booked_minor = ${booked} where id = ${statementId}`
  const fingerprint = `${kind}:${account}:${closing - booked}`
  const open = await rows<{ id: DifferenceId }>(tx)`
    select id from differences where kind = ${kind} and state in ('open', 'proposed') and facts ->> 'account' = ${account}
      and (fingerprint <> ${fingerprint} or ${closing === booked})`
  const clock: AuditContext = { ...auditContext, identity: { kind: 'clock' } }
  for (const { id } of open)
    await applyTransition(tx, differenceMachine, clock, { id }, 'vanish', {
      set: { decided_at: auditContext.now },
      workItem: null,
    })
  if (closing === booked) return
  await raiseDifference(tx, auditContext, {
    kind,
    fingerprint,
    absentAt: otherwiseAt,
    subject: 'statement',
    record: statementId,
    oursMinor: booked,
    theirsMinor: closing,
    currency,
    facts: { account, day: on },
  })
}

/**
 * Returns the ledger's balance at the end of the statement's last day: today's postings less those of later days, plus
 * payments that had left the ledger but not the bank.
 */
async function closingOf(tx: Transaction, statementId: string, timeZone: string): Promise<Closing> {
  const found = await requireRow<Omit<Closing, 'otherwiseAt'>>(tx)`
    select i.bank_account as account, i.currency, i.closing_minor as closing, i.closing_on as on,
        ((select coalesce(sum(l.balance_minor), 0) from ledger_accounts l
            where l.kind = 'bank' and l.currency = i.currency and l.name in (i.bank_account, ''))
          - (${laterLines}) - (${laterReturns(timeZone)}) + (${unseenPayouts(timeZone)}) + (${unseenSendBacks}) + (${waitingLines}))::bigint as booked,
        exists (select from statement_imports o where o.bank_account = i.bank_account and o.id <> i.id
          and o.closing_minor is not null and o.closing_on > i.closing_on) as older
      from statement_imports i where i.id = ${statementId}`
  const other = await requireRow<{ at: Date | null }>(tx)`
    select max(imported_at) as at from statement_imports where bank_account = ${found.account} and id <> ${statementId}
      and closing_minor - booked_minor <> ${found.closing - found.booked}::bigint`
  return { ...found, otherwiseAt: other.at }
}

/** An entry of a withdrawal was posted to the account of the statement; earlier versions posted without its name. */
const postedHere = (kind: string) => sql`exists (select from entries e join postings p on p.entry_id = e.id
    join ledger_accounts l on l.id = p.ledger_account
  where e.ref = ${`${kind}:`}::text || w.id and l.kind = 'bank' and l.name in (i.bank_account, ''))`

/** Transactions of later days that are posted: receipts, and of debits the firm's own and the card provider's. */
const laterLines = sql`select coalesce(sum(b.amount_minor), 0) from bank_lines b
  where b.bank_account = i.bank_account and b.booked_on > i.closing_on
    and (b.state in ('own_money', 'card_settlement') or (b.amount_minor > 0 and b.state not in ('second_approval', 'rejected')))`

/**
 * Transactions on the statement that are posted once a second person has confirmed them, without payouts that staff
 * have returned before to the same account: their money is posted already.
 */
const waitingLines = sql`select coalesce(sum(b.amount_minor), 0) from bank_lines b
  where b.bank_account = i.bank_account and b.booked_on <= i.closing_on
    and b.state = 'second_approval' and b.import_id is not null
    and not exists (select from withdrawals w where ${postedHere('withdrawal-came-back')}
        and w.state = 'returned' and w.currency = b.currency and w.amount_minor - w.fee_minor = b.amount_minor
        and ${namesReference(sql`b.remittance`, sql`w.reference`)}
        and not exists (select from bank_lines k where k.withdrawal_id = w.id))`

const returnedLater = (timeZone: string) =>
  sql`w.state = 'returned' and w.paid_at is not null and w.returned_at >= (i.closing_on + 1)::timestamp at time zone ${timeZone}`

/** Paid from the account of the statement, and not from one that replaced it or that it replaced. */
const paidHere = postedHere('withdrawal-paid')

/** Payouts that were posted back since; the transaction that shows one counts with those of its day. */
const laterReturns = (timeZone: string) => sql`select coalesce(sum(w.amount_minor - w.fee_minor), 0) from withdrawals w
  where ${returnedLater(timeZone)} and w.currency = i.currency and ${paidHere}
    and not exists (select from bank_lines b where b.withdrawal_id = w.id)`

/** Sent before or after the end, and on no transaction of the days before the end. */
const unseenPayouts = (timeZone: string) => sql`select coalesce(sum(w.amount_minor - w.fee_minor), 0) from withdrawals w
  where (w.state = 'paid' or (${returnedLater(timeZone)})) and w.currency = i.currency and ${paidHere}
    and w.paid_at > i.closing_on - ${sentDays}::int
    and not exists (select from bank_lines b where b.bank_account = i.bank_account and b.amount_minor < 0
      and b.booked_on between i.closing_on - ${sentDays}::int and i.closing_on
      and ${namesReference(sql`b.remittance`, sql`w.reference`)})`

/** A payment returned to its sender has no reference of ours: the bank has shown as many as left in the same amount. */
const unseenSendBacks = sql`select coalesce(sum(s.minor * greatest(s.count - (select count(*) from bank_lines b
    where b.bank_account = i.bank_account and b.amount_minor = -s.minor and b.state = 'unmatched'
      and b.booked_on between i.closing_on - ${sentDays}::int and i.closing_on), 0)), 0)
  from (select l.amount_minor as minor, count(*) as count from bank_lines l
    join entries e on e.ref = 'sent-back:' || l.id
    where l.state = 'sent_back' and l.bank_account = i.bank_account and e.at > i.closing_on - ${sentDays}::int
    group by l.amount_minor) s`
