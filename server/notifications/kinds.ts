/**
 * The words of notices that are no letter at the same time. A notice of a letter's kind says the letter's subject, so
 * that both always agree.
 */
import type { Language } from '#rules/choices.ts'

export type NotificationKind = (facts: Readonly<Record<string, unknown>>, language: Language) => string

export const notificationKinds = {} as const satisfies Record<string, NotificationKind>

export type BellOnlyKind = keyof typeof notificationKinds
