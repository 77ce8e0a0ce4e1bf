/** Step-up authentication before changes of money and access: the password or a code again (ASVS 7.5). */
import * as z from 'zod/mini'
import { stepUpMethods } from '#rules/step-up.ts'
import { endpoint } from './endpoint.ts'
import { body, choice, code, password, seconds } from './fields.ts'

const stepUpFields = { by: choice(stepUpMethods), until: z.nullable(seconds) }
/** The method of this person, and until when the session's last confirmation is valid. */
export const stepUpStatus = z.object(stepUpFields)
/** One of the two is used: the code if 2FA is on, else the password. */
export const stepUpCredentials = body({ password: z.optional(password), code: z.optional(code) })
export const stepUpProblems = ['required', 'code-wrong', 'too-many'] as const

export const getStepUpStatus = endpoint('showProof', 'GET /api/users/proof', {
  summary:
    'Returns the caller’s step-up method, and until when the last step-up allows requests that change money or access.',
  access: ['client'],
  response: stepUpStatus,
})

/**
 * Returns the text whose SHA-256 a confirmation is bound to: method and path, a line feed, and the body exactly as it
 * is sent (ADR 120, requirements 4.22). Client and server hash the same text.
 */
export function textToSign(method: string, path: string, body: string): string {
  return `${method} ${path}\n${body}`
}

/** The header with the confirmation of one request. */
export const stepUpHeader = 'x-proof'

/** SHA-256 of `textToSign`, 64 hexadecimal digits. */
const callHash = z.string('invalid').check(z.regex(/^[0-9a-f]{64}$/, 'invalid'))

export const confirmStepUp = endpoint('proveAgain', 'POST /api/users/proveAgain', {
  summary:
    'Performs a client’s step-up; requests rejected with prove-again can then be repeated. With callHash (the SHA-256, in hexadecimal, of “POST /path”, a line feed and the body exactly as sent), the returned proof is valid for that request only, can be used once, and is sent in the X-Proof header.',
  access: ['client'],
  body: body({ password: z.optional(password), code: z.optional(code), callHash: z.optional(callHash) }),
  response: z.object({ ...stepUpFields, proof: z.optional(z.string()) }),
  problems: [...stepUpProblems, 'password-incorrect', 'password-garbled', 'password-plain'],
})
