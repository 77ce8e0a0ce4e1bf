/** The password or a code, asked for again before money and access change: security checklist 7.5. */
import * as z from 'zod/mini'
import { proofKinds } from '#rules/proof.ts'
import { endpoint } from './endpoint.ts'
import { body, choice, code, password, seconds } from './fields.ts'

/** What this person is asked for, and until when the last proof of this session counts. */
export const proof = z.object({ by: choice(proofKinds), until: z.nullable(seconds) })
/** One of the two is read: the code where there is a second factor, else the password. */
export const proving = body({ password: z.optional(password), code: z.optional(code) })
export const provingProblems = ['required', 'code-wrong', 'too-many'] as const

export const showProof = endpoint({
  name: 'showProof',
  method: 'GET',
  path: '/api/users/proof',
  summary: 'Whether calls that change money or access will ask for the password or a code first.',
  who: ['client'],
  answer: proof,
})

export const proveAgain = endpoint({
  name: 'proveAgain',
  method: 'POST',
  path: '/api/users/proveAgain',
  summary: 'Proves again who the client is; the calls refused with prove-again may then be repeated.',
  who: ['client'],
  body: proving,
  answer: proof,
  problems: [...provingProblems, 'password-incorrect', 'password-garbled', 'password-plain'],
})
