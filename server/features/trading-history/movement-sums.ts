/** Sums of an account's movements, by the rows of the sum that explains its change (requirements 24.18). */
import type { AccountId } from '#rules/ids.ts'
import { rows, sql, type Connection } from '../../db/sql.ts'

export interface RowSum {
  readonly row: string
  readonly amount: bigint
}

/** The parts of a deal `d`, each with the row of its sum; an amount is null if the deal has no such part. */
export const partsOfDeal = sql`cross join lateral (values
  ('profit', case when d.sum_row is null and d.action < 2 then d.profit_minor end),
  ('swap', case when d.sum_row is null and d.action < 2 then d.swap_minor end),
  ('commission', case when d.sum_row is null and d.action < 2 then d.commission_minor end),
  ('fee', case when d.sum_row is null and d.action < 2 then d.fee_minor end),
  (d.sum_row, case when d.sum_row is not null
    then d.profit_minor + d.swap_minor + d.commission_minor + d.fee_minor end)) as part (sum_row, amount)`

interface MovementSpan {
  /** The day whose end is the beginning. */
  readonly after: string | null
  /** The last day. */
  readonly day?: string
  /** The last time. */
  readonly at?: Date
}

/** Returns the movements of an account's deals from a day's end on, by the rows of its sum. */
export function rowSums(
  connection: Connection,
  accountId: AccountId,
  { after, day = 'infinity', at }: MovementSpan,
): Promise<RowSum[]> {
  const later =
    at === undefined
      ? sql``
      : sql`union all
        select part.sum_row, -part.amount from kept_deals d ${partsOfDeal}
          where d.account_id = ${accountId} and d.day >= (${at}::timestamptz at time zone 'UTC')::date - 1
            and d.at > ${at} and part.sum_row is not null and part.amount is not null
            and d.day > coalesce(${after}::date, '-infinity') and d.day <= ${day}::date`
  return rows<RowSum>(connection)`
    select sum_row as row, sum(amount)::bigint as amount from (
        select sum_row, amount_minor as amount from deal_sums
          where account_id = ${accountId} and day > coalesce(${after}::date, '-infinity') and day <= ${day}::date
        ${later}) moved
      group by sum_row`
}
