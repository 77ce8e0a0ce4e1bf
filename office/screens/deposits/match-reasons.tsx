import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { money, type Currency } from '#rules/money.ts'
import { Money } from '#ui/money/money.tsx'

type Reason = 'reference' | 'amount' | 'name' | 'account-before'

interface MatchReasonsProps {
  reasons: readonly Reason[]
  /** The received amount minus the announced one. */
  difference: bigint
  currency: Currency
}

/** The evidence for a match, and against it a different payer or amount. */
export function MatchReasons({ reasons, difference, currency }: MatchReasonsProps) {
  const { t } = useLingui()
  const words: Readonly<Record<Reason, string>> = {
    reference: t`reference`,
    amount: t`amount`,
    name: t`name`,
    'account-before': t`previously paid from this account`,
  }
  return (
    <span className="match-reasons">
      {reasons.map((reason) => (
        <span key={reason} className="tag ok">
          <IconCheck className="small" aria-hidden="true" />
          {words[reason]}
        </span>
      ))}
      {!reasons.includes('name') && (
        <span className="tag wait">
          <IconAlertTriangle className="small" aria-hidden="true" />
          {t`different payer name`}
        </span>
      )}
      {difference !== 0n && (
        <span className="tag wait">
          <Trans>
            differs by <Money amount={money(difference, currency)} />
          </Trans>
        </span>
      )}
    </span>
  )
}
