/** The search of the top bar. A file of its own: the first page that staff load imports nothing else of the clients. */
import * as z from 'zod/mini'
import { readPermissions } from '#rules/permissions.ts'
import { endpoint } from '../endpoint.ts'
import { atMost, choice } from '../fields.ts'

export const findExact = endpoint({
  name: 'findExact',
  route: 'GET /api/backoffice/search',
  summary: 'The record of an exact reference, account number, client number, e-mail address or IBAN.',
  access: readPermissions.clients,
  query: z.strictObject({ q: z.string('required').check(z.minLength(1, 'required'), atMost(100)) }),
  response: z.object({
    /** `account` and `bank` name the client whose page shows them. */
    hit: z.nullable(
      z.object({
        kind: choice(['deposit', 'withdrawal', 'transfer', 'correction', 'account', 'bank', 'client']),
        id: z.string(),
      }),
    ),
  }),
})
