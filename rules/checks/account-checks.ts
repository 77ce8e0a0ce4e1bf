/** Checks of the trading account that money is withdrawn from (requirements 19.12). */
import { decisionSnapshotSecondsMax } from '../constants.ts'
import { isLessThan, money, minMoney, subtract, type Money } from '../money.ts'
import { check, type Check, type CheckName, type Fact, type Judgement } from './check.ts'

export interface AccountBalances {
  readonly balance: Money
  readonly equity: Money | null
  readonly margin: Money | null
  readonly freeMargin: Money | null
  readonly readAt: Date
}

export interface OpenDiscrepancy {
  readonly id: string
  readonly kind: string
  readonly foundAt: Date
}

export interface AccountFacts {
  readonly now: Date
  readonly balances: Fact<AccountBalances>
  /** The request's amount. */
  readonly amount: Money
  /** All open reservations of the account, including this request's. */
  readonly reserved: Money
  /** In per cent; 0 if the firm requires none. */
  readonly marginLevelMin: number
  readonly discrepancies: Fact<{
    readonly open: readonly OpenDiscrepancy[]
    /** Whether the ledger agrees with the platform's balances; null before a reading. */
    readonly agree: boolean | null
  }>
}

const aheadMsMax = 60_000

/** Returns whether balances are current at the decision: at most a minute old, and not from a clock that was ahead. */
export function areBalancesFresh(readAt: Date, now: Date): boolean {
  const age = now.getTime() - readAt.getTime()
  return age <= decisionSnapshotSecondsMax * 1000 && age >= -aheadMsMax
}

export const balances: Check<Pick<AccountFacts, 'balances' | 'now'>> = check(
  'balances',
  null,
  (facts) => facts.balances,
  ({ readAt }, { now }) => ({
    result: areBalancesFresh(readAt, now) ? 'pass' : 'block',
    sentence: areBalancesFresh(readAt, now) ? 'balances-current' : 'balances-old',
    values: { time: { time: readAt } },
    facts: { read: { time: readAt } },
  }),
)

export const available: Check<Pick<AccountFacts, 'balances' | 'amount' | 'reserved'>> = check(
  'available',
  null,
  (facts) => facts.balances,
  ({ balance, freeMargin }, { amount, reserved }) => {
    const free = freeMargin ? minMoney(balance, freeMargin) : balance
    const rest = subtract(free, reserved)
    const isEnough = !isLessThan(rest, money(0n, rest.currency))
    const here = money(rest.minor + amount.minor, rest.currency)
    return {
      result: isEnough ? 'pass' : 'block',
      sentence: isEnough ? 'available-enough' : 'available-short',
      values: { available: { amount: here }, rest: { amount: rest } },
      facts: { free: { amount: free }, reserved: { amount: reserved }, after: { amount: rest } },
    }
  },
)

export const marginLevel: Check<Pick<AccountFacts, 'balances' | 'amount' | 'marginLevelMin'>> = check(
  'margin-level',
  null,
  (facts) => facts.balances,
  ({ equity, margin }, { amount, marginLevelMin }): Judgement => {
    if (marginLevelMin === 0) return { result: 'pass', sentence: 'margin-level-off', facts: {} }
    if (equity === null || margin === null || margin.minor <= 0n)
      return { result: 'pass', sentence: 'no-margin-used', facts: {} }
    const level = Number(((equity.minor - amount.minor) * 100n) / margin.minor)
    const isLow = level < marginLevelMin
    return {
      result: isLow ? 'warn' : 'pass',
      sentence: isLow ? 'margin-level-low' : 'margin-level-enough',
      values: { level: { count: level }, least: { count: marginLevelMin } },
      facts: { equity: { amount: equity }, margin: { amount: margin }, level: { count: level } },
    }
  },
)

/** Only recovery settles these: a verified reference without a record. */
const kindsSettledByRecovery: readonly string[] = ['unknown-reference']

/** A second person in finance can override it, except for what recovery settles. */
export const discrepancy: Check<Pick<AccountFacts, 'discrepancies'>> = check(
  'discrepancy',
  'finance',
  ({ discrepancies }) => discrepancies,
  ({ open, agree }) => {
    const isRecovery = open.some(({ kind }) => kindsSettledByRecovery.includes(kind))
    return {
      result: open.length > 0 || agree === false ? 'block' : 'pass',
      sentence: isRecovery
        ? 'reference-unknown'
        : open.length > 0
          ? 'discrepancy-open'
          : agree === false
            ? 'ledger-differs'
            : 'ledger-agrees',
      values: { count: { count: open.length } },
      facts: Object.fromEntries(open.map(({ id, foundAt }) => [`discrepancy ${id}`, { time: foundAt }])),
      final: isRecovery,
    }
  },
)

/** The checks of a correction, which may not change an account with an unexplained discrepancy. */
export const correctionChecks: readonly Check<Pick<AccountFacts, 'discrepancies'>>[] = [discrepancy]

/**
 * Checks that are only run at an approval: the platform checks the margin itself, after the debit the money is ours to
 * pay, and an approved transfer is made at its rate.
 */
export const approvalOnlyChecks: readonly CheckName[] = ['balances', 'available', 'margin-level', 'exchange-rate']
