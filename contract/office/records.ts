/** Audit log, evidence bundles and failed operations. */
import * as z from 'zod/mini'
import { platforms } from '#rules/constants.ts'
import { permissions, readPermissions } from '#rules/permissions.ts'
import { endpoint } from '../endpoint.ts'
import { body, choice, flagInQuery, id, lineInQuery, seconds } from '../fields.ts'
import { clientBrief, page, root, clientParams, listPeriod, listQuery, sortedBy, listOf } from './briefs.ts'
import { event, reason } from './decisions.ts'

const auditFilters = {
  ...listPeriod,
  ...sortedBy('at'),
  kind: z.optional(z.string().check(z.regex(/^[a-z_-]{1,40}$/, 'unknown-value'))),
  verb: z.optional(z.string().check(z.regex(/^[\w-]{1,40}$/, 'unknown-value'))),
  record: z.optional(id),
  client: z.optional(id),
  actor: z.optional(id),
  /** Only decisions of staff, of the kinds that the reader may read, as the overview counts them. */
  decisions: z.optional(flagInQuery),
  reference: lineInQuery(64),
}

export const searchAudit = endpoint('searchAudit', `GET ${root}/audit`, {
  summary: 'Returns the audit log, newest first, with the values before and after each change.',
  access: readPermissions.audit,
  query: z.strictObject({ ...listQuery, ...auditFilters }),
  response: page(
    z.object({
      ...event.shape,
      number: z.nullable(z.int()),
      record: z.nullable(z.string()),
      client: z.nullable(clientBrief),
    }),
    { sealed: z.int() },
  ),
  problems: ['cursor-invalid', 'date-invalid'],
})
export const verifyAudit = endpoint('verifyAudit', `POST ${root}/audit/verify`, {
  summary: 'Recomputes the audit log’s hash chain and returns the first altered, missing or added entry.',
  access: permissions.verifyAudit,
  response: z.object({
    whole: z.boolean(),
    checked: z.int(),
    lastNumber: z.int(),
    lastHash: z.nullable(z.string()),
    at: seconds,
    first: z.nullable(
      z.object({ number: z.int(), eventId: z.nullable(z.string()), what: choice(['altered', 'missing', 'added']) }),
    ),
    /** Each recovery begins a new epoch after the last known number; the numbers that followed it were lost. */
    epochs: z.array(z.object({ epoch: z.int(), afterNumber: z.int(), afterHash: z.string(), at: seconds })),
  }),
  problems: ['too-many'],
})
export const auditCsv = endpoint('auditCsv', `GET ${root}/audit.csv`, {
  summary: 'Returns the audit log as CSV, with its filters applied. The export itself is logged.',
  access: permissions.exportAudit,
  query: z.strictObject({ q: listQuery.q, ...auditFilters }),
  produces: 'text/csv',
  problems: ['export-too-long'],
})
export const evidenceBundle = endpoint('evidenceBundle', `POST ${root}/clients/:id/evidence`, {
  summary: 'Returns all events, documents and decisions of one client as a ZIP file. The reason is logged.',
  access: permissions.exportEvidence,
  params: clientParams,
  body: body({ reason }),
  produces: 'application/zip',
  problems: ['reason-required'],
})

export const failedSources = ['operation', 'job', 'statement', 'trades', 'account'] as const
export type FailedSource = (typeof failedSources)[number]

const failedJob = z.object({
  id: z.string(),
  source: choice(failedSources),
  kind: z.string(),
  state: z.string(),
  ref: z.nullable(z.string()),
  tries: z.int(),
  lastError: z.nullable(z.string()),
  firstAt: seconds,
  lastAt: z.nullable(seconds),
  /** When it is retried automatically; null if a person must retry it. */
  nextTryAt: z.nullable(seconds),
  subject: z.nullable(z.string()),
  record: z.nullable(z.string()),
  /** The trading account that it is about, once it is open; null from a server of the version before. */
  account: z._default(z.nullable(z.object({ platform: choice(platforms), number: z.string() })), null),
  client: z.nullable(clientBrief),
  /** The effect on the client: a code with a label in the app. */
  meaning: z.string(),
  refusal: z.nullable(z.object({ code: z.string(), text: z.string() })),
})

export type FailedJob = z.output<typeof failedJob>

export const listFailedJobs = endpoint('listFailedJobs', `GET ${root}/failed-jobs`, {
  summary:
    'Returns failed operations: those that failed permanently or whose integration does not respond, failed jobs, statements that could not be created, and accounts that cannot be read or have an unreadable deal.',
  access: readPermissions.failedJobs,
  query: listOf(['firstAt'], { source: z.optional(choice(failedSources)) }),
  response: page(failedJob),
})
export const getFailedJob = endpoint('getFailedJob', `GET ${root}/failed-jobs/:source/:id`, {
  summary: 'Returns one failed operation with all its attempts.',
  access: readPermissions.failedJobs,
  params: z.object({ source: choice(failedSources), id }),
  response: z.object({
    job: failedJob,
    tries: z.array(z.object({ at: seconds, what: z.string(), error: z.nullable(z.string()) })),
  }),
})
export const retryJob = endpoint('retryJob', `POST ${root}/failed-jobs/:source/:id/retry`, {
  summary:
    'Retries a failed operation. An operation with an unknown outcome is queried first, and sent again only if two queries do not find it on the platform.',
  access: permissions.retryJob,
  params: z.object({ source: choice(failedSources), id }),
  body: body({ reason }),
  problems: ['job-gone', 'operation-open', 'resend-too-early', 'reason-required', 'money-stopped-office'],
})
