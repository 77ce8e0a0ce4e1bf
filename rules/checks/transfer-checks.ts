/** The checks of a transfer between own accounts (requirements 19.7 to 19.12). */
import { isLessThan, type Money } from '../money.ts'
import { available, balances, discrepancy, marginLevel, type AccountFacts } from './account-checks.ts'
import type { Check } from './check.ts'
import { clientStatus, documentsRequested, paymentsOnHold, type ClientFacts } from './client-checks.ts'

export interface TransferFacts extends Omit<ClientFacts, 'sanctionFlag'>, AccountFacts {
  /** The firm's threshold in the transfer's currency, from which requested documents are required. */
  readonly threshold: Money
}

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
  discrepancy,
]
