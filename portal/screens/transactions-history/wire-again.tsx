import { Trans } from '@lingui/react/macro'
import { getWireDetails } from '#contract/deposits.ts'
import { money } from '#rules/money.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { ErrorPanel } from '#ui/feedback/error-panel.tsx'
import { WireDetailsCard } from '../deposit-funds/wire-details-card.tsx'

/** Where to send an announced deposit, as its confirmation showed it. */
export function WireAgain({ id }: { id: string }) {
  const { data, error, refetch } = useEndpoint(getWireDetails, { id })
  return (
    <section className="record-part">
      <h3>
        <Trans>Bank details for your payment</Trans>
      </h3>
      {error && <ErrorPanel failure={error} onRetry={() => void refetch()} />}
      {data && (
        <WireDetailsCard
          id={id}
          details={data.bankDetails}
          amount={money(data.amount, data.currency)}
          expiresAt={data.expiresAt}
        />
      )}
    </section>
  )
}
