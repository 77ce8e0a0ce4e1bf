/** The initial filter of an inbox: separate from the inbox's endpoints, because the session contains it. */
import * as z from 'zod/mini'
import { workItemKinds } from '#rules/work-items.ts'
import { choice } from '../fields.ts'

/** The assignee in requests: the reader or unassigned. */
export const unassigned = 'nobody'
/** In filters also colleagues who are away. */
export const away = 'away'
export const assignees = ['me', unassigned, away] as const

/** The filter of the inbox: items that this person can decide, by kind and assignee. */
export const inboxFilterFields = {
  mine: z.boolean('required'),
  kind: z.nullable(choice(workItemKinds)),
  assigned: z.nullable(choice(assignees)),
}
export const inboxFilter = z.object(inboxFilterFields)
export type InboxFilter = z.output<typeof inboxFilter>
