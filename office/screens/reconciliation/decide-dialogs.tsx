/** Decisions on a discrepancy that blocks an account: one person proposes, another confirms or rejects. */
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import {
  confirmDifference,
  getDifference,
  listDifferences,
  proposeDifference,
  rejectDifference,
} from '#contract/office/accounting.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { providerSilent, unclearDeal, type DifferenceProposal } from '#rules/differences.ts'
import { RadioCards } from '#ui/forms/radio-cards.tsx'
import { ActionDialog } from '../../records/action-dialog.tsx'

export type Difference = ResponseOf<typeof getDifference>['difference']

interface DecideProps {
  readonly difference: Difference
  readonly onClose: () => void
}

const refreshes = [listDifferences, getDifference]

/** Returns the effect of each proposal for a kind of discrepancy, on one line. */
export function useProposalLabels(
  kind: string,
): Readonly<Record<DifferenceProposal, { label: string; effect: string }>> {
  const { t } = useLingui()
  const explanations: Readonly<Record<string, { label: string; effect: string }>> = {
    [unclearDeal]: {
      label: t`Not one of our operations`,
      effect: t`No money moves. Pending deposits, withdrawals and transfers of the account are then sent. The amount of the deal is decided as a separate discrepancy.`,
    },
    [providerSilent]: {
      label: t`Do not wait for the response`,
      effect: t`No money moves. Recovery and refunds no longer wait for the response. The payment of a pending deposit is still queried, and is credited if the card provider confirms it.`,
    },
  }
  return {
    'book-correction': {
      label: t`Post as a correction`,
      effect: t`The ledger is adjusted to the platform. The amount is posted against corrections.`,
    },
    'book-result': {
      label: t`Post as trading P&L`,
      effect: t`The ledger is adjusted to the platform. The amount is posted against the account’s trading P&L.`,
    },
    reverse: {
      label: t`Reverse on the platform`,
      effect: t`The opposite amount is posted on the platform under a new reference.`,
    },
    explain: explanations[kind] ?? {
      label: t`Add explanation`,
      effect: t`No money moves. The explanation is kept with both names.`,
    },
  }
}

export function ProposeDialog({ difference, onClose }: DecideProps) {
  const { t } = useLingui()
  const words = useProposalLabels(difference.row.kind)
  const { id, version, proposals } = difference
  const [proposal, setProposal] = useState<DifferenceProposal | null>(
    proposals.length === 1 ? (proposals[0] ?? null) : null,
  )
  return (
    <ActionDialog
      endpoint={proposeDifference}
      input={(reason) => ({ id, version, proposal: proposal ?? ('' as DifferenceProposal), reason })}
      refreshes={refreshes}
      done={t`Proposed. Another person must confirm it.`}
      fields={['proposal']}
      title={<Trans>Propose a decision</Trans>}
      command={<Trans>Propose</Trans>}
      onClose={onClose}
    >
      {(errors) => (
        <RadioCards
          label={t`Decision`}
          value={proposal}
          error={errors['proposal']}
          onValue={setProposal}
          tiles={proposals.map((one) => ({ value: one, label: words[one].label, note: words[one].effect }))}
        />
      )}
    </ActionDialog>
  )
}

export function ConfirmDialog({ difference, onClose }: DecideProps) {
  const { t } = useLingui()
  const words = useProposalLabels(difference.row.kind)
  const { id, version, row } = difference
  if (row.proposal === null) return null
  const { label, effect } = words[row.proposal.proposal]
  return (
    <ActionDialog
      endpoint={confirmDifference}
      input={(note) => ({ id, version, note })}
      refreshes={refreshes}
      done={t`The decision has been confirmed.`}
      title={<Trans>Confirm: {label}</Trans>}
      command={<Trans>Confirm</Trans>}
      reason="optional"
      onClose={onClose}
    >
      <p>{effect}</p>
    </ActionDialog>
  )
}

export function RejectDialog({ difference, onClose }: DecideProps) {
  const { t } = useLingui()
  const { id, version } = difference
  return (
    <ActionDialog
      endpoint={rejectDifference}
      input={(reason) => ({ id, version, reason })}
      refreshes={refreshes}
      done={t`The proposal has been rejected. The discrepancy stays open.`}
      title={<Trans>Reject the proposal</Trans>}
      command={<Trans>Reject</Trans>}
      kind="danger"
      onClose={onClose}
    />
  )
}
