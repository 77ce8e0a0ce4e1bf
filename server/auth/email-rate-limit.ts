/** Letters that strangers can cause: so many an hour to one mailbox, anyone who asks (requirements 3.21). */
import type { Connection } from '../db/sql.ts'
import { count } from '../http/rate-limits.ts'

const hourSeconds = 3600

/** Counts one letter to a mailbox; false where there were too many, and then none is sent and no one is told. */
export async function isEmailAllowed(connection: Connection, email: string, most: number, now: Date): Promise<boolean> {
  const counted = await count(connection, { name: 'mailbox', who: email, windowSeconds: hourSeconds }, now)
  return counted.count <= most
}
