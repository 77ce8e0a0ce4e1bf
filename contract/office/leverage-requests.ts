/** Leverage requests: current and requested leverage, with current margin and positions. */
import * as z from 'zod/mini'
import { clientStatuses } from '#rules/choices.ts'
import { platforms } from '#rules/constants.ts'
import { leverageRequestMachine } from '#rules/leverage-requests.ts'
import { readPermissions } from '#rules/permissions.ts'
import { endpoint } from '../endpoint.ts'
import { choice, currency } from '../fields.ts'
import { acknowledged, checkProblems, decisionCheck } from './checks.ts'
import { decisionsOn } from './decision.ts'
import { clientBrief, page, paramsOf, root, stateOrAll, listOf } from './briefs.ts'
import { moneyFact, note, operation, recordFields, rowFields, twoTexts } from './decisions.ts'

const leverageState = choice(leverageRequestMachine.states)
const leverageFacts = {
  accountId: z.string(),
  accountNumber: z.string(),
  platform: choice(platforms),
  currency,
  from: z.int(),
  to: z.int(),
}

export const listLeverageRequests = endpoint('listLeverageRequests', `GET ${root}/leverage-requests`, {
  summary: 'Returns leverage requests, filtered by state.',
  access: readPermissions.leverageRequests,
  query: listOf(['createdAt'], { state: stateOrAll(leverageRequestMachine.states) }),
  response: page(z.object({ ...rowFields, state: leverageState, ...leverageFacts })),
})

export const getLeverageRequest = endpoint('getLeverageRequest', `GET ${root}/leverage-requests/:id`, {
  summary: 'Returns one leverage request with the old and the new leverage, and the current margin and positions.',
  access: readPermissions.leverageRequests,
  params: paramsOf<'leverage_request'>(),
  response: z.object({
    request: z.object({
      ...recordFields,
      decisionChecks: z.array(decisionCheck),
      state: leverageState,
      client: clientBrief,
      ...leverageFacts,
      accountClientStatus: choice(clientStatuses),
      allowed: z.array(z.int()),
      balance: moneyFact,
      equity: moneyFact,
      margin: moneyFact,
      freeMargin: moneyFact,
      openPositions: z.nullable(z.int()),
      operation,
    }),
  }),
})

const decision = decisionsOn('leverage-requests', leverageRequestMachine)

export const approveLeverage = decision('approveLeverage', 'approve', {
  summary: 'Approves the request: sets the new leverage on the platform and notifies the client.',
  body: { note, acknowledged },
  problems: ['leverage-over-right', 'leverage-closed', ...checkProblems],
})
export const rejectLeverage = decision('rejectLeverage', 'reject', {
  summary: 'Rejects the change with a reason for the client.',
  body: twoTexts,
})
