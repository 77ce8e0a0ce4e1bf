/** The labels of the contract (states, types, roles) in the reader's language. */
import { useLingui } from '@lingui/react'
import type { Labels } from '#contract/message.ts'

/** `const label = useLabels(stateLabels)`: the label of a code; a code without one as `otherwise` says, else as it stands. */
export function useLabels(labels: Labels, otherwise?: (code: string) => string): (code: string) => string {
  const { i18n } = useLingui()
  return (code) => {
    const label = Object.hasOwn(labels, code) ? labels[code] : undefined
    return label ? i18n._(label) : (otherwise?.(code) ?? code)
  }
}
