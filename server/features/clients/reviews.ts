/** The clients whom compliance reviews: counted for the overview and shown by the list of clients (requirements 24.93). */
import { expiryNoticeDaysAhead } from '#rules/constants.ts'
import { dayIn, daysAfter, isoDay } from '#rules/dates.ts'
import { identityKinds } from '#rules/documents.ts'
import type { Review } from '#rules/reviews.ts'
import { sql, type Sql } from '../../db/sql.ts'

/** Returns the ids of the clients under a review. */
export function clientsUnder(review: Review, now: Date, timeZone: string): Sql {
  return clientsOf[review](now, timeZone)
}

const clientsOf: Readonly<Record<Review, (now: Date, timeZone: string) => Sql>> = {
  documentsExpiring: (now, timeZone) => {
    const today = dayIn(now, timeZone)
    return sql`select d.client_id from documents d join clients o on o.id = d.client_id
      where o.state not in ('closed', 'rejected') and d.state = 'approved' and d.kind = any (${[...identityKinds]}::text[])
        and d.expiry_date between ${isoDay(today)}::date and ${isoDay(daysAfter(today, expiryNoticeDaysAhead))}::date`
  },
  sourceOfWealth: () => sql`select w.id from clients w
    where w.source_of_wealth_asked_at is not null and w.state not in ('closed', 'rejected')
      and not exists (select from documents d where d.client_id = w.id and d.kind = 'source_of_wealth' and d.state = 'approved')`,
  paymentsOnHold: (now) => sql`select h.client_id from payment_holds h
    where h.lifted_at is null and h.from_at <= ${now}::timestamptz and (h.until_at is null or h.until_at > ${now}::timestamptz)`,
}
