/** The labels of the contract (states, types, roles) in the reader's language. */
import { useLingui } from '@lingui/react'
import type { Labels } from '#contract/message.ts'

/**
 * Returns a function for labels, as in `const label = useLabels(stateLabels)`. A code without a label is passed to
 * `otherwise`, or returned unchanged.
 */
export function useLabels(labels: Labels, otherwise?: (code: string) => string): (code: string) => string {
  const { i18n } = useLingui()
  return (code) => {
    const label = Object.hasOwn(labels, code) ? labels[code] : undefined
    return label ? i18n._(label) : (otherwise?.(code) ?? code)
  }
}
