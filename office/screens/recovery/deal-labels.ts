import { useLingui } from '@lingui/react/macro'
import { findingLabels } from '#contract/office/finding-labels.ts'
import { stateLabels } from '#contract/office/state-labels.ts'
import type { RecoveryAction, RecoveryItemKind, RecoveryItemState } from '#rules/recovery-items.ts'
import { useLabels } from '#ui/i18n/labels.ts'
import { useEntryLabel } from '../reconciliation/fact-labels.tsx'

/** The platform's name; only accounts on a platform have one. */
export const platformName = (platform: string) => (platform === 'card' || platform === 'bank' ? '' : platform)

/** Returns labels of findings, states and legs of recovered deals. */
export function useDealLabels() {
  const { t } = useLingui()
  const kind = useLabels(findingLabels)
  const state = useLabels(stateLabels)
  const entry = useEntryLabel()
  const legs: Readonly<Record<string, string>> = {
    checkout: t`Card payment`,
    'bank-line': t`Deposit, bank transaction`,
  }
  const titles: Partial<Readonly<Record<RecoveryItemKind, string>>> = {
    'checkout-lost': t`Recovered payment`,
    'line-missing': t`Bank transaction of a recovered deposit`,
    'account-found': t`Account without a record`,
  }
  const moments: Partial<Readonly<Record<RecoveryItemKind, string>>> = {
    'checkout-lost': t`Found`,
    'line-missing': t`Found`,
    'account-found': t`Found`,
  }
  return {
    kind: (code: RecoveryItemKind) => kind(code),
    /** The label of a decision on a finding of this kind. */
    action: (action: RecoveryAction, kind: RecoveryItemKind) => {
      if (kind === 'checkout-lost') return action === 'adopt' ? t`Credit to the account` : t`Refund`
      if (kind === 'account-found') return action === 'adopt' ? t`Link to the client` : t`Keep disabled`
      if (kind === 'line-missing') return t`Match bank transaction`
      return action === 'adopt' ? t`Adopt` : t`Reverse`
    },
    /** The title of an open finding. */
    title: (kind: RecoveryItemKind) => titles[kind] ?? t`Recovered deal`,
    state: (code: RecoveryItemState) => state(code),
    /** The label of a finding's time. */
    moment: (kind: RecoveryItemKind) => moments[kind] ?? t`Deal time`,
    leg: (leg: string) => legs[leg] ?? entry(leg),
  }
}
