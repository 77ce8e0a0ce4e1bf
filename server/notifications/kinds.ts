/**
 * The words of notices that are no letter at the same time. A notice of a letter's kind says the letter's subject, so
 * that both always agree.
 */
import type { Language } from '../http/problem.ts'

export type NoticeKind = (facts: Readonly<Record<string, unknown>>, language: Language) => string

export const noticeKinds = {} as const satisfies Record<string, NoticeKind>

export type NoticeOnlyKind = keyof typeof noticeKinds
