import { useLingui } from '@lingui/react/macro'
import type { RecoveryAction, RecoveryItemKind, RecoveryItemState } from '#rules/recovery-items.ts'

/** Findings, states and legs of recovered deals in the reader's language. */
export function useDealWords() {
  const { t } = useLingui()
  const kinds: Readonly<Record<RecoveryItemKind, string>> = {
    'decision-lost': t`Decision of staff lost`,
    'request-lost': t`Request lost`,
    mismatch: t`Amount or account differs`,
    'account-unknown': t`Account unknown`,
    'checkout-lost': t`Card payment without a request`,
  }
  const states: Readonly<Record<RecoveryItemState, string>> = {
    open: t`Open`,
    proposed: t`Awaiting confirmation`,
    settled: t`Settled`,
  }
  const legs: Readonly<Record<string, string>> = {
    'withdrawal-debit': t`Withdrawal, debit`,
    'withdrawal-return': t`Withdrawal, returned`,
    'withdrawal-reversal': t`Withdrawal, reversed`,
    'transfer-withdraw': t`Transfer, debit`,
    'transfer-deposit': t`Transfer, credit`,
    'transfer-compensate': t`Transfer, returned to the source account`,
    'deposit-credit': t`Deposit, credit`,
    correction: t`Correction`,
    'demo-balance': t`Demo balance`,
    checkout: t`Card payment`,
  }
  return {
    kind: (kind: RecoveryItemKind) => kinds[kind],
    action: (action: RecoveryAction) => ({ adopt: t`Adopt`, reverse: t`Reverse` })[action],
    state: (state: RecoveryItemState) => states[state],
    /** What two people decided about a payment. */
    payment: (action: RecoveryAction) => ({ adopt: t`Credit to the account`, reverse: t`Refund` })[action],
    /** What the time of a finding is. */
    moment: (kind: RecoveryItemKind) => (kind === 'checkout-lost' ? t`Found` : t`Deal time`),
    leg: (leg: string) => legs[leg] ?? leg,
  }
}
