/** The client's notices (requirements 14.6). They store kind and facts and are rendered in the reader's language. */
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { body, id, seconds } from './fields.ts'

export const listNotifications = endpoint('listNotices', 'GET /api/notices', {
  summary: 'Returns the client’s newest 50 notifications.',
  access: ['client'],
  response: z.object({
    notices: z.array(
      z.object({
        id: z.string(),
        kind: z.string(),
        text: z.string(),
        at: seconds,
        read: z.boolean(),
        link: z.nullable(z.string()),
      }),
    ),
    unread: z.int(),
  }),
})

export const readNotifications = endpoint('readNotices', 'POST /api/notices/read', {
  summary: 'Marks the given notifications, or all, as read.',
  access: ['client'],
  body: body({
    ids: z.optional(z.array(id).check(z.maxLength(200, 'invalid'))),
    all: z.optional(z.literal(true, 'invalid')),
  }),
})
