import { limitTo, row, rows, type Connection } from '../../db/sql.ts'
import type { SignedInClientId } from '../../http/sessions.ts'

/** How many notices the bell shows. */
const shownMax = 50

export interface NotificationRow {
  id: string
  kind: string
  facts: Record<string, unknown>
  link: string | null
  at: Date
  read: boolean
}

/** The newest notices of a client, newest first. */
export function newestNotifications(connection: Connection, clientId: SignedInClientId): Promise<NotificationRow[]> {
  return rows<NotificationRow>(connection)`
    select id, kind, facts, link, at, read_at is not null as read from notices where client_id = ${clientId}
      order by id desc ${limitTo(shownMax)}`
}

/** Returns how many notices a client has not read. */
export async function unreadCount(connection: Connection, clientId: SignedInClientId): Promise<number> {
  const counted = await row<{ unread: number }>(connection)`
    select count(*)::int as unread from notices where client_id = ${clientId} and read_at is null`
  return counted?.unread ?? 0
}
