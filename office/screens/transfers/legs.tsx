import { Trans, useLingui } from '@lingui/react/macro'
import type { OfficeTransfer } from '#contract/office/transfers.ts'
import { Alert } from '#ui/feedback/alert.tsx'

/** Shows what the platform was asked, leg by leg; what it has not confirmed is never called failed. */
export function Legs({ legs, state }: Pick<OfficeTransfer, 'legs' | 'state'>) {
  const { t } = useLingui()
  if (legs.length === 0) return null
  const names = {
    withdraw: t`Debit of the source`,
    deposit: t`Credit of the destination`,
    compensate: t`Debit reversed`,
  }
  const word = (leg: OfficeTransfer['legs'][number]) =>
    leg.state === 'done'
      ? t`done, ticket ${leg.ticket ?? '–'}`
      : leg.state === 'rejected'
        ? t`rejected`
        : t`not confirmed yet`
  return (
    <Alert
      kind={state === 'processing' ? 'run' : 'plain'}
      title={
        state === 'processing' ? (
          <Trans>Sent to the platform. Awaiting confirmation.</Trans>
        ) : (
          <Trans>Platform response</Trans>
        )
      }
    >
      <ul className="transfer-legs">
        {legs.map((leg) => (
          <li key={leg.ref}>
            {names[leg.leg]}: {word(leg)} <span className="muted numbers">{leg.ref}</span>
            {leg.lastError && <p className="muted">{leg.lastError}</p>}
          </li>
        ))}
      </ul>
    </Alert>
  )
}
