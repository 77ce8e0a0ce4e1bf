/** Named filters, columns and order of a list: of one person, or shared with the team by their owner. */
import * as z from 'zod/mini'
import { readPermissions, type Area } from '#rules/permissions.ts'
import { endpoint } from '../endpoint.ts'
import { body, choice, line } from '../fields.ts'
import { recordParams, root, staffBrief } from './briefs.ts'
import type { exportedLists } from './list-export.ts'

/** The lists with views, and the area that must be readable for them. */
export const viewedLists = {
  inbox: 'inbox',
  clients: 'clients',
  documents: 'documents',
  'account-requests': 'accountRequests',
  'leverage-requests': 'leverageRequests',
  'bank-details': 'bankDetails',
  deposits: 'deposits',
  'bank-lines': 'deposits',
  withdrawals: 'withdrawals',
  transfers: 'transfers',
  professional: 'professional',
  'profile-changes': 'profileChanges',
  enquiries: 'enquiries',
  corrections: 'corrections',
  reconciliation: 'reconciliation',
  recovery: 'recovery',
  'firm-money': 'clientMoney',
  staff: 'staff',
  'failed-jobs': 'failedJobs',
  'payout-batches': 'payouts',
  audit: 'audit',
} as const satisfies Partial<Record<(typeof exportedLists)[number] | 'payout-batches' | 'audit', Area>>
export type ViewedList = keyof typeof viewedLists
const list = choice(Object.keys(viewedLists) as [ViewedList, ...ViewedList[]])

/**
 * The URL parameters that a view stores. Not search texts, clients or people: those are personal data, and a view is
 * permanent.
 */
export const viewParameters: readonly string[] = [
  'amountFrom',
  'amountTo',
  'assigned',
  'clientStatus',
  'columns',
  'country',
  'currency',
  'dated',
  'days',
  'decisions',
  'direction',
  'flag',
  'from',
  'kind',
  'list',
  'mentioned',
  'method',
  'mine',
  'newlyAssigned',
  'outcome',
  'overdue',
  'platform',
  'reached',
  'review',
  'riskLevel',
  'role',
  'snoozed',
  'sort',
  'source',
  'state',
  'to',
  'type',
  'verb',
]

const plainValue = /^[\w.,:-]+$/
/** Names that the firm gives in its settings. */
const method = line(200)

const query = z.record(z.string(), z.string('required').check(z.maxLength(300, 'unknown-value'))).check(
  z.refine((pairs) => Object.keys(pairs).every((name) => viewParameters.includes(name)), 'unknown-value'),
  z.refine(
    (pairs) =>
      Object.entries(pairs).every(([name, value]) =>
        name === 'method' ? method.safeParse(value).success : plainValue.test(value),
      ),
    'unknown-value',
  ),
)

const fields = {
  name: line(40),
  /** As in the URL of the list. */
  query,
  shared: z.boolean('required'),
}

const savedView = z.object({
  id: z.string(),
  name: z.string(),
  query: z.record(z.string(), z.string()),
  shared: z.boolean(),
  /** Whether it is the caller's, who alone may change it. */
  own: z.boolean(),
  owner: staffBrief,
  /** Whether the caller may delete it although it is another person's, who has left. */
  mayRemove: z._default(z.boolean(), false),
  /** How many items it shows now; only for the inbox. */
  count: z.nullable(z.int()),
})
export type SavedView = z.output<typeof savedView>

export const listSavedViews = endpoint('listSavedViews', `GET ${root}/saved-views`, {
  summary: 'Returns the caller’s saved views of a list and those that colleagues share.',
  access: readPermissions.inbox,
  query: z.strictObject({ list }),
  response: z.object({ views: z.array(savedView) }),
  problems: ['wrong-role'],
})

export const saveView = endpoint('saveView', `POST ${root}/saved-views`, {
  summary: 'Saves the filters, columns and order of a list under a name. Not logged.',
  access: readPermissions.inbox,
  body: body({ list, ...fields }),
  status: 201,
  response: z.object({ id: z.string() }),
  problems: ['wrong-role', 'view-name-used', 'too-many-views'],
})

export const changeView = endpoint('changeView', `POST ${root}/saved-views/:id`, {
  summary: 'Renames, shares or updates one of the caller’s views. Not logged.',
  access: readPermissions.inbox,
  params: recordParams,
  body: body(fields),
  response: z.object({ before: z.object({ name: z.string(), query: savedView.shape.query, shared: z.boolean() }) }),
  problems: ['view-name-used'],
})

export const removeView = endpoint('removeView', `POST ${root}/saved-views/:id/remove`, {
  summary:
    'Deletes one of the caller’s views. Not logged. An administrator may also delete a view shared by a deactivated person, which is logged.',
  access: readPermissions.inbox,
  params: recordParams,
})
