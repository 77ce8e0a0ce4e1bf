/** One inbox for everything that waits: overdue first, then due today, then later, oldest first in each. */
import * as z from 'zod/mini'
import { workItemKinds } from '#rules/work-items.ts'
import { permissions, readPermissions } from '#rules/permissions.ts'
import { endpoint } from '../endpoint.ts'
import { body, choice, flagInQuery, seconds } from '../fields.ts'
import { check, clientBrief, nextCursor, recordParams, root, staffBrief } from './briefs.ts'
import { listQuery } from './lists.ts'

const itemFields = {
  id: z.string(),
  kind: choice(workItemKinds),
  /** The record that the item stands for; for `document` the client. */
  record: z.string(),
  state: z.string(),
  /** Facts for the second line, by kind: amounts with their currency, kinds of document, numbers. */
  summary: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  group: choice(['overdue', 'today', 'later']),
  dueAt: seconds,
  createdAt: seconds,
  assignee: z.nullable(staffBrief),
  viewers: z.array(staffBrief),
  /** Whether this person can decide it now; four eyes may say no. */
  mine: z.boolean(),
}

/** Two lines of the list: no more of the client than the name, and of a long fact its beginning. */
export const inboxEntry = z.object({ ...itemFields, client: z.nullable(z.object({ name: z.string() })) })
export type InboxEntry = z.output<typeof inboxEntry>

export const inboxItem = z.object({ ...itemFields, client: z.nullable(clientBrief) })
export type InboxItem = z.output<typeof inboxItem>

/** Whose an item is, as the wire says it: the reader's or unassigned. */
export const unassigned = 'nobody'
export const assignees = ['me', unassigned] as const
export type Assignee = (typeof assignees)[number]

/** What the inbox shows: what this person can decide, of one kind, assigned to somebody. */
const filterFields = {
  mine: z.boolean('required'),
  kind: z.nullable(choice(workItemKinds)),
  assigned: z.nullable(choice(assignees)),
}
export const inboxFilter = z.object(filterFields)
export type InboxFilter = z.output<typeof inboxFilter>

const groups = z.object({ overdue: z.int(), today: z.int(), later: z.int() })

export const listInbox = endpoint({
  name: 'listInbox',
  route: `GET ${root}/inbox`,
  summary: 'Pending items of the kinds that this person may read.',
  access: readPermissions.inbox,
  query: z.strictObject({
    kind: z.optional(choice(workItemKinds)),
    mine: z.optional(flagInQuery),
    assigned: z.optional(choice(assignees)),
    ...listQuery,
  }),
  response: z.object({ items: z.array(inboxEntry), groups, next: nextCursor }),
  problems: ['cursor-invalid'],
})

export const inboxCounts = endpoint({
  name: 'inboxCounts',
  route: `GET ${root}/inbox/counts`,
  summary: 'The menu’s counts: pending and overdue items of each kind.',
  access: readPermissions.inbox,
  response: z.object({
    all: z.int(),
    /** What this person holds. */
    mine: z.int(),
    /** What waits for this person's decision. */
    toDecide: z.int(),
    late: z.int(),
    kinds: z.array(z.object({ kind: choice(workItemKinds), open: z.int(), late: z.int() })),
  }),
})

/** A fact of the preview: the code names it, the app writes the label. */
export const previewFact = z.object({
  code: z.string(),
  value: z.string(),
  tone: z.nullable(choice(['ok', 'warn', 'bad'])),
})

export const getInboxItem = endpoint({
  name: 'getInboxItem',
  route: `GET ${root}/inbox/:id`,
  summary: 'The preview of one item.',
  access: readPermissions.inbox,
  params: recordParams,
  response: z.object({ item: inboxItem, facts: z.array(previewFact), checks: z.array(check) }),
  problems: ['not-found'],
})

export const assignItem = endpoint({
  name: 'assignItem',
  route: `POST ${root}/inbox/:id/assign`,
  summary: 'Assigns an item to the caller, or unassigns it.',
  access: permissions.assign,
  params: recordParams,
  body: body({ to: choice(assignees) }),
  response: z.object({ assignee: z.nullable(staffBrief) }),
  problems: ['not-found', 'decided-meanwhile'],
})

export const saveInboxFilter = endpoint({
  name: 'saveInboxFilter',
  route: `POST ${root}/inbox/filter`,
  summary: 'Remembers the filter with which this person’s inbox opens. Not logged.',
  access: readPermissions.inbox,
  body: body(filterFields),
})

export const viewItem = endpoint({
  name: 'viewItem',
  route: `POST ${root}/inbox/:id/viewing`,
  summary: 'Records that this person views the item, and returns the other viewers. Not logged.',
  access: readPermissions.inbox,
  params: recordParams,
  body: body({ here: z.boolean('required') }),
  response: z.object({ viewers: z.array(staffBrief) }),
  problems: ['not-found'],
})

/** text/event-stream: `data: { kind, id, version? }` for each change; ends with the session (requirements 21.1). */
export const changesPath = `${root}/changes`
