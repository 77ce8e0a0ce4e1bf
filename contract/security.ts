/** Profile > Security: second factor and sessions (requirements 4.19, 4.20). */
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { body, code, id, password, seconds } from './fields.ts'

export const startSecondFactor = endpoint('startSecondFactor', 'POST /api/users/secondFactor/start', {
  summary: 'Creates a secret for an authenticator app. It takes effect once confirmed.',
  access: ['client'],
  body: body({ password }),
  response: z.object({ secret: z.string(), uri: z.string() }),
  problems: ['password-incorrect', 'password-garbled', 'password-plain', 'factor-on', 'too-many'],
})

export const confirmSecondFactor = endpoint('confirmSecondFactor', 'POST /api/users/secondFactor/confirm', {
  summary: 'Enables the second factor. The recovery codes are returned only once.',
  access: ['client'],
  body: body({ code }),
  response: z.object({ recoveryCodes: z.array(z.string()) }),
  problems: ['code-wrong', 'factor-on', 'factor-not-started', 'too-many'],
})

export const disableSecondFactor = endpoint('disableSecondFactor', 'POST /api/users/secondFactor/disable', {
  summary: 'Disables the second factor.',
  access: ['client'],
  body: body({ password, code }),
  problems: ['password-incorrect', 'password-garbled', 'password-plain', 'code-wrong', 'factor-off', 'too-many'],
})

export const session = z.object({
  id: z.string(),
  device: z.string(),
  address: z.string(),
  createdAt: seconds,
  lastSeenAt: seconds,
  current: z.boolean(),
})

export const listSessions = endpoint('listSessions', 'GET /api/users/sessions', {
  summary: 'Returns the client’s open sessions, with the current one marked.',
  access: ['client'],
  response: z.object({ sessions: z.array(session) }),
})

export const endSession = endpoint('endSession', 'POST /api/users/endSession', {
  summary: 'Ends one session. Ending any session other than the current one requires a step-up.',
  access: ['client'],
  body: body({ sessionId: id }),
  problems: ['not-found', 'prove-again'],
})
