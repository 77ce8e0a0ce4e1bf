/** A standard reason that comes word for word is kept by its key (ADR 80): here once, for whichever verb takes one. */
import * as z from 'zod/mini'
import { clientReason } from '#contract/office/decisions.ts'
import { keptReason } from '#contract/office/rejection-reasons.ts'

/** Puts the key in the place of a standard reason that a body of this schema brings for the client. */
export function normalizeStandardReason(schema: unknown, body: unknown): void {
  if (!(schema instanceof z.ZodMiniObject) || body === null || typeof body !== 'object') return
  if ('clientReason' in schema.shape) {
    if ('clientReason' in body && typeof body.clientReason === 'string')
      body.clientReason = keptReason(body.clientReason)
  } else if (schema.shape['reason'] === clientReason) {
    if ('reason' in body && typeof body.reason === 'string') body.reason = keptReason(body.reason)
  }
}
