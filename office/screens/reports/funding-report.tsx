import { Trans, useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '#contract/endpoint.ts'
import { fundingReport, type Period, type ReportStep } from '#contract/office/reports.ts'
import type { Flows } from '#contract/office/overview.ts'
import { dayOf, daysAfter, isoDay } from '#rules/dates.ts'
import type { Currency } from '#rules/money.ts'
import { EmptyState, ErrorPanel, Skeleton } from '#ui/feedback/content-states.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { Money } from '#ui/money/money.tsx'
import { type Column, Table } from '#ui/data/table.tsx'
import { Link } from '#ui/navigation/link.tsx'
import { FlowsChart } from '../../figures/flows-chart.tsx'
import { ReportFigure } from '../../figures/report-figure.tsx'
import { type PaymentDate, paymentListUrl } from '../../figures/payment-list-url.ts'
import { usePeriodLabel } from '../../figures/period-label.ts'

type OfCurrency = ResponseOf<typeof fundingReport>['currencies'][number]
type Step = OfCurrency['steps'][number]

interface FundingReportProps {
  period: Period
  by: ReportStep
  asTable: boolean
}

/** Deposits and withdrawals by day, week or month in each currency, beside the previous period, and by method. */
export function FundingReport({ period, by, asTable }: FundingReportProps) {
  const { t } = useLingui()
  const { data, error, refetch } = useEndpoint(fundingReport, { ...period, by }, { keepLast: true })
  const periodLabel = usePeriodLabel()
  const columns = useFlowColumns()
  const label = (currency: Currency, from: string, to: string) =>
    ({
      day: t`Deposits and withdrawals in ${currency} by day, ${from} to ${to}`,
      week: t`Deposits and withdrawals in ${currency} by week, ${from} to ${to}`,
      month: t`Deposits and withdrawals in ${currency} by month, ${from} to ${to}`,
    })[by]
  if (error) return <ErrorPanel failure={error} onRetry={() => void refetch()} />
  return (
    <div className="report">
      {data?.currencies.length === 0 && <EmptyState level="h2" title={<Trans>No payments in this period</Trans>} />}
      <h2 className="unseen">{t`Deposits and withdrawals`}</h2>
      <div className={asTable ? 'stack-8' : 'figures-currencies'}>
        {data
          ? data.currencies.map((one) => (
              <FlowsChart<ReturnType<typeof chartValuesOf>>
                key={one.currency}
                of={{
                  ...one,
                  days: one.steps.map((step, index) => chartValuesOf(step, lastDay(one.steps[index + 1]) ?? period.to)),
                }}
                period={period}
                before={periodLabel(data.before)}
                label={label}
                asTable={asTable}
                columns={columns.map((column) => ({
                  ...column,
                  cell: (step) => column.cell({ ...step, currency: one.currency, from: step.day }),
                }))}
              />
            ))
          : [1, 2].map((place) => <Skeleton key={place} width="100%" height={180} />)}
      </div>
      {data && data.currencies.length > 0 && (
        <section className="sheet">
          <header>
            <h2>{t`By method`}</h2>
          </header>
          <Table
            caption={t`Deposits and withdrawals by method`}
            rows={data.currencies.flatMap(({ currency, methods }) =>
              methods.map((one) => ({ ...one, ...period, currency })),
            )}
            rowKey={(row) => `${row.currency} ${row.method}`}
            columns={[
              {
                head: t`Method`,
                phone: 'title',
                cell: (row) => (
                  <>
                    {row.method}
                    <span className="phone-only report-word"> {row.currency}</span>
                  </>
                ),
              },
              { head: t`Currency`, cell: (row) => row.currency },
              ...columns,
            ]}
          />
        </section>
      )}
    </div>
  )
}

/** Returns the values of a step in a chart: all incoming amounts above, all outgoing ones below. */
function chartValuesOf(step: Step, to: string) {
  const { deposits, refunds, withdrawals, returned } = step
  return { ...step, to, in: deposits.amount + returned.amount, out: withdrawals.amount + refunds.amount }
}

/** Returns the day before a step begins. */
function lastDay(next: Step | undefined): string | null {
  const first = next && dayOf(next.day)
  return first ? isoDay(daysAfter(first, -1)) : null
}

/** The sums of some days; of a method where `kept` is its stored name. */
type FlowsRow = Flows & { currency: Currency; from: string; to: string; kept?: string }

/** Returns columns of amounts, with their counts below. */
function useFlowColumns(): readonly Column<FlowsRow>[] {
  const { t } = useLingui()
  const figure = ({ count, amount }: Flows['deposits'], moved: PaymentDate, { currency, from, to, kept }: FlowsRow) => {
    const shown = <Money amount={{ minor: amount, currency }} bare />
    if (count === 0)
      return (
        <>
          {shown}
          <span className="report-count" />
        </>
      )
    const list = paymentListUrl(moved, { currency, from, to, ...(kept !== undefined && { method: kept }) })
    return (
      <>
        <Link href={list}>{shown}</Link>
        <span className="muted numbers report-count"> · {count}</span>
      </>
    )
  }
  return [
    {
      head: t`Deposits`,
      align: 'right',
      phone: 'time',
      cell: (row) => <ReportFigure word={t`Deposits`}>{figure(row.deposits, 'credited', row)}</ReportFigure>,
    },
    { head: t`Refunds`, align: 'right', cell: (row) => figure(row.refunds, 'refunded', row) },
    {
      head: t`Withdrawals`,
      align: 'right',
      phone: 'status',
      cell: (row) => <ReportFigure word={t`Withdrawals`}>{figure(row.withdrawals, 'debited', row)}</ReportFigure>,
    },
    { head: t`Returned`, align: 'right', cell: (row) => figure(row.returned, 'returned', row) },
    {
      head: t`Net`,
      align: 'right',
      phone: 'figure',
      cell: ({ net, currency }) => (
        <ReportFigure word={t`Net`}>
          <Money amount={{ minor: net, currency }} bare signed />
        </ReportFigure>
      ),
    },
  ]
}
