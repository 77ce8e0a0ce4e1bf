/** Deletion of data: a client's erasure with dual approval, and the runs of the daily job. */
import * as z from 'zod/mini'
import { permissions, readPermissions } from '#rules/permissions.ts'
import { erasureMachine } from '#rules/retention.ts'
import { endpoint } from '../endpoint.ts'
import { body, choice, seconds } from '../fields.ts'
import { decisionsOn } from './decision.ts'
import { root, clientParams } from './briefs.ts'
import { note, reason } from './decisions.ts'

/** Counts of deleted data by kind. */
const purged = z.record(z.string(), z.int())

export const requestErasure = endpoint('askErasure', `POST ${root}/clients/:id/erasure`, {
  summary:
    'Requests the erasure of a client whose relationship with the firm has ended. Another person must approve it.',
  access: permissions.askErasure,
  params: clientParams,
  body: body({ askedFor: choice(['client', 'firm']), reason }),
  status: 201,
  response: z.object({ id: z.string() }),
  problems: [
    'reason-required',
    'own-request',
    'erased-already',
    'erasure-waits',
    'client-lives',
    'requests-open',
    'money-left',
  ],
})
const decision = decisionsOn('erasures', erasureMachine, 'client')

export const approveErasure = decision('approveErasure', 'approve', {
  summary:
    'Approves the erasure: erases the data that need not be kept. The statutory record is deleted automatically when its retention period ends.',
  body: { note },
  problems: ['own-act', 'requests-open', 'money-left'],
})
export const rejectErasure = decision('rejectErasure', 'reject', {
  summary: 'Rejects the erasure with a reason.',
  body: { reason },
  problems: ['own-act'],
})
export const cancelErasure = decision('cancelErasure', 'cancel', {
  summary: 'Cancels the erasure request. Only the person who made it may cancel it.',
  body: { note },
  problems: ['not-your-act'],
})

export const listRetentionRuns = endpoint('listRetentionRuns', `GET ${root}/retention`, {
  summary: 'Returns the runs of the daily deletion job, newest first.',
  access: readPermissions.settings,
  response: z.object({
    runs: z.array(z.object({ id: z.string(), at: seconds, counts: purged, isComplete: z.boolean() })),
  }),
})
