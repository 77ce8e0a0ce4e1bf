/** One inbox for all pending items: overdue first, then due today, then later, oldest first in each group. */
import * as z from 'zod/mini'
import { workItemKinds } from '#rules/work-items.ts'
import { permissions, readPermissions } from '#rules/permissions.ts'
import { endpoint } from '../endpoint.ts'
import { body, choice, currency, flagInQuery, paragraph, seconds } from '../fields.ts'
import {
  absence,
  check,
  clientBrief,
  colleague,
  nextCursor,
  recordParams,
  root,
  staffBrief,
  signedAmountFilters,
  listQuery,
} from './briefs.ts'
import { event, note, recipient, requiredRoles } from './decisions.ts'
import { assignees, inboxFilterFields, unassigned } from './inbox-filter.ts'
import { failedOperations } from './failed-count.ts'

/** `decided`: no longer pending, with an unread comment that mentions the reader. */
export const itemGroups = ['overdue', 'today', 'later', 'decided'] as const

const itemFields = {
  id: z.string(),
  kind: choice(workItemKinds),
  /** The record of the item; for `document` the client. */
  record: z.string(),
  state: z.string(),
  /** Facts for the second line, by kind: amounts with their currency, kinds of document, numbers. */
  summary: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  group: choice(itemGroups),
  dueAt: seconds,
  createdAt: seconds,
  assignee: z.nullable(
    z.object({
      ...staffBrief.shape,
      /** With whether the item is due before the person is back. */
      absence: z._default(z.nullable(z.object({ ...absence.shape, isDueBefore: z.boolean() })), null),
    }),
  ),
  /** Hidden from the list until then; after that time it is shown again. */
  snoozedUntil: z.nullable(seconds),
  viewers: z.array(staffBrief),
  /** Whether this person can decide it now; dual approval may prevent it. */
  mine: z.boolean(),
}

/** Two lines of the list: of the client only the name, and of a long fact its beginning. */
export const inboxEntry = z.object({ ...itemFields, client: z.nullable(z.object({ name: z.string() })) })
export type InboxEntry = z.output<typeof inboxEntry>

export const inboxItem = z.object({ ...itemFields, client: z.nullable(clientBrief) })
export type InboxItem = z.output<typeof inboxItem>

/** Returns the schema of one of some words, or the id of a colleague. */
const colleagueOr = (words: readonly string[]) =>
  z
    .string('required')
    .check(z.regex(new RegExp(`^(?:${words.join('|')}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$`), 'unknown-value'))

/** Counts of shown items; `snoozed` counts hidden ones, which become overdue as well. */
const groups = z.object({
  overdue: z.int(),
  today: z.int(),
  later: z.int(),
  /** None from a server of the version before. */
  decided: z._default(z.int(), 0),
  snoozed: z.object({ count: z.int(), overdue: z.int() }),
})

export const listInbox = endpoint('listInbox', `GET ${root}/inbox`, {
  summary: 'Returns the open inbox items of the types that the caller may read.',
  access: readPermissions.inbox,
  query: z.strictObject({
    kind: z.optional(choice(workItemKinds)),
    mine: z.optional(flagInQuery),
    assigned: z.optional(colleagueOr(assignees)),
    /** Only snoozed items; without it only others, with `mentioned` both; `false` is both. */
    snoozed: z.optional(flagInQuery),
    /** Only overdue items. */
    overdue: z.optional(flagInQuery),
    ...signedAmountFilters,
    /** Only items with an unread comment that mentions the reader, decided ones too. */
    mentioned: z.optional(flagInQuery),
    /** Only items that a colleague assigned to the reader and that the reader has not opened. */
    newlyAssigned: z.optional(flagInQuery),
    ...listQuery,
  }),
  /** The first page also has items that are back from a snooze; they come again in the page of their due time. */
  response: z.object({ items: z.array(inboxEntry), groups, next: nextCursor }),
  problems: ['cursor-invalid'],
})

export const inboxCounts = endpoint('inboxCounts', `GET ${root}/inbox/counts`, {
  summary: 'Returns the counts for the menu: open and overdue items of each type, and failed operations.',
  access: readPermissions.inbox,
  response: z.object({
    all: z.int(),
    /** Items assigned to this person. */
    mine: z.int(),
    /** Items that this person can decide. */
    toDecide: z.int(),
    late: z.int(),
    /** Items with an unread comment that mentions this person, decided ones too. */
    mentions: z.int(),
    /** Items that a colleague assigned to this person and that this person has not opened. */
    newlyAssigned: z.int(),
    kinds: z.array(z.object({ kind: choice(workItemKinds), open: z.int(), late: z.int() })),
    failedOperations,
  }),
})

