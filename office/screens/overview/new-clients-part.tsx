import { Trans, useLingui } from '@lingui/react/macro'
import { type Overview, overviewDays } from '#contract/office/overview.ts'
import { officePaths } from '#contract/office-paths.ts'
import { funnelSteps } from '#contract/office/reports.ts'
import { Link } from '#ui/navigation/link.tsx'
import { clockTime } from '#ui/text/time.tsx'
import { FunnelTable } from '../../figures/funnel-table.tsx'
import { usePeriodLabel } from '../../figures/period-label.ts'
import { useStaff } from '../../session.ts'

type Funnel = NonNullable<Overview['newClients']>

/** How many clients who began in the period reached each step, beside the step before and the previous period. */
export function NewClientsPart({ funnel }: { funnel: Funnel | null | undefined }) {
  const { t } = useLingui()
  const period = usePeriodLabel()
  const { firm } = useStaff()
  const before = funnel?.before ?? undefined
  const rows = funnelSteps.flatMap((step) =>
    funnel ? { step, clients: funnel[step], ...(before ? { before: before[step] } : {}) } : [],
  )
  const [from, to] = [funnel?.from ?? '', funnel?.to ?? '']
  return (
    <section>
      <div className="figures-head">
        <h2>{t`New clients, ${overviewDays} days`}</h2>
        {funnel && (
          <p className="muted">
            <Link href={`${officePaths.reports}?report=conversion&from=${from}&to=${to}`}>{period({ from, to })}</Link>
            {funnel.readAt && (
              <>
                {' · '}
                <Trans>as of {clockTime(funnel.readAt, firm.timeZone)}</Trans>
              </>
            )}
          </p>
        )}
      </div>
      <FunnelTable
        caption={t`New clients`}
        rows={rows}
        period={funnel ? { from, to } : undefined}
        before={before && { from: before.from, to: before.to }}
      />
      {before && <p className="overview-note">{t`Previous period: ${period({ from: before.from, to: before.to })}`}</p>}
    </section>
  )
}
