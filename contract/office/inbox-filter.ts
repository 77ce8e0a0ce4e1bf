/** What an inbox shows first: apart from its calls, because the session brings it. */
import * as z from 'zod/mini'
import { workItemKinds } from '#rules/work-items.ts'
import { choice } from '../fields.ts'

/** Whose an item is, as the wire says it: the reader's or unassigned. */
export const unassigned = 'nobody'
export const assignees = ['me', unassigned] as const

/** What the inbox shows: what this person can decide, of one kind, assigned to somebody. */
export const inboxFilterFields = {
  mine: z.boolean('required'),
  kind: z.nullable(choice(workItemKinds)),
  assigned: z.nullable(choice(assignees)),
}
export const inboxFilter = z.object(inboxFilterFields)
export type InboxFilter = z.output<typeof inboxFilter>