/** A fact of the preview, named by its code; the app writes the label. */
export const previewFact = z.object({
  code: z.string(),
  value: z.string(),
  tone: z.nullable(choice(['ok', 'warn', 'bad'])),
})

export const getInboxItem = endpoint('getInboxItem', `GET ${root}/inbox/:id`, {
  summary: 'Returns the preview of one inbox item.',
  access: readPermissions.inbox,
  params: recordParams,
  response: z.object({
    item: inboxItem,
    facts: z.array(previewFact),
    checks: z.array(check),
    timeline: z.array(event),
    roles: requiredRoles,
    /** Of a withdrawal, as its page shows it; a server of the version before does not send it. */
    recipient: z.optional(z.extend(recipient, { currency })),
  }),
})

export const getItemEnd = endpoint('getItemEnd', `GET ${root}/inbox/:id/end`, {
  summary:
    'Returns who closed an item that is no longer open, when, and in which state; the person is null if no decision closed it.',
  access: readPermissions.inbox,
  params: recordParams,
  response: z.object({
    kind: choice(workItemKinds),
    record: z.string(),
    at: seconds,
    by: z.nullable(event.shape.actor),
    state: z.nullable(z.string()),
  }),
})

export const listAssignees = endpoint('listAssignees', `GET ${root}/inbox/assignees`, {
  summary:
    'Returns the colleagues who may decide items of a type, with their open and overdue items; the caller first, absent colleagues last.',
  access: permissions.assign,
  query: z.strictObject({ kind: choice(workItemKinds) }),
  response: z.object({ people: z.array(z.object({ ...colleague.shape, open: z.int(), late: z.int() })) }),
})

export const listMentionable = endpoint('listMentionable', `GET ${root}/inbox/colleagues`, {
  summary:
    'Returns the colleagues, except the caller, who may read items of a type and can be mentioned in a comment with @.',
  access: permissions.writeNote,
  query: z.strictObject({ kind: choice(workItemKinds) }),
  response: z.object({ people: z.array(colleague) }),
  problems: ['wrong-role'],
})

export const assignItem = endpoint('assignItem', `POST ${root}/inbox/:id/assign`, {
  summary: 'Assigns an item to the caller or to a colleague who may decide it, or unassigns it.',
  access: permissions.assign,
  params: recordParams,
  /** `seen`: an undo gives the item back to a person who had already looked at it and is not notified again. */
  body: body({ to: colleagueOr(['me', unassigned]), seen: z._default(z.boolean(), false) }),
  response: z.object({
    assignee: z.nullable(staffBrief),
    before: z.nullable(z.extend(staffBrief, { seen: z.boolean() })),
  }),
  problems: ['decided-meanwhile', 'assignee-role'],
})

export const snoozeItem = endpoint('snoozeItem', `POST ${root}/inbox/:id/snooze`, {
  summary: 'Snoozes an item until the given time, with a note; null ends the snooze.',
  access: permissions.assign,
  params: recordParams,
  /** `back`: with `until` null, brought back as of a snooze that ended then, on top of its group. */
  body: body({ until: z.nullable(seconds), note, back: z._default(z.nullable(seconds), null) }),
  /**
   * The end of the snooze that this one replaced or ended, and its note: an undo snoozes the item again with both.
   * `back`: when its snooze had ended at its time, so that an undo brings the item back with that.
   */
  response: z.object({
    before: z.nullable(seconds),
    note: z._default(z.string(), ''),
    back: z._default(z.nullable(seconds), null),
  }),
  problems: ['decided-meanwhile', 'snooze-time', 'snooze-reason'],
})

export const writeComment = endpoint('writeComment', `POST ${root}/inbox/:id/comments`, {
  summary: 'Adds a comment that is visible to staff only; @name notifies a colleague who may read the item.',
  access: permissions.writeNote,
  params: recordParams,
  body: body({ text: paragraph(2000) }),
  status: 201,
  response: z.object({ mentioned: z.array(staffBrief) }),
  problems: ['decided-meanwhile'],
})

export const saveInboxFilter = endpoint('saveInboxFilter', `POST ${root}/inbox/filter`, {
  summary: 'Saves the caller’s default inbox filter. Not logged.',
  access: readPermissions.inbox,
  body: body(inboxFilterFields),
})

export const viewItem = endpoint('viewItem', `POST ${root}/inbox/:id/viewing`, {
  summary: 'Records that the caller is viewing the item and returns the other viewers. Not logged.',
  access: readPermissions.inbox,
  params: recordParams,
  body: body({ here: z.boolean('required') }),
  response: z.object({ viewers: z.array(staffBrief) }),
})

/** text/event-stream: `data: { kind, id, version? }` for each change; ends with the session (requirements 21.1). */
export const changesPath = `${root}/changes`
