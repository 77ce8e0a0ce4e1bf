/** Changes of a verified identity. */
import * as z from 'zod/mini'
import { readers } from '#rules/permissions.ts'
import { decidedFields, profileChangeLife } from '#rules/profile-changes.ts'
import { endpoint } from '../endpoint.ts'
import { choice } from '../fields.ts'
import {
  clientBrief,
  clientReason,
  decision,
  nextCursor,
  note,
  recordFields,
  recordParams,
  root,
  rowFields,
} from './decisions.ts'
import { listPeriod, listQuery, sortedBy, stateOrAll } from './lists.ts'

const changeState = choice(profileChangeLife.states)
const changeFacts = { field: choice(decidedFields), from: z.nullable(z.string()), to: z.string() }

export const listProfileChanges = endpoint({
  name: 'listProfileChanges',
  method: 'GET',
  path: `${root}/profile-changes`,
  summary: 'Changes of identity that wait, or were decided.',
  who: readers.profileChanges,
  query: z.strictObject({
    ...listQuery,
    ...listPeriod,
    ...sortedBy('createdAt'),
    state: stateOrAll(profileChangeLife.states),
  }),
  answer: z.object({ rows: z.array(z.object({ ...rowFields, state: changeState, ...changeFacts })), next: nextCursor }),
})

export const profileChangeEffects = [
  'documents-with-old-value',
  'documents-not-accepted',
  'bank-holder',
  'payouts-under-old-name',
  'wires-compared',
  'accounts-under-old-name',
  'methods-of-country',
] as const

export const getProfileChange = endpoint({
  name: 'getProfileChange',
  method: 'GET',
  path: `${root}/profile-changes/:id`,
  summary: 'One change, old and new, with the approved documents.',
  who: readers.profileChanges,
  params: recordParams,
  answer: z.object({
    change: z.object({
      ...recordFields,
      state: changeState,
      client: clientBrief,
      ...changeFacts,
      risk: z.nullable(z.object({ fromLevel: z.int(), toLevel: z.int(), toAvailable: z.boolean() })),
      /** What else an approval touches, and how much of it there is. */
      affects: z.array(z.object({ code: choice(profileChangeEffects), count: z.int() })),
      documents: z.array(
        z.object({
          id: z.string(),
          kind: z.string(),
          state: z.string(),
          fileId: z.nullable(z.string()),
          mediaType: z.nullable(z.string()),
          pages: z.int(),
        }),
      ),
    }),
  }),
  problems: ['not-found'],
})

export const approveProfileChange = decision({
  name: 'approveProfileChange',
  area: 'profile-changes',
  life: profileChangeLife,
  verb: 'approve',
  summary: 'Applies the change and tells the client.',
  body: { note },
  problems: ['country-unavailable'],
})
export const rejectProfileChange = decision({
  name: 'rejectProfileChange',
  area: 'profile-changes',
  life: profileChangeLife,
  verb: 'reject',
  summary: 'Refuses the change with a reason that the client reads.',
  body: { reason: clientReason },
  problems: ['reason-required'],
})
