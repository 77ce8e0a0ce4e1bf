/** The outcome of a request whose response was lost (requirements 15.16). */
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { choice } from './fields.ts'

/** `unknown`: never arrived, or not committed yet; it may be sent again with the same key, and is executed once. */
export const requestStatuses = ['unknown', 'in-progress', 'answered'] as const

export const requestStatus = endpoint('requestStatus', 'GET /api/accounts/requestStatus', {
  summary:
    'Returns the outcome of the caller’s own request, found by its Idempotency-Key: unknown, in progress, or the stored response.',
  access: ['approved'],
  query: z.strictObject({
    key: z.string('required').check(z.minLength(1, 'required'), z.regex(/^[\x21-\x7e]{1,255}$/, 'key-invalid')),
  }),
  response: z.object({
    status: choice(requestStatuses),
    /** The name of the requested operation, such as requestWithdrawal; null while there is no response. */
    call: z.nullable(z.string()),
    /** The HTTP status and the JSON of the response. */
    answerStatus: z.nullable(z.int()),
    answer: z.nullable(z.record(z.string(), z.unknown())),
  }),
  problems: ['key-invalid'],
})
