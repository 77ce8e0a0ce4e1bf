import { Trans, useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '#contract/endpoint.ts'
import { fundingReport, type Period, reportSteps, type ReportStep } from '#contract/office/reports.ts'
import type { Flows } from '#contract/office/overview.ts'
import type { Currency } from '#rules/money.ts'
import { EmptyState, ErrorPanel, Skeleton } from '#ui/feedback/empty-state.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { BareSelect } from '#ui/forms/select.tsx'
import { Money } from '#ui/money/money.tsx'
import { type Column, Table } from '#ui/data/table.tsx'
import { FlowsChart, FlowsLegend } from '../../figures/flows-chart.tsx'
import { ReportFigure } from '../../figures/report-figure.tsx'
import { usePeriodLabel } from '../../figures/period-label.ts'
import { useStepNames } from './step-names.ts'

type OfCurrency = ResponseOf<typeof fundingReport>['currencies'][number]

interface Choice {
  by: ReportStep
  asTable: boolean
  onBy: (by: ReportStep) => void
  onTable: (asTable: boolean) => void
}

/** Deposits and withdrawals by day, week or month in each currency, beside the previous period, and by method. */
export function FundingReport({ period, choice }: { period: Period; choice: Choice }) {
  const { t } = useLingui()
  const { by, asTable, onBy, onTable } = choice
  const { data, error, refetch } = useEndpoint(fundingReport, { ...period, by }, { keepLast: true })
  const periodLabel = usePeriodLabel()
  const columns = useFlowColumns()
  const names = useStepNames()
  const label = (currency: Currency, from: string, to: string) =>
    ({
      day: t`Deposits and withdrawals in ${currency} by day, ${from} to ${to}`,
      week: t`Deposits and withdrawals in ${currency} by week, ${from} to ${to}`,
      month: t`Deposits and withdrawals in ${currency} by month, ${from} to ${to}`,
    })[by]
  if (error) return <ErrorPanel failure={error} onRetry={() => void refetch()} />
  return (
    <div className="report">
      <div className="row wrap between">
        <BareSelect
          aria-label={t`Figures`}
          value={by}
          onChange={({ target }) => onBy(reportSteps.find((step) => step === target.value) ?? by)}
          options={reportSteps.map((step) => ({ value: step, label: names[step] }))}
        />
        <FlowsLegend asTable={asTable} onTable={onTable} />
      </div>
      {data?.currencies.length === 0 && <EmptyState level="h2" title={<Trans>No payments in this period</Trans>} />}
      <h2 className="unseen">{t`Deposits and withdrawals`}</h2>
      <div className={asTable ? 'stack-8' : 'figures-currencies'}>
        {data
          ? data.currencies.map((one) => (
              <FlowsChart<ReturnType<typeof drawn>>
                key={one.currency}
                of={{ ...one, days: one.steps.map(drawn) }}
                period={period}
                before={periodLabel(data.before)}
                label={label}
                asTable={asTable}
                stepped
                columns={columns.map((column) => ({
                  ...column,
                  cell: (step) => column.cell({ ...step, currency: one.currency }),
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
            rows={data.currencies.flatMap(({ currency, methods }) => methods.map((one) => ({ ...one, currency })))}
            rowKey={(row) => `${row.currency} ${row.method}`}
            columns={[
              { head: t`Method`, phone: 'title', cell: (row) => row.method },
              { head: t`Currency`, phone: 'time', cell: (row) => row.currency },
              ...columns,
            ]}
          />
        </section>
      )}
    </div>
  )
}

/** Returns the values of a step in a chart: all incoming amounts above, all outgoing ones below. */
function drawn(step: OfCurrency['steps'][number]) {
  const { deposits, refunds, withdrawals, returned } = step
  return { ...step, in: deposits.amount + returned.amount, out: withdrawals.amount + refunds.amount }
}

type FlowsRow = Flows & { currency: Currency }

/** Returns columns of amounts, with their counts below. */
function useFlowColumns(): readonly Column<FlowsRow>[] {
  const { t } = useLingui()
  const figure = ({ count, amount }: Flows['deposits'], currency: Currency) => (
    <>
      <Money amount={{ minor: amount, currency }} bare />
      {count > 0 && <span className="muted numbers"> · {count}</span>}
    </>
  )
  return [
    { head: t`Deposits`, align: 'right', cell: ({ deposits, currency }) => figure(deposits, currency) },
    { head: t`Refunds`, align: 'right', cell: ({ refunds, currency }) => figure(refunds, currency) },
    { head: t`Withdrawals`, align: 'right', cell: ({ withdrawals, currency }) => figure(withdrawals, currency) },
    { head: t`Returned`, align: 'right', cell: ({ returned, currency }) => figure(returned, currency) },
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
