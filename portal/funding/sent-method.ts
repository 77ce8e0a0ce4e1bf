/** The method with which a deposit or withdrawal was sent, stored in its draft to query and show the outcome. */
import * as z from 'zod/mini'
import { methodRecord, type MethodRecord } from '#contract/settings.ts'
import type { StoredRequest } from './stored-request.ts'

/** As responses carry it: amounts as decimals. */
export const sentMethod = z.optional(z.extend(methodRecord, { feeFlat: z.string() }))

/** Returns the draft with the method that it is sent with. */
export function draftWithMethod<Draft extends object>(draft: Draft, method: MethodRecord) {
  return { ...draft, sentMethod: z.encode(methodRecord, method) }
}

/**
 * Returns the offered methods, preceded by the one of a request that was sent: the request is shown with that one even
 * if it is no longer offered or has another fee now.
 */
export function methodsWithSent(
  offered: readonly MethodRecord[],
  kept: StoredRequest<{ readonly sentMethod?: z.output<typeof sentMethod> }> | null,
): readonly MethodRecord[] {
  const stored = kept?.sent ? kept.draft.sentMethod : undefined
  const sent = stored && z.safeDecode(methodRecord, stored)
  return sent?.success ? [sent.data, ...offered] : offered
}
