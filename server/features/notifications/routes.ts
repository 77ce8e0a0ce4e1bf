/** The client's notifications behind the bell (requirements 14.6). */
import { listNotifications, readNotifications } from '#contract/notifications.ts'
import type { Language } from '#rules/choices.ts'
import { isUuid } from '../../db/ids.ts'
import { limitTo, row, rows, run, sql, type Connection } from '../../db/sql.ts'
import { requireClient } from '../../http/handler.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import type { SignedInClientId } from '../../http/sessions.ts'
import { mailTemplates, type MailKind } from '../../mail/template-registry.ts'
import { letterheadOf } from '../../mail/mail-operation.ts'
import type { MailTemplate, Letterhead } from '../../mail/template.ts'

/** Maximum notifications that the bell shows. */
const shownMax = 50

interface NotificationRow {
  readonly id: string
  readonly kind: string
  readonly facts: Record<string, unknown>
  readonly link: string | null
  readonly at: Date
  readonly read: boolean
}

export function notificationRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(listNotifications, async (dependencies, context) => {
    const { clientId } = requireClient(context)
    // Notifications link into the portal and never contain a one-time id.
    const letterhead = await letterheadOf(dependencies, () => '')
    const found = await newestNotifications(dependencies.pool, clientId)
    const unread = await unreadCount(dependencies.pool, clientId)
    const notices = found.flatMap((notice) => {
      const text = textOf(notice, context.language, letterhead)
      return text === null
        ? []
        : [{ id: notice.id, kind: notice.kind, text, at: notice.at, read: notice.read, link: notice.link }]
    })
    return { notices, unread }
  })

  registerEndpoint(readNotifications, async (dependencies, context) => {
    const { clientId } = requireClient(context)
    const { ids = [], all } = context.body
    const which = all ? sql`true` : sql`id = any (${ids.filter(isUuid)}::uuid[])`
    await run(dependencies.pool)`
      update notices set read_at = ${context.now} where client_id = ${clientId} and read_at is null and ${which}`
    return {}
  })
}

/**
 * Returns the notification's text, which is the subject of its email; null for a kind that this version does not know.
 */
function textOf(notice: NotificationRow, language: Language, letterhead: Letterhead): string | null {
  const mail: MailTemplate | undefined = mailTemplates[notice.kind as MailKind]
  return mail ? mail(notice.facts, language, letterhead).subject : null
}

/** Returns the newest notifications of a client, newest first. */
function newestNotifications(connection: Connection, clientId: SignedInClientId): Promise<NotificationRow[]> {
  return rows<NotificationRow>(connection)`
    select id, kind, facts, link, at, read_at is not null as read from notices where client_id = ${clientId}
      order by id desc ${limitTo(shownMax)}`
}

/** Returns how many notifications a client has not read. */
async function unreadCount(connection: Connection, clientId: SignedInClientId): Promise<number> {
  const counted = await row<{ unread: number }>(connection)`
    select count(*)::int as unread from notices where client_id = ${clientId} and read_at is null`
  return counted?.unread ?? 0
}
