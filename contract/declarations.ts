/** The Client Assets Declaration, requested once after approval and again when its version changes. */
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { body, textVersion } from './fields.ts'
import { userId } from './users-session.ts'

export const acceptDeclarations = endpoint('acceptDeclarations', 'POST /api/users/acceptDeclarations', {
  summary: 'Accepts the version of the Client Assets Declaration that the client has read.',
  access: ['approved'],
  body: body({ userId, version: textVersion }),
  response: z.object({ token: z.optional(z.string()) }),
  problems: ['text-replaced', 'approval-first'],
})
