import { useLingui } from '@lingui/react/macro'

/** Returns why a file cannot be shown: the scanner has not passed it; undefined if it has. */
export function useMaskedReason(): (state: 'clean' | 'quarantined' | 'infected') => string | undefined {
  const { t } = useLingui()
  const reasons = {
    clean: undefined,
    quarantined: t`This file is being scanned for viruses. You can view it after the scan.`,
    infected: t`The scanner found a virus in this file. You cannot view it.`,
  }
  return (state) => reasons[state]
}
