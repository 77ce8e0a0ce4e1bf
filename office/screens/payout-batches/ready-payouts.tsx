import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { payoutOverview } from '#contract/office/payout-batches.ts'
import { officePaths } from '#contract/office-paths.ts'
import { currencies } from '#rules/money.ts'
import { Money } from '#ui/money/money.tsx'
import { ButtonLink } from '#ui/forms/button.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { useMayDo } from '../../session.ts'

/** What is approved and in no batch, per currency, with the command that puts it in one. */
export function ReadyPayouts({ ready }: { ready: ResponseOf<typeof payoutOverview>['ready'] | undefined }) {
  const { t } = useLingui()
  const mayCreate = useMayDo('createPayoutBatch')
  return (
    <section className="ready-payouts" aria-label={t`Approved, not in a batch yet`}>
      <h2 className="title-3">
        <Trans>Approved, not in a batch yet</Trans>
      </h2>
      <ul aria-busy={ready ? undefined : true}>
        {currencies.map((currency) => {
          const { count, sum } = ready?.find((one) => one.currency === currency) ?? { count: 0, sum: 0n }
          if (!ready)
            return (
              <li key={currency}>
                <Skeleton width={112} />
              </li>
            )
          if (count === 0)
            return (
              <li key={currency} className="muted">
                <Trans>No {currency} withdrawals</Trans>
              </li>
            )
          return (
            <li key={currency}>
              <span>
                <b>
                  <Money amount={{ minor: sum, currency }} />
                </b>
                <span className="muted numbers">
                  <Plural value={count} one="# withdrawal" other="# withdrawals" />
                </span>
              </span>
              {mayCreate && (
                <ButtonLink href={officePaths.newPayoutBatch(currency)}>
                  <Trans>Create {currency} batch</Trans>…
                </ButtonLink>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
