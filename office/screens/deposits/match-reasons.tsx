import { IconCheck } from '@tabler/icons-react'
import { useLingui } from '@lingui/react/macro'

type Reason = 'reference' | 'amount' | 'name' | 'account-before'

/** What speaks for a match. */
export function MatchReasons({ reasons }: { reasons: readonly Reason[] }) {
  const { t } = useLingui()
  const words: Readonly<Record<Reason, string>> = {
    reference: t`reference`,
    amount: t`amount`,
    name: t`name`,
    'account-before': t`paid from this account before`,
  }
  return reasons.map((reason) => (
    <span key={reason} className="tag ok">
      <IconCheck className="small" aria-hidden="true" />
      {words[reason]}
    </span>
  ))
}
