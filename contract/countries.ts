/** The country reference (requirements 14.2). */
import * as z from 'zod/mini'
import { documentKinds } from '#rules/documents.ts'
import { endpoint } from './endpoint.ts'
import { choice } from './fields.ts'

export const listCountries = endpoint('listCountries', 'GET /api/countries', {
  summary:
    'Returns all countries with their name in the reader’s language, dialling prefix, availability and accepted document types.',
  access: ['public'],
  response: z.object({
    countries: z.array(
      z.object({
        code: z.string(),
        name: z.string(),
        prefix: z.string(),
        available: z.boolean(),
        accepts: z.array(choice(documentKinds)),
      }),
    ),
  }),
})
