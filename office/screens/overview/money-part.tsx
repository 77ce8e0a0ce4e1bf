import { useLingui } from '@lingui/react/macro'
import * as z from 'zod/mini'
import { overviewDays, type Overview } from '#contract/office/overview.ts'
import { ChartLegend, ChartTableButton } from '#ui/charts/chart.tsx'
import { Skeleton } from '#ui/feedback/empty-state.tsx'
import { useUrlState } from '#ui/navigation/url-state.ts'
import { FlowsChart } from '../../figures/flows-chart.tsx'

type FundingOverview = NonNullable<Overview['money']>

const address = z.object({ money: z.optional(z.literal('table')) })

/** Deposits and withdrawals by day, in each currency, with the sum and that of the previous period. */
export function MoneyPart({ money }: { money: FundingOverview | null | undefined }) {
  const { t } = useLingui()
  const [{ money: shown }, setAddress] = useUrlState(address)
  const asTable = shown === 'table'
  return (
    <section>
      <div className="figures-head">
        <h2>{t`Deposits and withdrawals, ${overviewDays} days`}</h2>
        <div className="row wrap">
          <ChartLegend
            entries={[
              { look: 'bar-in', name: t`in` },
              { look: 'bar-out', name: t`out` },
              { look: 'bar-net', name: t`net` },
            ]}
          />
          <ChartTableButton
            asTable={asTable}
            onChange={(table) => setAddress({ money: table ? 'table' : undefined })}
          />
        </div>
      </div>
      {money?.currencies.length === 0 && <p className="muted">{t`No deposits or withdrawals in this period.`}</p>}
      <div className="figures-currencies">
        {money
          ? money.currencies.map((one) => (
              <FlowsChart
                key={one.currency}
                of={one}
                period={money}
                before={t`previous ${overviewDays} days`}
                label={(currency, from, to) => t`Deposits and withdrawals in ${currency} by day, ${from} to ${to}`}
                asTable={asTable}
              />
            ))
          : [1, 2].map((place) => <Skeleton key={place} width="100%" height={180} />)}
      </div>
    </section>
  )
}
