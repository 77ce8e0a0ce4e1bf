import { useLingui } from '@lingui/react/macro'
import { conversionReport, type Period } from '#contract/office/reports.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { ErrorPanel } from '#ui/feedback/error-panel.tsx'
import { FunnelTable } from '../../figures/funnel-table.tsx'
import { usePeriodLabel } from '../../figures/period-label.ts'

/** The progress of clients who began in the period, beside those of the previous period. */
export function ConversionReport({ period }: { period: Period }) {
  const { t } = useLingui()
  const periodLabel = usePeriodLabel()
  const { data, error, isFetching, refetch } = useEndpoint(conversionReport, period, { keepLast: true })
  if (error) return <ErrorPanel failure={error} onRetry={() => void refetch()} />
  return (
    <div className="report">
      <section className="sheet">
        <FunnelTable caption={t`Conversion`} rows={data?.rows ?? []} busy={isFetching} />
      </section>
      {data && <p className="muted size-13">{t`Previous period: ${periodLabel(data.before)}`}</p>}
    </div>
  )
}
