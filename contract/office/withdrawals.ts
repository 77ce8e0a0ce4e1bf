/** Withdrawals for staff: four eyes, payout lists, paid and returned. Design section 6. */
import * as z from 'zod/mini'
import { doers, readers } from '#rules/permissions.ts'
import { withdrawalLife } from '#rules/withdrawals.ts'
import { endpoint } from '../endpoint.ts'
import { body, choice, currency, figure, seconds } from '../fields.ts'
import { acknowledged, checkProblems, decisionCheck } from './checks.ts'
import {
  clientBrief,
  clientReason,
  decided,
  decision,
  moneyFact,
  nextCursor,
  note,
  operation,
  recordFields,
  recordParams,
  root,
  rowFields,
  staffBrief,
  version,
} from './decisions.ts'
import { listPeriod, listQuery, sortedBy, stateOrAll } from './lists.ts'

const state = choice(withdrawalLife.states)

export const withdrawalListRow = z.object({
  ...rowFields,
  state,
  reference: z.string(),
  accountNumber: z.string(),
  amount: figure,
  currency,
  bankEnding: z.string(),
  firstApprovedBy: z.nullable(staffBrief),
})

export const listOfficeWithdrawals = endpoint({
  name: 'listOfficeWithdrawals',
  method: 'GET',
  path: `${root}/withdrawals`,
  summary: 'Withdrawals by state, what waits first.',
  who: readers.withdrawals,
  query: z.strictObject({
    ...listQuery,
    ...listPeriod,
    ...sortedBy('createdAt', 'amount'),
    state: stateOrAll(withdrawalLife.states),
    currency: z.optional(currency),
  }),
  answer: z.object({ rows: z.array(withdrawalListRow), next: nextCursor }),
})

const approval = z.nullable(z.object({ by: staffBrief, at: seconds, note: z.string() }))

export const officeWithdrawal = z.object({
  ...recordFields,
  decisionChecks: z.array(decisionCheck),
  state,
  reference: z.string(),
  client: clientBrief,
  amount: figure,
  fee: figure,
  arrives: figure,
  currency,
  method: z.string(),
  account: z.object({ id: z.string(), number: z.string(), platform: z.string(), clientStatus: z.string() }),
  bank: z.object({
    id: z.string(),
    holder: z.string(),
    bankName: z.string(),
    bankCountry: z.string(),
    iban: z.nullable(z.string()),
    swift: z.nullable(z.string()),
    accountNumber: z.nullable(z.string()),
    sortCode: z.nullable(z.string()),
    approvedAt: z.nullable(seconds),
    usedForPayouts: z.int(),
    depositedFrom: z.nullable(figure),
  }),
  /** Runs balance, set aside, floating result, margin, and ends at the platform's free margin. */
  money: z.object({
    balance: moneyFact,
    ledger: moneyFact,
    agrees: z.boolean(),
    setAsideHere: moneyFact,
    setAsideElsewhere: moneyFact,
    floating: z.nullable(moneyFact),
    margin: moneyFact,
    openPositions: z.int(),
    freeMargin: moneyFact,
    freeAfter: moneyFact,
  }),
  fourEyes: z.object({ threshold: figure, sumToBank: figure, needed: z.boolean() }),
  firstApproval: approval,
  secondApproval: approval,
  paidAt: z.nullable(seconds),
  paidBy: z.nullable(staffBrief),
  payoutFile: z.nullable(z.string()),
  operation,
})

export const getOfficeWithdrawal = endpoint({
  name: 'getOfficeWithdrawal',
  method: 'GET',
  path: `${root}/withdrawals/:id`,
  summary: 'One withdrawal with all that its decision needs.',
  who: readers.withdrawals,
  params: recordParams,
  answer: z.object({ withdrawal: officeWithdrawal }),
  problems: ['not-found'],
})

const area = 'withdrawals'

