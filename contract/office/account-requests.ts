/** Account requests: approving one opens the account on its platform. */
import * as z from 'zod/mini'
import { accountLife } from '#rules/accounts.ts'
import { requestTypes } from '#rules/choices.ts'
import { accountTypes, platforms } from '#rules/constants.ts'
import { readers } from '#rules/permissions.ts'
import { endpoint } from '../endpoint.ts'
import { choice, currency, figure, seconds } from '../fields.ts'
import { acknowledged, checkProblems, decisionCheck } from './checks.ts'
import { decision } from './decision.ts'
import { clientBrief, nextCursor, recordParams, root } from './briefs.ts'
import { moneyFact, note, operation, recordFields, rowFields, twoTexts } from './decisions.ts'
import { listPeriod, listQuery, sortedBy, stateOrAll } from './lists.ts'

const accountState = choice(accountLife.states)
const accountFacts = {
  requestType: choice(requestTypes),
  platform: choice(platforms),
  accType: choice(accountTypes),
  currency,
  leverage: z.int(),
}

export const listAccountRequests = endpoint({
  name: 'listAccountRequests',
  method: 'GET',
  path: `${root}/account-requests`,
  summary: 'Account requests by state.',
  who: readers.accountRequests,
  query: z.strictObject({
    ...listQuery,
    ...listPeriod,
    ...sortedBy('createdAt'),
    state: stateOrAll(accountLife.states),
    platform: z.optional(choice(platforms)),
  }),
  answer: z.object({
    rows: z.array(z.object({ ...rowFields, state: accountState, ...accountFacts, number: z.nullable(z.string()) })),
    next: nextCursor,
  }),
})

export const getAccountRequest = endpoint({
  name: 'getAccountRequest',
  method: 'GET',
  path: `${root}/account-requests/:id`,
  summary: 'One account request and what the platform will do.',
  who: readers.accountRequests,
  params: recordParams,
  answer: z.object({
    request: z.object({
      ...recordFields,
      decisionChecks: z.array(decisionCheck),
      state: accountState,
      client: clientBrief,
      ...accountFacts,
      number: z.nullable(z.string()),
      demoBalance: z.nullable(figure),
      /** The group that the account will be opened in, by type, currency and status. */
      group: z.string(),
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
      platformConnected: z.boolean(),
      openedAt: z.nullable(seconds),
      operation,
    }),
  }),
  problems: ['not-found'],
})

export const approveAccount = decision({
  name: 'approveAccount',
  area: 'account-requests',
  life: accountLife,
  verb: 'approve',
  summary: 'Opens the account on its platform; the client gets a mail, the first password waits behind the login.',
  body: { note, acknowledged },
  problems: [
    'mt4-not-connected',
    'new-accounts-closed',
    'client-not-approved',
    'leverage-over-right',
    ...checkProblems,
  ],
})
export const rejectAccount = decision({
  name: 'rejectAccount',
  area: 'account-requests',
  life: accountLife,
  verb: 'reject',
  summary: 'Refuses the account with a reason that the client reads.',
  body: twoTexts,
  problems: ['reason-required'],
})
