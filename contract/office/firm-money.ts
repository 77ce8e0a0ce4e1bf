/** Transfers of firm money into and out of the client money account: proposed by one person, confirmed by another. */
import * as z from 'zod/mini'
import { firmMoneyMachine } from '#rules/firm-money.ts'
import { permissions, readPermissions } from '#rules/permissions.ts'
import { endpoint } from '../endpoint.ts'
import { body, choice, currency, signedBalance, idOf, seconds, signedAmount } from '../fields.ts'
import { decisionsOn } from './decision.ts'
import { page, paramsOf, root, staffBrief, listOf, signedAmountFilters } from './briefs.ts'
import { note, reason, recordFields } from './decisions.ts'

const state = choice(firmMoneyMachine.states)
const facts = {
  state,
  reference: z.string(),
  /** Positive into the client money account. */
  amount: signedBalance,
  currency,
  why: z.string(),
  askedBy: staffBrief,
  lineId: z.nullable(z.string()),
}

export const listFirmMoney = endpoint('listFirmMoney', `GET ${root}/firm-money`, {
  summary: 'Returns firm money transfers into and out of the client money account.',
  access: readPermissions.clientMoney,
  query: listOf(['createdAt', 'amount'], { state: z.optional(state), ...signedAmountFilters }),
  response: page(z.object({ id: z.string(), version: z.int(), createdAt: seconds, ...facts })),
})
export const getFirmMoney = endpoint('getFirmMoney', `GET ${root}/firm-money/:id`, {
  summary: 'Returns one firm money transfer with the current excess or shortfall.',
  access: readPermissions.clientMoney,
  params: paramsOf<'firm_money'>(),
  response: z.object({
    move: z.object({
      ...recordFields,
      ...facts,
      surplus: signedBalance,
      bankAccount: z.string(),
      payer: z.nullable(z.string()),
    }),
  }),
})
export const proposeFirmMoney = endpoint('proposeFirmMoney', `POST ${root}/firm-money`, {
  summary: 'Proposes a firm money transfer, or matches a bank transaction as one. Another person must confirm it.',
  access: permissions.proposeFirmMoney,
  body: body({ amount: signedAmount, currency, reason, lineId: z.optional(idOf<'bank_line'>()) }),
  status: 201,
  response: z.object({ id: z.string(), reference: z.string() }),
  problems: [
    'amount-invalid',
    'amount-large',
    'reason-required',
    'more-than-firms-own',
    'line-not-free',
    'line-differs',
  ],
  idempotent: true,
  stopsWith: ['payouts'],
})
const decision = decisionsOn('firm-money', firmMoneyMachine)

export const confirmFirmMoney = decision('confirmFirmMoney', 'confirm', {
  summary:
    'Confirms a firm money transfer that another person proposed. If it has a bank transaction, it is posted immediately.',
  body: { note },
  problems: ['own-act', 'more-than-firms-own', 'line-not-free'],
})
export const rejectFirmMoney = decision('rejectFirmMoney', 'reject', {
  summary: 'Rejects a firm money transfer, or cancels one that was never paid.',
  body: { reason },
  problems: ['own-act'],
})
