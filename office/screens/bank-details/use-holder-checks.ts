import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { OfficeBankDetails } from '#contract/office/bank-details.ts'
import { getDecisionChecks } from '#contract/office/checks.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import type { DecisionCheck } from '#contract/office/checks.ts'
import type { Decision } from '../../decision/office-record.ts'
import { type Acknowledging, useAcknowledged } from '../../decision/use-acknowledged.ts'

export interface HolderChecks {
  /** The account holder that the approval sends; undefined until one is entered. */
  readonly holder: string | undefined
  readonly setHolder: (holder: string) => void
  readonly checks: DecisionCheck[]
  readonly acknowledging: Acknowledging
  /** What the button of the approval needs. */
  readonly of: Pick<Decision, 'words' | 'notYet'>
}

/**
 * Returns the checks of bank details with the account holder as it is being entered: the approval judges the same name.
 */
export function useHolderChecks({ id, state, decisionChecks, statementHolder }: OfficeBankDetails): HolderChecks {
  const { t } = useLingui()
  const [entered, setHolder] = useState('')
  const holder = entered || (statementHolder ?? undefined)
  const isAsked = state === 'pending' && entered !== ''
  const { data } = useEndpoint(getDecisionChecks, { kind: 'bank_details', id, holder }, { enabled: isAsked })
  const checks = isAsked ? (data?.checks ?? []) : decisionChecks
  const isRead = !isAsked || data !== undefined
  const acknowledging = useAcknowledged(checks, isRead ? (holder ?? '') : '')
  const block = checks.find(({ result, overridden }) => result === 'block' && !overridden)
  const notYet = block ? `${block.text} ${block.wayOut ?? ''}` : isRead ? undefined : t`Loading checks.`
  const of = { ...acknowledging.of, ...(notYet === undefined ? {} : { notYet }) }
  return { holder, setHolder, checks, acknowledging, of }
}
