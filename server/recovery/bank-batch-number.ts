/**
 * The number of the last payout batch that the bank shows: the first release after every start and every change of
 * timeline must state it, without seeing ours, and a different number is a sign (requirements 20.8).
 */
import type { Currency } from '#rules/money.ts'
import { row, run, type Connection, type Transaction } from '../db/sql.ts'
import { lastKnown } from './database-identity.ts'

/**
 * Returns whether a release in this currency must state the number: none has since a server started or the timeline
 * changed.
 */
export async function requiresBankNumber(connection: Connection, currency: Currency): Promise<boolean> {
  const found = await row<{ asks: boolean }>(connection)`
    select not exists (select from bank_batch_numbers where currency = ${currency}
      and said_at > all (select started_at from server_heartbeats union all select noted_at from database_identity)) as asks`
  return found?.asks ?? true
}

/** A batch that was confirmed as sent within this time may not have been visible at the bank yet. */
const unseenMs = 3_600_000

/**
 * Returns whether our records can explain the bank's number: the batch that was confirmed as sent last, 0 if there was
 * none, or one that was released and not yet confirmed; those that colleagues confirmed in the last hour may not have
 * been seen. A number stated after a closed recovery, with nothing sent since, is explained by that recovery.
 */
export async function explainsBankNumber(
  connection: Connection,
  { currency, number, now }: { readonly currency: Currency; readonly number: bigint; readonly now: Date },
): Promise<boolean> {
  const seen = new Date(now.getTime() - unseenMs)
  const found = await row<{ explained: boolean }>(connection)`
    with said as (select number, said_at from bank_batch_numbers where currency = ${currency}
          order by said_at desc, id desc limit 1),
        sent as (select number, sent_at from payout_batches where currency = ${currency} and sent_at is not null),
        last as (select number, sent_at from sent where sent_at <= ${seen} order by sent_at desc, number desc limit 1)
      select ${number} = coalesce((select number from last), 0)
          or exists (select from sent where number = ${number} and sent_at > ${seen})
          or exists (select from payout_batches where currency = ${currency} and number = ${number}
            and released_at is not null and sent_at is null)
          or exists (select from said where number = ${number} and not exists (select from last where sent_at > said_at))
          or exists (select from recovery where payouts_open_at > coalesce((select said_at from said), '-infinity'))
        as explained`
  return found?.explained ?? false
}

/** Stores the number that a releaser read at the bank; the batch numbers of the lost time are not reused. */
export async function storeBankNumber(
  tx: Transaction,
  confirmed: { readonly currency: Currency; readonly number: bigint; readonly by: string; readonly at: Date },
): Promise<void> {
  const { currency, number, by, at } = confirmed
  await run(tx)`
    insert into bank_batch_numbers (currency, number, said_by, said_at) values (${currency}, ${number}, ${by}, ${at})`
}

/** Returns from when on batches may be lost: from the last number that matched, otherwise from the first event. */
export async function bankKnownUntil(tx: Transaction, currency: Currency, now: Date): Promise<Date> {
  const found = await row<{ at: Date | null }>(tx)`
    select coalesce((select max(said_at) from bank_batch_numbers where currency = ${currency}),
      (select min(at) from events)) as at`
  return found?.at ?? lastKnown(tx, now)
}
