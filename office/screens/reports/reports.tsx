import { IconDownload } from '@tabler/icons-react'
import { useLingui } from '@lingui/react/macro'
import * as z from 'zod/mini'
import { reportCsv } from '#contract/office/records.ts'
import { officePaths } from '#contract/office-paths.ts'
import { dayIn, daysAfter, isoDay } from '#rules/dates.ts'
import { dateInUrl, useUrlState } from '#ui/navigation/url-state.ts'
import { Button } from '#ui/forms/button.tsx'
import { DateRange } from '#ui/forms/date-range.tsx'
import { OfficePage } from '#ui/layout/office-page.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Tabs } from '#ui/data/tabs.tsx'
import { useCsv } from '../../records/save-csv.ts'
import { useStaff } from '../../session.ts'
import { ApprovalsReport } from './approvals-report.tsx'
import { DecisionTimesReport } from './decision-times-report.tsx'
import { FundingReport } from './funding-report.tsx'
import { OverridesReport } from './overrides-report.tsx'
import './reports.css'

const address = z.object({
  report: z._default(z.enum(['funding', 'decision-times', 'approvals', 'overrides']), 'funding'),
  from: z.optional(dateInUrl),
  to: z.optional(dateInUrl),
})

const firstDays = 30

/** Table first, chart beside it, for a period that the address holds. */
export default function Reports() {
  const { t } = useLingui()
  const [{ report, from, to }, setAddress] = useUrlState(address)
  const { timeZone } = useStaff().firm
  const period = { from: from ?? dayAgo(firstDays, timeZone), to: to ?? dayAgo(0, timeZone) }
  const csv = useCsv(`${reportCsv.path.replace(':report', report)}?${new URLSearchParams(period)}`, `${report}.csv`)
  const names = {
    funding: t`Deposits and withdrawals`,
    'decision-times': t`Turnaround`,
    approvals: t`Decisions by person`,
    overrides: t`Overrides`,
  }
  const tab = (one: keyof typeof names) => ({
    href: `${officePaths.reports}?${new URLSearchParams({ report: one, ...period })}`,
    label: names[one],
    current: one === report,
  })
  return (
    <OfficePage>
      <PageHeader
        title={t`Reports`}
        action={
          <Button
            icon={<IconDownload className="small" aria-hidden="true" />}
            pending={csv.isPending}
            onClick={csv.save}
          >
            CSV
          </Button>
        }
      />
      <div className="stack">
        <Tabs label={t`Reports`} tabs={[tab('funding'), tab('decision-times'), tab('approvals'), tab('overrides')]} />
        <DateRange {...period} required label={t`Days`} onDays={(days) => setAddress(days)} />
      </div>
      {report === 'funding' && <FundingReport period={period} />}
      {report === 'decision-times' && <DecisionTimesReport period={period} />}
      {report === 'overrides' && <OverridesReport period={period} />}
      {report === 'approvals' && <ApprovalsReport period={period} />}
    </OfficePage>
  )
}

/** Returns a day of the firm's calendar. */
function dayAgo(days: number, timeZone: string): string {
  return isoDay(daysAfter(dayIn(new Date(), timeZone), -days))
}
