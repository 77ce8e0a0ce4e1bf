/** Labels of a record's states. */
import { clientStatusLabels } from '#contract/office/role-labels.ts'
import { stateLabels } from '#contract/office/state-labels.ts'
import { statusKey } from '#contract/status-labels.ts'
import { useLabels } from '#ui/i18n/labels.ts'
import { codeAsText } from './work-item-labels.ts'

const valueLabels = { ...stateLabels, ...clientStatusLabels }

/**
 * Returns a function that returns the label of any record's state: requests, files, bank transactions, discrepancies,
 * operations, staff.
 */
export function useStateLabel(): (record: string, state: string) => string {
  const label = useLabels(valueLabels, codeAsText)
  return (record, state) => label(statusKey(valueLabels, record, state))
}
