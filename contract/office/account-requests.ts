/** Account requests: an approval opens the account on its platform. */
import * as z from 'zod/mini'
import { accountMachine } from '#rules/accounts.ts'
import { requestTypes } from '#rules/choices.ts'
import { accountTypes, platforms } from '#rules/constants.ts'
import { readPermissions } from '#rules/permissions.ts'
import { endpoint } from '../endpoint.ts'
import { choice, currency, signedBalance } from '../fields.ts'
import { acknowledged, checkProblems, decisionCheck } from './checks.ts'
import { decisionsOn } from './decision.ts'
import { clientBrief, page, paramsOf, root, stateOrAll, listOf } from './briefs.ts'
import { moneyFact, note, operation, recordFields, rowFields, twoTexts } from './decisions.ts'

const accountState = choice(accountMachine.states)
const accountFacts = {
  requestType: choice(requestTypes),
  platform: choice(platforms),
  accType: choice(accountTypes),
  currency,
  leverage: z.int(),
}

export const listAccountRequests = endpoint('listAccountRequests', `GET ${root}/account-requests`, {
  summary: 'Returns account requests, filtered by state.',
  access: readPermissions.accountRequests,
  query: listOf(['createdAt'], { state: stateOrAll(accountMachine.states), platform: z.optional(choice(platforms)) }),
  response: page(z.object({ ...rowFields, state: accountState, ...accountFacts, number: z.nullable(z.string()) })),
})

export const getAccountRequest = endpoint('getAccountRequest', `GET ${root}/account-requests/:id`, {
  summary: 'Returns one account request with its effect on the platform.',
  access: readPermissions.accountRequests,
  params: paramsOf<'account'>(),
  response: z.object({
    request: z.object({
      ...recordFields,
      decisionChecks: z.array(decisionCheck),
      state: accountState,
      client: clientBrief,
      ...accountFacts,
      number: z.nullable(z.string()),
      demoBalance: z.nullable(signedBalance),
      /** The platform group of the current or future account; null if the settings name none. */
      group: z.nullable(z.string()),
      fromRegistration: z.boolean(),
      otherAccounts: z.array(
        z.object({
          id: z.string(),
          number: z.nullable(z.string()),
          ...accountFacts,
          state: accountState,
          balance: moneyFact,
        }),
      ),
      operation,
    }),
  }),
})

const decision = decisionsOn('account-requests', accountMachine)

export const approveAccount = decision('approveAccount', 'approve', {
  summary:
    'Approves the account request: opens the account on its platform and emails the client, who can view the initial password in the portal.',
  body: { note, acknowledged },
  problems: [
    'mt4-not-connected',
    'new-accounts-closed',
    'client-not-approved',
    'leverage-over-right',
    ...checkProblems,
  ],
})
export const rejectAccount = decision('rejectAccount', 'reject', {
  summary: 'Rejects the account request with a reason for the client.',
  body: twoTexts,
})
