/** Debits at the bank without a record: payouts are stopped until two people explain them (ADR 117). */
import * as z from 'zod/mini'
import { payoutStopMachine } from '#rules/payout-stops.ts'
import { readPermissions } from '#rules/permissions.ts'
import { endpoint } from '../endpoint.ts'
import { choice, currency, signedBalance } from '../fields.ts'
import { decisionsOn } from './decision.ts'
import { root, staffBrief } from './briefs.ts'
import { note, reason, action } from './decisions.ts'

export const listPayoutStops = endpoint('listPayoutStops', `GET ${root}/payout-stops`, {
  summary:
    'Returns the stops on payouts: debits on the bank statement whose reference has our format but matches no record.',
  access: readPermissions.payouts,
  response: z.object({
    rows: z.array(
      z.object({
        id: z.string(),
        version: z.int(),
        state: choice(payoutStopMachine.states),
        reference: z.string(),
        amount: signedBalance,
        currency,
        lineId: z.string(),
        bookedOn: z.string(),
        explainedBy: z.nullable(staffBrief),
        explanation: z.nullable(z.string()),
        verbs: z.array(action),
      }),
    ),
  }),
})

const decision = decisionsOn('payout-stops', payoutStopMachine)

export const explainPayoutStop = decision('explainPayoutStop', 'explain', {
  summary: 'Explains a debit without a record. A second person then lifts the stop or starts recovery.',
  body: { reason },
  problems: ['own-import'],
})
export const liftPayoutStop = decision('liftPayoutStop', 'lift', {
  summary: 'Confirms the explanation and resumes payouts.',
  body: { note },
  problems: ['own-import', 'own-act'],
})
export const reopenPayoutStop = decision('reopenPayoutStop', 'reopen', {
  summary: 'Rejects the explanation; a new one is needed.',
  body: { reason },
  problems: ['own-import', 'own-act'],
})
export const recoverPayoutStop = decision('recoverPayoutStop', 'recover', {
  summary: 'Declares that our records have lost a payout, and starts recovery.',
  body: { reason },
  problems: ['own-import', 'own-act'],
})
