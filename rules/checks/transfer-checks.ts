/** The checks of a transfer between own accounts (requirements 19.7 to 19.12). */
import { isLessThan, type Money } from '../money.ts'
import { available, balances, discrepancy, marginLevel, type AccountFacts } from './account-checks.ts'
import { areRatesCurrent, type RateAge } from '../transfers.ts'
import { check, type Check, type Fact, type Judgement } from './check.ts'
import { clientStatus, documentsRequested, paymentsOnHold, type ClientFacts } from './client-checks.ts'

export interface TransferFacts extends Omit<ClientFacts, 'sanctionFlag'>, AccountFacts {
  /** The firm's threshold in the transfer's currency, from which requested documents are required. */
  readonly threshold: Money
  /** The time of the rate that the client accepted, and for how many days rates are used; null in one currency. */
  readonly rate: Fact<RateAge | null>
}

/** A rate becomes too old while the request waits. Only the request and the approval depend on it. */
const exchangeRate: Check<Pick<TransferFacts, 'rate' | 'now'>> = check(
  'exchange-rate',
  'finance',
  ({ rate }) => rate,
  (rate, { now }): Judgement => {
    if (rate === null) return { result: 'pass', sentence: 'one-currency', facts: {} }
    const isCurrent = areRatesCurrent(rate, now)
    const time = rate.asOf === null ? null : { time: new Date(rate.asOf) }
    return {
      result: isCurrent ? 'pass' : 'block',
      sentence: time === null ? 'rate-undated' : isCurrent ? 'rate-current' : 'rate-old',
      values: { time, days: { count: rate.maxAgeDays } },
      facts: { rateTime: time },
    }
  },
)

const documents: Check<TransferFacts> = {
  ...documentsRequested,
  judge(facts) {
    const judged = documentsRequested.judge(facts)
    if (judged.sentence !== 'documents-open' || !isLessThan(facts.amount, facts.threshold)) return judged
    return {
      ...judged,
      result: 'pass',
      sentence: 'documents-open-small',
      values: { ...judged.values, threshold: { amount: facts.threshold } },
    }
  },
}

export const transferChecks: readonly Check<TransferFacts>[] = [
  clientStatus,
  paymentsOnHold,
  documents,
  balances,
  available,
  marginLevel,
  exchangeRate,
  discrepancy,
]
