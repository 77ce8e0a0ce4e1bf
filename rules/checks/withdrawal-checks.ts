/** The checks of a withdrawal, in the order of its page (requirements 19.7 to 19.15). */
import { newBankDetailsDays } from '../constants.ts'
import { money, type Money } from '../money.ts'
import {
  available,
  balances,
  discrepancy,
  marginLevel,
  approvalOnlyChecks,
  type AccountFacts,
} from './account-checks.ts'
import {
  check,
  type Check,
  type CheckName,
  type CheckValue,
  type Fact,
  type Judgement,
  type NamedValue,
} from './check.ts'
import {
  clientStatus,
  documentsRequested,
  identityDocument,
  paymentsOnHold,
  proofOfAddress,
  screening,
  type ClientFacts,
  type IdentityFacts,
  type Severity,
} from './client-checks.ts'
import { sharedDetails, type SharedDetailFacts } from './access-checks.ts'
import { holderEntered, holderIsClient, type HolderFacts } from './name-checks.ts'

export const signInChanges = ['password', 'factor-off', 'factor-reset', 'email', 'phone'] as const
export type SignInChange = (typeof signInChanges)[number]

export interface WithdrawalFacts extends ClientFacts, IdentityFacts, AccountFacts, HolderFacts {
  /** Finance entered it for a suspended or closed client. */
  readonly isLastBalance: boolean
  /** `approvedAt` is null for bank details that are only entered: those of a last balance are approved with it. */
  readonly bank: Fact<{ readonly approvedAt: Date | null; readonly payouts: number }>
  /** The latest relevant change, or null. */
  readonly signInChange: Fact<{ readonly kind: SignInChange; readonly at: Date } | null>
  readonly signInChangeHours: number
  readonly signInChangeCounts: Severity
  readonly origins: Fact<Origins>
  readonly chargebacks: Fact<readonly OpenChargeback[]>
}

interface OpenChargeback {
  readonly id: string
  /** The payer's bank has announced it; it has not arrived. */
  readonly isAnnounced: boolean
  readonly foundAt: Date
  readonly amount: Money | null
  /** The reference of the deposit. */
  readonly reference: string
}

/** The origins of the client's deposits, less what was returned there. */
export interface Origins {
  /** From the bank account of the payout. */
  readonly here: Money
  /** A bank account by its last characters, or a payment method. */
  readonly elsewhere: readonly { readonly origin: NamedValue; readonly left: Money }[]
}

/** By how well the bank account is known: first payout or a later one. */
const bankSentences = {
  entered: { first: 'bank-entered-first', again: 'bank-entered' },
  new: { first: 'bank-new-first', again: 'bank-new' },
  known: { first: 'bank-first', again: 'bank-known' },
} as const

const newBankDetails: Check<Pick<WithdrawalFacts, 'bank' | 'now'>> = check(
  'new-bank-details',
  null,
  ({ bank }) => bank,
  ({ approvedAt, payouts }, { now }) => {
    const since = new Date(now.getTime() - newBankDetailsDays * 86_400_000)
    const isNew = approvedAt === null || approvedAt > since
    const isFirst = payouts === 0
    return {
      result: isNew || isFirst ? 'warn' : 'pass',
      sentence: bankSentences[approvedAt === null ? 'entered' : isNew ? 'new' : 'known'][isFirst ? 'first' : 'again'],
      values: { days: { count: newBankDetailsDays } },
      facts: { approved: approvedAt && { time: approvedAt }, payouts: { count: payouts } },
    }
  },
)

/** Returns until when a change of the sign-in details is relevant. */
export function changeRelevantUntil(at: Date, hours: number): Date {
  return new Date(at.getTime() + hours * 3_600_000)
}

