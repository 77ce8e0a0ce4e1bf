/** Lists as CSV. Apart from records.ts, because every list of the back office loads it first. */
import * as z from 'zod/mini'
import { readPermissions } from '#rules/permissions.ts'
import { endpoint } from '../endpoint.ts'
import { choice, lineInQuery } from '../fields.ts'
import { root } from './briefs.ts'

export const exportedLists = [
  'inbox',
  'clients',
  'documents',
  'account-requests',
  'leverage-requests',
  'bank-details',
  'deposits',
  'bank-lines',
  'withdrawals',
  'payout-batches',
  'transfers',
  'professional',
  'profile-changes',
  'enquiries',
  'corrections',
  'firm-money',
  'reconciliation',
  'recovery',
  'staff',
  'failed-jobs',
] as const
/** The filters of all lists; each list accepts its own, by its own schema. */
const listFilters = [
  'q',
  'sort',
  'direction',
  'from',
  'to',
  'state',
  'type',
  'currency',
  'amountFrom',
  'amountTo',
  'platform',
  'kind',
  'source',
  'clientStatus',
  'country',
  'riskLevel',
  'flag',
  'role',
  'mine',
  'assigned',
  'overdue',
  'outcome',
  'snoozed',
  'mentioned',
  'dated',
  'method',
  'reached',
  'review',
  'toApprove',
  'newlyAssigned',
] as const
const filter = lineInQuery(200)

export const exportList = endpoint('exportList', `GET ${root}/export/:list`, {
  summary:
    'Returns a list as CSV, with its filters applied and protected against formula injection. Anyone who may read the list may export it.',
  access: readPermissions.inbox,
  params: z.object({ list: choice(exportedLists) }),
  query: z.strictObject(
    Object.fromEntries(listFilters.map((name) => [name, filter])) as Record<
      (typeof listFilters)[number],
      z.ZodMiniOptional<z.ZodMiniString>
    >,
  ),
  produces: 'text/csv',
  problems: [
    'wrong-role',
    'unknown-value',
    'filter-amount-invalid',
    'filter-amount-negative',
    'filter-currency-missing',
    'export-too-long',
  ],
})
