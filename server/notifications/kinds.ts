/**
 * Texts of notifications without a mail. A notification with a mail shows the subject of the mail, so that both always
 * agree.
 */
import type { Language } from '#rules/choices.ts'

export type NotificationKind = (facts: Readonly<Record<string, unknown>>, language: Language) => string

export const notificationKinds = {} as const satisfies Record<string, NotificationKind>

export type BellOnlyKind = keyof typeof notificationKinds