const signInChange: Check<WithdrawalFacts> = check(
  'sign-in-change',
  'finance',
  (facts) => facts.signInChange,
  (change, { now, signInChangeHours, signInChangeCounts }): Judgement => {
    const until = change && changeRelevantUntil(change.at, signInChangeHours)
    if (!change || !until || until <= now)
      return {
        result: 'pass',
        sentence: 'no-sign-in-change',
        values: { hours: { count: signInChangeHours } },
        facts: {},
      }
    return {
      result: signInChangeCounts,
      sentence: signInChangeCounts === 'block' ? 'sign-in-changed-wait' : 'sign-in-changed',
      values: { change: { word: change.kind }, time: { time: change.at }, until: { time: until } },
      facts: { change: { word: change.kind }, changed: { time: change.at } },
    }
  },
)

/** Returns the name of the fact about an origin. */
function originKey(origin: NamedValue): string {
  return 'method' in origin ? `method ${origin.method}` : origin.text
}

const closedLoop: Check<Pick<WithdrawalFacts, 'origins' | 'amount'>> = check(
  'closed-loop',
  null,
  ({ origins }) => origins,
  ({ here, elsewhere }, { amount }) => {
    const { currency } = amount
    const nothing = money(0n, currency)
    const over = amount.minor - (here.minor > 0n ? here.minor : 0n)
    const owed = elsewhere.filter(({ left }) => left.minor > 0n)
    const sum = owed.reduce((all, { left }) => all + left.minor, 0n)
    const share = money(over <= 0n ? 0n : over < sum ? over : sum, currency)
    const facts = {
      here: { amount: here.minor > 0n ? here : nothing },
      ...Object.fromEntries(owed.map(({ origin, left }) => [originKey(origin), { amount: left }])),
    }
    if (share.minor === 0n) return { result: 'pass', sentence: 'loop-closed', facts }
    return {
      result: 'warn',
      sentence: 'loop-open',
      values: { share: { amount: share }, origin: { list: owed.map(({ origin }) => origin) } },
      facts,
    }
  },
)

function chargebackFacts({ id, isAnnounced, foundAt, amount, reference }: OpenChargeback): [string, CheckValue][] {
  return [
    [`${isAnnounced ? 'announced' : 'chargeback'} ${id}`, { time: foundAt }],
    [`chargedDeposit ${id}`, { text: reference }],
    [`chargedAmount ${id}`, amount && { amount }],
  ]
}

/** Chargebacks of the client that are open or announced. */
export const chargeback: Check<Pick<WithdrawalFacts, 'chargebacks'>> = check(
  'chargeback',
  'finance',
  ({ chargebacks }) => chargebacks,
  (open) => ({
    result: open.length > 0 ? 'block' : 'pass',
    sentence: open.length > 0 ? 'chargeback-open' : 'no-chargeback',
    values: { count: { count: open.length } },
    facts: Object.fromEntries(open.flatMap(chargebackFacts)),
  }),
)

export const withdrawalChecks: readonly Check<WithdrawalFacts>[] = [
  clientStatus,
  paymentsOnHold,
  screening,
  documentsRequested,
  signInChange,
  balances,
  available,
  marginLevel,
  discrepancy,
  chargeback,
  holderIsClient,
  newBankDetails,
  closedLoop,
  identityDocument,
  proofOfAddress,
]

/** The approval of a last balance also approves its bank account, so it includes the checks of bank details. */
export const lastBalanceChecks: readonly Check<WithdrawalFacts & SharedDetailFacts>[] = [
  ...withdrawalChecks.map((one) => (one === holderIsClient ? holderEntered : one)),
  sharedDetails,
]

/** The stages of a payout: both approvals, the debit on the platform, its batch and the batch's release. */
export const withdrawalStages = ['approve', 'confirm', 'debit', 'batch', 'release'] as const
export type WithdrawalStage = (typeof withdrawalStages)[number]

/** Returns a function that returns whether a check runs at the stage. */
export function isCheckOfStage(stage: WithdrawalStage): (name: CheckName) => boolean {
  const isApproval = stage === 'approve' || stage === 'confirm'
  return (name) => isApproval || !approvalOnlyChecks.includes(name)
}