export const approveWithdrawal = decision({
  name: 'approveWithdrawal',
  area,
  life: withdrawalLife,
  verb: 'approve',
  summary: 'First approval: to the platform, or to a second person at or over the threshold.',
  body: { note, acknowledged },
  problems: [...checkProblems],
})
export const confirmWithdrawal = decision({
  name: 'confirmWithdrawal',
  area,
  life: withdrawalLife,
  verb: 'confirm',
  summary: 'Second approval, never by the first approver.',
  body: { note, acknowledged },
  problems: ['own-approval', ...checkProblems],
})
export const rejectWithdrawal = decision({
  name: 'rejectWithdrawal',
  area,
  life: withdrawalLife,
  verb: 'reject',
  summary: 'Refuses the withdrawal with a reason that the client reads; what was set aside is free again.',
  body: { reason: clientReason },
  problems: ['reason-required'],
})
export const payWithdrawal = decision({
  name: 'payWithdrawal',
  area,
  life: withdrawalLife,
  verb: 'pay',
  summary: 'Marks the withdrawal as paid by the bank.',
  body: { note },
})
export const returnWithdrawal = decision({
  name: 'returnWithdrawal',
  area,
  life: withdrawalLife,
  verb: 'return',
  summary: 'The bank sent the money back: it is credited to the account again.',
  body: { reason: clientReason },
  problems: ['reason-required'],
})

export const payWithdrawals = endpoint({
  name: 'payWithdrawals',
  method: 'POST',
  path: `${root}/withdrawals/pay`,
  summary: 'Marks several withdrawals as paid, each by its version.',
  who: doers.makePayoutList,
  stopsWith: ['payouts'],
  body: body({
    withdrawals: z
      .array(body({ id: z.string('required').check(z.minLength(1, 'required'), z.maxLength(64, 'invalid')), version }))
      .check(z.minLength(1, 'required'), z.maxLength(500, 'invalid')),
  }),
  answer: z.object({
    results: z.array(
      z.object({
        id: z.string(),
        decided: z.nullable(decided),
        refusal: z.nullable(z.object({ code: z.string(), text: z.string() })),
      }),
    ),
  }),
})

export const payoutList = endpoint({
  name: 'payoutList',
  method: 'GET',
  path: `${root}/payouts/:currency`,
  summary: 'What is approved and waits for the bank, in one currency, with its sum.',
  who: doers.makePayoutList,
  params: z.object({ currency }),
  answer: z.object({
    rows: z.array(
      z.object({
        id: z.string(),
        version: z.int(),
        reference: z.string(),
        client: clientBrief,
        holder: z.string(),
        bankName: z.string(),
        iban: z.nullable(z.string()),
        swift: z.nullable(z.string()),
        accountNumber: z.nullable(z.string()),
        sortCode: z.nullable(z.string()),
        amount: figure,
        approvedAt: seconds,
        payoutFile: z.nullable(z.string()),
      }),
    ),
    count: z.int(),
    sum: figure,
    currency,
  }),
})

export const makePayoutFile = endpoint({
  name: 'makePayoutFile',
  method: 'POST',
  path: `${root}/payouts/:currency/file`,
  summary: 'Makes a payout file of the approved withdrawals that stand in none yet; each stands in one file only.',
  who: doers.makePayoutList,
  params: z.object({ currency }),
  status: 201,
  answer: z.object({ id: z.string(), name: z.string(), count: z.int(), sum: figure, currency }),
  problems: ['nothing-to-pay'],
  freshProof: true,
  stopsWith: ['payouts'],
})

export const payoutFile = endpoint({
  name: 'payoutFile',
  method: 'GET',
  path: `${root}/payout-files/:id`,
  summary: 'A payout file as CSV.',
  who: doers.makePayoutList,
  stopsWith: ['payouts'],
  params: recordParams,
  gives: 'text/csv',
  problems: ['not-found'],
  freshProof: true,
})
