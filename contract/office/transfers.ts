/** Transfers for staff: both accounts, the rate and its time. */
import * as z from 'zod/mini'
import { readPermissions } from '#rules/permissions.ts'
import { transferMachine } from '#rules/transfers.ts'
import { endpoint, type ResponseOf } from '../endpoint.ts'
import { choice, currency, signedBalance, seconds } from '../fields.ts'
import { acknowledged, checkProblems, decisionCheck } from './checks.ts'
import { decisionsOn } from './decision.ts'
import { clientBrief, page, paramsOf, root, amountFilters, stateOrAll, listOf } from './briefs.ts'
import { moneyFact, note, operationState, recordFields, rowFields, twoTexts } from './decisions.ts'

const state = choice(transferMachine.states)
const facts = {
  state,
  reference: z.string(),
  sourceNumber: z.string(),
  destinationNumber: z.string(),
  amount: signedBalance,
  currency,
  rate: z.string(),
  arrives: signedBalance,
  arrivesCurrency: currency,
}

export const listOfficeTransfers = endpoint('listOfficeTransfers', `GET ${root}/transfers`, {
  summary: 'Returns transfers, filtered by state.',
  access: readPermissions.transfers,
  query: listOf(['createdAt', 'amount'], { state: stateOrAll(transferMachine.states), ...amountFilters }),
  response: page(z.object({ ...rowFields, ...facts })),
})

const side = z.object({
  id: z.string(),
  number: z.string(),
  platform: z.string(),
  balance: moneyFact,
  freeMargin: moneyFact,
  openPositions: z.nullable(z.int()),
})

export const getOfficeTransfer = endpoint('getOfficeTransfer', `GET ${root}/transfers/:id`, {
  summary: 'Returns one transfer with both accounts and the exchange rate.',
  access: readPermissions.transfers,
  params: paramsOf<'transfer'>(),
  response: z.object({
    transfer: z.object({
      ...recordFields,
      decisionChecks: z.array(decisionCheck),
      ...facts,
      client: clientBrief,
      source: side,
      destination: side,
      comment: z.string(),
      rateAt: z.nullable(seconds),
      rateNow: z.nullable(z.string()),
      setAsideHere: moneyFact,
      setAsideElsewhere: moneyFact,
      freeAfter: moneyFact,
      legs: z.array(
        z.object({
          leg: choice(['withdraw', 'deposit', 'compensate']),
          state: operationState,
          ref: z.string(),
          ticket: z.nullable(z.string()),
          lastError: z.nullable(z.string()),
        }),
      ),
    }),
  }),
})

export type OfficeTransfer = ResponseOf<typeof getOfficeTransfer>['transfer']

const decision = decisionsOn('transfers', transferMachine)

export const approveTransfer = decision('approveTransfer', 'approve', {
  summary: 'Approves the transfer: debits the source account on the platform, then credits the destination account.',
  body: { note, acknowledged },
  problems: ['mt4-not-connected', ...checkProblems],
})
export const rejectTransfer = decision('rejectTransfer', 'reject', {
  summary: 'Rejects the transfer with a reason for the client, and releases the reserved amount.',
  body: twoTexts,
  problems: ['debit-sent'],
})
