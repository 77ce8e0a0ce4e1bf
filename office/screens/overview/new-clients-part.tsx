import { Trans, useLingui } from '@lingui/react/macro'
import { officePaths } from '#contract/office-paths.ts'
import { funnelSteps } from '#contract/office/reports.ts'
import { overviewDays, type Overview } from '#contract/office/overview.ts'
import { Link } from '#ui/navigation/link.tsx'
import { clockTime } from '#ui/text/time.tsx'
import { FunnelTable } from '../../figures/funnel-table.tsx'
import { usePeriodLabel } from '../../figures/period-label.ts'
import { useStaff } from '../../session.ts'

type Funnel = NonNullable<Overview['newClients']>

/** How many clients who began in the period reached each step, compared with the step before. */
export function NewClientsPart({ funnel }: { funnel: Funnel | null | undefined }) {
  const { t } = useLingui()
  const period = usePeriodLabel()
  const { firm } = useStaff()
  const rows = funnelSteps.flatMap((step) => (funnel ? { step, clients: funnel[step] } : []))
  const [from, to] = [funnel?.from ?? '', funnel?.to ?? '']
  return (
    <section>
      <div className="figures-head">
        <h2>{t`New clients, ${overviewDays} days`}</h2>
        {funnel && (
          <p className="muted">
            <Link href={`${officePaths.clients}?from=${from}&to=${to}`}>{period({ from, to })}</Link>
            {funnel.readAt && (
              <>
                {' · '}
                <Trans>as of {clockTime(funnel.readAt, firm.timeZone)}</Trans>
              </>
            )}
          </p>
        )}
      </div>
      <FunnelTable caption={t`New clients`} rows={rows} />
    </section>
  )
}
