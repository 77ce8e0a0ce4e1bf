/** The checks beside a decision, and the override of a block (requirements 19.1, 19.4). */
import * as z from 'zod/mini'
import { readPermissions } from '#rules/permissions.ts'
import { checkNames, factSources } from '#rules/checks/check.ts'
import { checkResults } from '#rules/choices.ts'
import { endpoint } from '../endpoint.ts'
import {
  atMost,
  body,
  choice,
  id,
  line,
  lineInQuery,
  noHiddenCharacters,
  seconds,
  trimmed,
  clientId,
  storedFileProblems,
} from '../fields.ts'
import { proofBodyBytesMax, proofFile } from './proof-file.ts'

/** One check: its result, its facts, and who can override it. The server writes every text. */
export const decisionCheck = z.object({
  name: choice(checkNames),
  result: choice(checkResults),
  title: z.string(),
  text: z.string(),
  facts: z.array(
    z.object({ name: z.string(), value: z.string(), source: choice(factSources), at: z.nullable(seconds) }),
  ),
  /** Of a block: who can override it, and how. */
  wayOut: z.nullable(z.string()),
  overrideBy: z.nullable(z.string()),
  /** Whether the reader may override it now. */
  mayOverride: z.boolean(),
  /** Why the reader may not, although the role may. */
  overrideRefusal: z.nullable(z.string()),
  overridden: z.nullable(
    z.object({
      by: z.string(),
      at: seconds,
      reason: z.string(),
      proof: z.nullable(z.object({ fileId: z.string(), filename: z.string() })),
    }),
  ),
  /** Whether an override needs a file as evidence. */
  needsProof: z.boolean(),
  /** The digest of the facts shown: an override is valid only for them. */
  digest: z.string(),
})
/** As the server returns it; times are not encoded yet. */
export type DecisionCheck = z.output<typeof decisionCheck>

const acknowledgedMax = 50

/** The names of the acknowledged warnings. */
export const acknowledged = z._default(z.array(choice(checkNames)).check(z.maxLength(acknowledgedMax, 'invalid')), [])

/** Problems of a decision with checks. */
export const checkProblems = ['checks-block', 'checks-changed', 'reason-required'] as const

/** Kinds of requests whose decisions have checks. */
export const checkedKinds = [
  'withdrawal',
  'transfer',
  'bank_line',
  'deposit',
  'client',
  'account',
  'leverage_request',
  'bank_details',
  'correction',
] as const
export type CheckedKind = (typeof checkedKinds)[number]

/** Returns whether decisions on a kind of record have checks. */
export function isChecked(kind: string): kind is CheckedKind {
  return (checkedKinds as readonly string[]).includes(kind)
}

/**
 * A request; a bank transaction with the client whose deposit it is matched to, or without if it is returned to its
 * sender.
 */
const holderMax = 140
const checkedRequest = { kind: choice(checkedKinds), id, client: z.optional(clientId) }

export const getDecisionChecks = endpoint('getDecisionChecks', 'GET /api/backoffice/checks', {
  summary: 'Returns the current results of a decision’s checks, after refreshing the balances from the platform.',
  access: readPermissions.inbox,
  query: z.strictObject({
    ...checkedRequest,
    /** Of bank details: the account holder as read on the statement, checked before the approval that enters it. */
    holder: lineInQuery(holderMax),
  }),
  response: z.object({ checks: z.array(decisionCheck) }),
  problems: ['not-found', 'wrong-role'],
})

export const overrideCheck = endpoint('overrideCheck', 'POST /api/backoffice/checks/override', {
  summary:
    'Overrides a block, with a reason. The override applies only to the facts shown and needs the role that the check requires.',
  access: ['compliance', 'finance', 'administrator'],
  body: body({
    ...checkedRequest,
    /** Of bank details: the account holder as read on the statement; the override is valid only for this name. */
    holder: z.optional(line(holderMax)),
    check: choice(checkNames),
    digest: z.string('required').check(z.regex(/^[0-9a-f]{64}$/, 'invalid')),
    reason: z
      .string('reason-required')
      .check(trimmed, z.minLength(1, 'reason-required'), atMost(1000), noHiddenCharacters),
    /** For a check that needs proof. */
    proof: z.optional(proofFile),
  }),
  bodyBytesMax: proofBodyBytesMax,
  response: z.object({ checks: z.array(decisionCheck) }),
  problems: [
    'not-found',
    'own-request',
    'wrong-role',
    'reason-required',
    'decided-meanwhile',
    'debit-sent',
    'debit-made',
    'checks-changed',
    'check-not-blocking',
    'override-not-allowed',
    'override-own',
    'proof-required',
    ...storedFileProblems,
  ],
})
