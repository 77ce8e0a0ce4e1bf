/** The bell: product-decisions section 11. */
import { listNotices, readNotices } from '#contract/notifications.ts'
import { clientOf } from '../../http/request-context.ts'
import type { Serve } from '../../http/register-endpoint.ts'
import { letterKinds, type MailKind } from '../../mail/template-registry.ts'
import { stationeryOf } from '../../mail/mail-operation.ts'
import type { Language } from '../../http/problem.ts'
import type { LetterKind, Stationery } from '../../mail/template.ts'
import { noticeKinds, type NoticeKind } from '../../notifications/kinds.ts'
import type { Parts } from '../../dependencies.ts'
import { markRead } from './mark-read.ts'
import { newestNotices, unreadCount, type NoticeRow } from './queries.ts'

export function noticeRoutes(serve: Serve, parts: Parts): void {
  serve(listNotices, async (call) => {
    const { clientId } = clientOf(call)
    // A notice leads into the portal; no one-time id has a place in it.
    const stationery = await stationeryOf(parts, () => '')
    const [found, unread] = [await newestNotices(parts.pool, clientId), await unreadCount(parts.pool, clientId)]
    const notices = found.flatMap((notice) => {
      const text = textOf(notice, call.language, stationery)
      return text === null
        ? []
        : [{ id: notice.id, kind: notice.kind, text, at: notice.at, read: notice.read, link: notice.link }]
    })
    return { notices, unread }
  })

  serve(readNotices, (call) => markRead(parts, call))
}

/** The notice's sentence; null for a kind that this version does not know. */
function textOf(notice: NoticeRow, language: Language, stationery: Stationery): string | null {
  const own = (noticeKinds as Readonly<Record<string, NoticeKind>>)[notice.kind]
  if (own) return own(notice.facts, language)
  const letter: LetterKind | undefined = letterKinds[notice.kind as MailKind]
  return letter ? letter(notice.facts, language, stationery).subject : null
}
