import { IconDownload } from '@tabler/icons-react'
import { useLingui, Trans } from '@lingui/react/macro'
import { useEffect } from 'react'
import * as z from 'zod/mini'
import {
  approvalsReport,
  listReports,
  overridesReport,
  type Period,
  reportCsv,
  reportLabels,
  reportNames,
  reportSteps,
} from '#contract/office/reports.ts'
import { officePaths, pathOfWorkItem } from '#contract/office-paths.ts'
import { dayIn, daysAfter, isoDay } from '#rules/dates.ts'
import { dateInUrl, useUrlState } from '#ui/navigation/url-state.ts'
import { Button } from '#ui/forms/button.tsx'
import { DateRange } from '#ui/forms/date-range.tsx'
import { OfficePage } from '#ui/layout/office-page.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Tabs } from '#ui/data/tabs.tsx'
import { useLabels } from '#ui/i18n/labels.ts'
import { useCsv } from '../../records/save-csv.ts'
import { useStaff } from '../../session.ts'
import { ConversionReport } from './conversion-report.tsx'
import { DecisionTimesReport } from './decision-times-report.tsx'
import { FundingReport } from './funding-report.tsx'
import { workItemKinds } from '#rules/work-items.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { ErrorPanel } from '#ui/feedback/error-panel.tsx'
import { Link } from '#ui/navigation/link.tsx'
import { Table } from '#ui/data/table.tsx'
import { Time } from '#ui/text/time.tsx'
import { UserText } from '#ui/text/user-text.tsx'
import { useRecordLabel } from '../../records/work-item-labels.ts'
import { Bars } from './bars.tsx'
import { ReportFigure } from './report-figure.tsx'
import './reports.css'

const address = z.object({
  report: z._default(z.enum(reportNames), 'funding'),
  from: z.optional(dateInUrl),
  to: z.optional(dateInUrl),
  by: z._default(z.enum(reportSteps), 'day'),
  show: z.optional(z.literal('table')),
})

const firstDays = 30

/** Pictures with their figures, for a period and a choice that the address holds: a link shows the same again. */
export default function Reports() {
  const { t } = useLingui()
  const [{ report, from, to, by, show }, setAddress] = useUrlState(address)
  const { timeZone } = useStaff().firm
  const label = useLabels(reportLabels)
  const period = { from: from ?? dayAgo(firstDays - 1, timeZone), to: to ?? dayAgo(0, timeZone) }
  const { data } = useEndpoint(listReports, {})
  const chosen = { ...period, by, ...(show && { show }) }
  const isWritten = from !== undefined && to !== undefined
  useEffect(() => {
    if (!isWritten) setAddress({ report, ...period })
  })
  const asked = new URLSearchParams({ ...period, ...(report === 'funding' && { by }) })
  const csv = useCsv(`${reportCsv.path.replace(':report', report)}?${asked}`, `${report}.csv`)
  const tabs = (data?.reports ?? reportNames.filter((name) => name !== 'approvals')).map((name) => ({
    href: `${officePaths.reports}?${new URLSearchParams({ report: name, ...chosen })}`,
    label: label(name),
    current: name === report,
  }))
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
        <Tabs label={t`Reports`} tabs={tabs} />
        <DateRange {...period} required label={t`Days`} onDays={(days) => setAddress(days)} />
      </div>
      {report === 'funding' && (
        <FundingReport
          period={period}
          choice={{
            by,
            asTable: show === 'table',
            onBy: (step) => setAddress({ by: step }),
            onTable: (asTable) => setAddress({ show: asTable ? 'table' : undefined }),
          }}
        />
      )}
      {report === 'decision-times' && <DecisionTimesReport period={period} />}
      {report === 'conversion' && <ConversionReport period={period} />}
      {report === 'overrides' && <OverridesReport period={period} />}
      {report === 'approvals' && <ApprovalsReport period={period} />}
    </OfficePage>
  )
}

/** Returns a day of the firm's calendar. */
function dayAgo(days: number, timeZone: string): string {
  return isoDay(daysAfter(dayIn(new Date(), timeZone), -days))
}

