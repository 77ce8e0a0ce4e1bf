/**
 * Fields of all records and decisions of the back office. `verbs` names all actions of staff on the record with the
 * reason why the server would reject them now, or null.
 */
import * as z from 'zod/mini'
import { decidingRoles } from '#rules/actors.ts'
import { checkResults } from '#rules/choices.ts'
import { workItemKinds } from '#rules/work-items.ts'
import {
  atMost,
  choice,
  currency,
  signedBalance,
  largestInteger,
  noHiddenCharacters,
  seconds,
  severalLines,
  trimmed,
} from '../fields.ts'
import type { ProblemCode } from '../problems.ts'
import { check, clientBrief, colleague, staffBrief } from './briefs.ts'

/** An action on the record and why it is rejected now; null if it is allowed. */
export const action = z.object({
  verb: z.string(),
  refusal: z.nullable(z.object({ code: z.string(), text: z.string() })),
})
export type ActionResponse = z.output<typeof action>

/**
 * The roles that may take the main decision now, without the administrator; only if this person has none of them. A
 * server of the version before does not send them, which is not the same as none.
 */
export const requiredRoles = z.optional(z.array(choice(decidingRoles)))

/** One event of a record, newest first. `reason` and names are written by people: text, never markup. */
export const event = z.object({
  id: z.string(),
  at: seconds,
  kind: z.string(),
  verb: z.string(),
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
  actor: z.object({
    kind: choice(['client', 'staff', 'outside', 'clock', 'recovery']),
    id: z.nullable(z.string()),
    name: z.nullable(z.string()),
    /** Whether it is a command at the server's command line; a server of the version before does not say. */
    isOperator: z._default(z.boolean(), false),
  }),
  address: z.nullable(z.string()),
  reference: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  before: z.nullable(z.record(z.string(), z.unknown())),
  after: z.nullable(z.record(z.string(), z.unknown())),
  /** The checks of a decision, or the overridden one. */
  checks: z.optional(
    z.array(
      z.object({ title: z.string(), result: choice(checkResults), acknowledged: z.boolean(), overridden: z.boolean() }),
    ),
  ),
})
export type OfficeEvent = z.output<typeof event>

/** The bank account that a withdrawal is paid to; its numbers are masked for people who are only auditors. */
export const recipient = z.object({
  holder: z.string(),
  bankName: z.string(),
  iban: z.nullable(z.string()),
  accountNumber: z.nullable(z.string()),
  sortCode: z.nullable(z.string()),
  approvedAt: z.nullable(seconds),
  usedForPayouts: z.int(),
  /** The sum of the client's deposits from this account in the currency of the withdrawal. */
  depositedFrom: z.nullable(signedBalance),
})
export type Recipient = z.output<typeof recipient>

/** A balance with the time of its reading. */
export const moneyFact = z.object({ amount: z.nullable(signedBalance), currency, at: z.nullable(seconds) })

/** The platform operation of a record, if any. */
export const operationState = choice(['waiting', 'sending', 'unknown', 'done', 'refused'])
export type OperationState = z.output<typeof operationState>

export const operation = z.nullable(
  z.object({
    id: z.string(),
    state: operationState,
    ref: z.string(),
    ticket: z.nullable(z.string()),
    lastError: z.nullable(z.string()),
    tries: z.int(),
  }),
)

export type RecordOperation = z.output<typeof operation>

/** Fields of every record that can be decided. */
export const recordFields = {
  id: z.string(),
  version: z.int(),
  createdAt: seconds,
  decidedAt: z.nullable(seconds),
  decidedBy: z.nullable(staffBrief),
  /** The client's reason. */
  reason: z.nullable(z.string()),
  item: z.nullable(
    z.object({
      id: z.string(),
      dueAt: seconds,
      assignee: z.nullable(colleague),
      /** Whether the reader decides items of its kind, and can therefore be assigned to it. */
      assignable: z._default(z.boolean(), true),
    }),
  ),
  viewers: z.array(staffBrief),
  verbs: z.array(action),
  requiredRoles,
  checks: z.array(check),
  timeline: z.array(event),
}

/** The work item's fields in a row of a list. */
export const rowFields = {
  id: z.string(),
  version: z.int(),
  createdAt: seconds,
  dueAt: z.nullable(seconds),
  assignee: z.nullable(colleague),
  client: clientBrief,
}

/** The response of a decision: the record's state, and the next item in the same queue. */
export const decided = z.object({
  state: z.string(),
  version: z.int(),
  nextItem: z.nullable(z.object({ kind: choice(workItemKinds), id: z.string() })),
})
export type Decided = z.output<typeof decided>

/** The version shown on the page: a stale page is rejected. */
export const version = z.int('required').check(z.minimum(1, 'invalid'), z.maximum(largestInteger, 'invalid'))

/** The internal reason, for staff and the audit log. */
export const reason = z
  .string('reason-required')
  .check(trimmed, z.minLength(1, 'reason-required'), atMost(1000), severalLines, noHiddenCharacters)
/** The reason for the client: the server stores a standard reason by its key (ADR 80). */
export const clientReason = reason
/**
 * The two texts of a rejection (ADR 160): the client reads `clientReason`. Without it, the client reads the `reason` of
 * a rejected request, and a neutral text if the client is rejected, suspended or closed.
 */
export const twoTexts = { reason, clientReason: z.optional(clientReason) }
export const note = z._default(z.string('invalid').check(trimmed, atMost(1000), severalLines, noHiddenCharacters), '')

/** Problems of every decision. */
export const decisionProblems = [
  'wrong-role',
  'wrong-state',
  'decided-meanwhile',
  'decided-by',
  'stale-page',
  'own-request',
] as const satisfies readonly ProblemCode[]
