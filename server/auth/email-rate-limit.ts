/** Limits the mails to one mailbox that unauthenticated callers can cause in an hour (requirements 3.21). */
import type { Connection } from '../db/sql.ts'
import { incrementCount, perHour } from '../http/rate-limits.ts'

/** Counts one mail to a mailbox. Returns false over the limit; the caller then sends none and does not reveal it. */
export async function isEmailAllowed(connection: Connection, email: string, most: number, now: Date): Promise<boolean> {
  const counted = await incrementCount(connection, perHour('mailbox', email), now)
  return counted.count <= most
}
