/** The bell: requirements 14.6. */
import { listNotifications, readNotifications } from '#contract/notifications.ts'
import type { Language } from '#rules/choices.ts'
import { requireClient } from '../../http/request-context.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { mailTemplates, type MailKind } from '../../mail/template-registry.ts'
import { letterheadOf } from '../../mail/mail-operation.ts'
import type { MailTemplate, Letterhead } from '../../mail/template.ts'
import { notificationKinds, type NotificationKind } from '../../notifications/kinds.ts'
import { markRead } from './mark-read.ts'
import { newestNotifications, unreadCount, type NotificationRow } from './queries.ts'

export function noticeRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(listNotifications, async (dependencies, context) => {
    const { clientId } = requireClient(context)
    // A notice leads into the portal; no one-time id has a place in it.
    const letterhead = await letterheadOf(dependencies, () => '')
    const [found, unread] = [
      await newestNotifications(dependencies.pool, clientId),
      await unreadCount(dependencies.pool, clientId),
    ]
    const notices = found.flatMap((notice) => {
      const text = textOf(notice, context.language, letterhead)
      return text === null
        ? []
        : [{ id: notice.id, kind: notice.kind, text, at: notice.at, read: notice.read, link: notice.link }]
    })
    return { notices, unread }
  })

  registerEndpoint(readNotifications, markRead)
}

/** Returns the notice's sentence; null for a kind that this version does not know. */
function textOf(notice: NotificationRow, language: Language, letterhead: Letterhead): string | null {
  const own = (notificationKinds as Readonly<Record<string, NotificationKind>>)[notice.kind]
  if (own) return own(notice.facts, language)
  const mail: MailTemplate | undefined = mailTemplates[notice.kind as MailKind]
  return mail ? mail(notice.facts, language, letterhead).subject : null
}
