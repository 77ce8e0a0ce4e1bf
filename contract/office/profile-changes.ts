/** Changes of verified identity data, and of the email address on behalf of a client. */
import * as z from 'zod/mini'
import { permissions, readPermissions } from '#rules/permissions.ts'
import { changedFields, profileChangeMachine } from '#rules/profile-changes.ts'
import { endpoint } from '../endpoint.ts'
import { body, choice, email } from '../fields.ts'
import { decisionsOn } from './decision.ts'
import { clientBrief, page, paramsOf, root, staffBrief, clientParams, stateOrAll, listOf } from './briefs.ts'
import { note, reason, recordFields, rowFields, twoTexts } from './decisions.ts'

const changeState = choice(profileChangeMachine.states)
const changeFacts = { field: choice(changedFields), from: z.nullable(z.string()), to: z.string() }

export const listProfileChanges = endpoint('listProfileChanges', `GET ${root}/profile-changes`, {
  summary: 'Returns pending and decided changes of identity details.',
  access: readPermissions.profileChanges,
  query: listOf(['createdAt'], { state: stateOrAll(profileChangeMachine.states) }),
  response: page(z.object({ ...rowFields, state: changeState, ...changeFacts })),
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

export const getProfileChange = endpoint('getProfileChange', `GET ${root}/profile-changes/:id`, {
  summary: 'Returns one change with the old and new values and the approved documents.',
  access: readPermissions.profileChanges,
  params: paramsOf<'profile_change'>(),
  response: z.object({
    change: z.object({
      ...recordFields,
      state: changeState,
      client: clientBrief,
      ...changeFacts,
      /** The staff member who requested it, and why; null if the client did. */
      askedBy: z.nullable(staffBrief),
      askedReason: z.nullable(z.string()),
      risk: z.nullable(z.object({ fromLevel: z.int(), toLevel: z.int(), toAvailable: z.boolean() })),
      /** Further effects of an approval, with their number. */
      affects: z.array(z.object({ code: choice(profileChangeEffects), count: z.int() })),
      documents: z.array(
        z.object({
          id: z.string(),
          kind: z.string(),
          state: z.string(),
          fileId: z.nullable(z.string()),
          filename: z.nullable(z.string()),
          pages: z.int(),
        }),
      ),
    }),
  }),
})

export const requestEmailChange = endpoint('askEmailChange', `POST ${root}/clients/:id/email-change`, {
  summary:
    'Requests a change of a client’s email address after a correct security answer. Another person must approve it, and the client confirms the new address through an emailed link.',
  access: permissions.askEmailChange,
  params: clientParams,
  body: body({ email, reason }),
  status: 201,
  response: z.object({ id: z.string() }),
  problems: [
    'erased-already',
    'reason-required',
    'email-invalid',
    'own-request',
    'value-unchanged',
    'client-known',
    'email-change-waits',
    'answer-first',
  ],
})

const decision = decisionsOn('profile-changes', profileChangeMachine)

export const approveProfileChange = decision('approveProfileChange', 'approve', {
  summary:
    'Approves and applies the change, and notifies the client. A new email address takes effect once the client confirms it through an emailed link.',
  body: { note },
  problems: ['country-unavailable', 'own-act', 'client-known'],
})
export const rejectProfileChange = decision('rejectProfileChange', 'reject', {
  summary: 'Rejects the change with a reason for the client.',
  body: twoTexts,
})
