import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { useLingui } from '@lingui/react/macro'

type Reason = 'reference' | 'amount' | 'name' | 'account-before'

/** What speaks for a match, and a payer of another name against it. */
export function MatchReasons({ reasons }: { reasons: readonly Reason[] }) {
  const { t } = useLingui()
  const words: Readonly<Record<Reason, string>> = {
    reference: t`reference`,
    amount: t`amount`,
    name: t`name`,
    'account-before': t`paid from this account before`,
  }
  return (
    <>
      {reasons.map((reason) => (
        <span key={reason} className="tag ok">
          <IconCheck className="small" aria-hidden="true" />
          {words[reason]}
        </span>
      ))}
      {!reasons.includes('name') && (
        <span className="tag wait">
          <IconAlertTriangle className="small" aria-hidden="true" />
          {t`payer of another name`}
        </span>
      )}
    </>
  )
}
