/** The firm's contact details, and answers to frequent questions (requirements 24.14). */
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const showHelp = endpoint('showHelp', 'GET /api/help', {
  summary:
    'Returns the firm’s contact details, opening hours and answers to frequent questions, in the reader’s language.',
  access: ['public'],
  response: z.object({
    email: z.string(),
    /** '' if the firm has none. */
    phone: z.string(),
    hours: z.string(),
    answers: z.array(z.object({ question: z.string(), answer: z.string() })),
  }),
})
