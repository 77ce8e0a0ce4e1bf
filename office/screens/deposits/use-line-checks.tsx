import { getDecisionChecks, type DecisionCheck } from '#contract/office/checks.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { type Decision, type Acknowledging, useAcknowledged, useChecksNotYet } from '../../decision/decision.tsx'

export interface LineChecks {
  readonly checks: readonly DecisionCheck[] | undefined
  readonly acknowledging: Acknowledging
  /** Properties for the decision. */
  readonly of: Pick<Decision, 'words' | 'notYet'>
}

/** Returns the checks of a bank transaction matched to a client's deposit; without a client, those of its return. */
export function useLineChecks(lineId: string, client: string | undefined, isAsked = true): LineChecks {
  const { data, error } = useEndpoint(
    getDecisionChecks,
    { kind: 'bank_line', id: lineId, client },
    { enabled: isAsked },
  )
  const checks = data?.checks
  const acknowledging = useAcknowledged(checks ?? [], checks ? `${lineId} ${client ?? ''}` : '')
  const notYet = useChecksNotYet(checks, error)
  return { checks, acknowledging, of: { ...acknowledging.of, ...(notYet === undefined ? {} : { notYet }) } }
}
