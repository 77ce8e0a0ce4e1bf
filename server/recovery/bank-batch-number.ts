/**
 * The number of the last payout batch that the bank shows: the first release after every start and every change of
 * timeline says it, without seeing ours, and another number is a sign (requirements 20.8).
 */
import type { Currency } from '#rules/money.ts'
import { row, run, type Connection } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { lastKnown } from './database-identity.ts'

/**
 * Returns whether a release in this currency must name the number: none has since a server started or the timeline
 * changed.
 */
export async function asksBankNumber(connection: Connection, currency: Currency): Promise<boolean> {
  const found = await row<{ asks: boolean }>(connection)`
    select not exists (select from bank_batch_numbers where currency = ${currency}
      and said_at > all (select started_at from server_heartbeats union all select noted_at from database_identity)) as asks`
  return found?.asks ?? true
}

/** A batch that was confirmed as sent so lately may not yet have been there when somebody looked at the bank. */
const unseenMs = 3_600_000

/**
 * Whether the bank's number is one that our records can explain: the batch that was confirmed as sent last, 0 where none
 * was, or one that was released and not yet confirmed; what colleagues confirmed in the last hour may not have been seen.
 * What a release said after a recovery that is over, and nothing was sent since, is explained by that recovery.
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

/** Keeps what a releaser read at the bank; batches of the lost time keep their numbers for themselves. */
export async function noteBankNumber(
  tx: Transaction,
  said: { readonly currency: Currency; readonly number: bigint; readonly by: string; readonly at: Date },
): Promise<void> {
  const { currency, number, by, at } = said
  await run(tx)`
    insert into bank_batch_numbers (currency, number, said_by, said_at) values (${currency}, ${number}, ${by}, ${at})`
}

/** Returns from when on batches may be lost: from the last number that agreed, else from the first event on. */
export async function bankKnownUntil(tx: Transaction, currency: Currency, now: Date): Promise<Date> {
  const found = await row<{ at: Date | null }>(tx)`
    select coalesce((select max(said_at) from bank_batch_numbers where currency = ${currency}),
      (select min(at) from events)) as at`
  return found?.at ?? lastKnown(tx, now)
}