/** Shows which blocks were overridden, by whom, and why. */
function OverridesReport({ period }: { period: Period }) {
  const { t } = useLingui()
  const word = useRecordLabel()
  const { data, error, isFetching, refetch } = useEndpoint(overridesReport, period, { keepLast: true })
  const instead = error ? (
    <ErrorPanel failure={error} onRetry={() => void refetch()} />
  ) : data?.rows.length === 0 ? (
    <EmptyState level="h2" title={<Trans>No overrides in this period</Trans>} />
  ) : undefined
  const checks = Map.groupBy(data?.rows ?? [], ({ check }) => check)
  return (
    <div className="report report-beside">
      <section className="sheet">
        <Table
          caption={t`Overrides`}
          rows={data?.rows ?? []}
          rowKey={(row) => row.id}
          busy={isFetching}
          instead={instead}
          columns={[
            { key: 'at', head: t`Time`, phone: 'time', cell: (row) => <Time at={row.at} /> },
            { key: 'staff', head: t`Person`, phone: 'figure', cell: (row) => row.staff.name },
            {
              key: 'record',
              head: t`Payment request`,
              phone: 'title',
              cell: (row) => {
                const kind = workItemKinds.find((one) => one === row.kind)
                const name = `${word(row.kind)} ${row.reference ?? ''}`.trim()
                return (
                  <>
                    {kind ? <Link href={pathOfWorkItem(kind, row.record)}>{name}</Link> : name}
                    <span className="report-reason muted">
                      <UserText>{row.reason}</UserText>
                    </span>
                  </>
                )
              },
            },
            { key: 'check', head: t`Overridden block`, phone: 'status', cell: (row) => row.check },
            { key: 'reason', head: t`Reason`, cell: (row) => <UserText>{row.reason}</UserText> },
          ]}
        />
      </section>
      {checks.size > 0 && (
        <Bars
          title={t`Overrides by block`}
          bars={[...checks].map(([check, { length }]) => ({
            key: check,
            label: check,
            value: length,
            text: String(length),
            tone: 'plain',
          }))}
        />
      )}
    </div>
  )
}

/** Shows who decided how often, and how. */
function ApprovalsReport({ period }: { period: Period }) {
  const { t } = useLingui()
  const word = useRecordLabel()
  const { data, error, isFetching, refetch } = useEndpoint(approvalsReport, period, { keepLast: true })
  const instead = error ? (
    <ErrorPanel failure={error} onRetry={() => void refetch()} />
  ) : data?.rows.length === 0 ? (
    <EmptyState level="h2" title={<Trans>No decisions in this period</Trans>} />
  ) : undefined
  const sum = (of: 'approved' | 'rejected' | 'other') => data?.rows.reduce((all, row) => all + row[of], 0) ?? 0
  const bar = (key: 'approved' | 'rejected' | 'other', label: string, tone: 'ok' | 'bad' | 'plain') => ({
    key,
    label,
    value: sum(key),
    text: String(sum(key)),
    tone,
  })
  return (
    <div className="report report-beside">
      <section className="sheet">
        <Table
          caption={t`Decisions by person`}
          rows={data?.rows ?? []}
          rowKey={(row) => `${row.staff.id} ${row.kind}`}
          busy={isFetching}
          instead={instead}
          columns={[
            {
              key: 'staff',
              head: t`Person`,
              phone: 'title',
              cell: (row) => <b className="strong">{row.staff.name}</b>,
            },
            { key: 'kind', head: t`Event`, phone: 'time', cell: (row) => word(row.kind) },
            {
              key: 'approved',
              head: t`Approved`,
              align: 'right',
              phone: 'figure',
              cell: (row) => <ReportFigure word={t`Approved`}>{row.approved}</ReportFigure>,
            },
            {
              key: 'rejected',
              head: t`Rejected`,
              align: 'right',
              phone: 'status',
              cell: (row) => <ReportFigure word={t`Rejected`}>{row.rejected}</ReportFigure>,
            },
            { key: 'other', head: t`Other`, align: 'right', cell: (row) => row.other },
          ]}
        />
      </section>
      {data && data.rows.length > 0 && (
        <Bars
          title={t`All decisions`}
          bars={[
            bar('approved', t`Approved`, 'ok'),
            bar('rejected', t`Rejected`, 'bad'),
            bar('other', t`Other`, 'plain'),
          ]}
        />
      )}
    </div>
  )
}
