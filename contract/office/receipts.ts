/** Receipts of clients, for staff who verify one by its reference (requirements 24.30). */
import * as z from 'zod/mini'
import { readPermissions } from '#rules/permissions.ts'
import { endpoint } from '../endpoint.ts'
import { choice, id } from '../fields.ts'
import { historyLists } from '../history.ts'
import { root } from './briefs.ts'

export const officeReceiptPdf = endpoint('officeReceiptPdf', `GET ${root}/receipts/:list/:id.pdf`, {
  summary: 'Returns the receipt for an approved, paid or returned deposit, withdrawal or transfer, as a one-page PDF.',
  access: readPermissions.deposits,
  params: z.object({ list: choice(historyLists), id }),
  produces: 'application/pdf',
  problems: ['wrong-state'],
})
