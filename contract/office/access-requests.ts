/** The answer to a client's access request: compliance reads and marks the texts of staff (requirements 24.59). */
import * as z from 'zod/mini'
import { withheldTopics } from '#rules/access-requests.ts'
import { permissions } from '#rules/permissions.ts'
import { workItemKinds } from '#rules/work-items.ts'
import { endpoint } from '../endpoint.ts'
import { body, choice, id, seconds } from '../fields.ts'
import { clientBrief, clientParams, root, staffBrief } from './briefs.ts'
import { reason } from './decisions.ts'

export const staffTextKinds = ['comment', 'snooze', 'note'] as const
export const accessMarks = ['handedOut', 'withheld'] as const
const path = `${root}/clients/:id/access-request` as const
const textsMax = 50_000

export const getAccessRequest = endpoint('getAccessRequest', `GET ${path}`, {
  summary:
    'Returns the texts that staff wrote about a client, oldest first, for review before a data access request is answered.',
  access: permissions.answerAccessRequest,
  params: clientParams,
  response: z.object({
    client: clientBrief,
    texts: z.array(
      z.object({
        id: z.string(),
        kind: choice(staffTextKinds),
        /** The type of the related work item; null for a note about the client. */
        about: z.nullable(choice(workItemKinds)),
        by: z.nullable(staffBrief),
        at: seconds,
        text: z.string(),
        /** Withheld topics that its words suggest. */
        topics: z.array(choice(withheldTopics)),
        /** Its mark in the last answer. */
        marked: z.nullable(choice(accessMarks)),
      }),
    ),
    answeredAt: z.nullable(seconds),
  }),
  problems: ['not-found'],
})

export const answerAccessRequest = endpoint('answerAccessRequest', `POST ${path}`, {
  summary:
    'Returns the response to a data access request as a ZIP file: the client’s own data and the staff texts that are disclosed. Each text must be marked as disclosed or withheld; the marks are logged.',
  access: permissions.answerAccessRequest,
  params: clientParams,
  body: body({
    reason,
    handedOut: z.array(id, 'invalid').check(z.maxLength(textsMax, 'invalid')),
    withheld: z.array(id, 'invalid').check(z.maxLength(textsMax, 'invalid')),
  }),
  // The maximum number of texts, with the longest ids.
  bodyBytesMax: 3_000_000,
  produces: 'application/zip',
  problems: ['not-found', 'access-marks', 'reason-required'],
})
