import { Trans, useLingui } from '@lingui/react/macro'
import { officePaths } from '#contract/office-paths.ts'
import type { Flows } from '#contract/office/overview.ts'
import type { Currency } from '#rules/money.ts'
import { BarChart, ChartLegend, ChartTableButton } from '#ui/charts/chart.tsx'
import type { Column } from '#ui/data/table.tsx'
import { Money } from '#ui/money/money.tsx'
import { Link } from '#ui/navigation/link.tsx'
import { scaleFigure } from '#ui/text/formats.ts'
import { calendarDayText } from '#ui/text/time.tsx'
import { useCanRead } from '../session.ts'
import { type PaymentDate, paymentListUrl } from './payment-list-url.ts'
import './figures.css'

interface Step {
  day: string
  in: bigint
  out: bigint
}

interface FlowsChartProps<Of extends Step> {
  of: { currency: Currency; days: readonly Of[]; sum: Flows; before: Flows }
  period: { from: string; to: string }
  /** Names the previous period, with which the sum is compared. */
  before: string
  /** Describes the chart in a sentence. */
  label: (currency: Currency, from: string, to: string) => string
  asTable: boolean
  /** Instead of in and out. */
  columns?: readonly Column<Of>[]
}

/** The legend of `FlowsChart`, and the button that shows its values as a table. */
export function FlowsLegend({ asTable, onTable }: { asTable: boolean; onTable: (asTable: boolean) => void }) {
  const { t } = useLingui()
  return (
    <div className="row wrap">
      <ChartLegend
        entries={[
          { look: 'bar-in', name: t`in` },
          { look: 'bar-out', name: t`out` },
          { look: 'bar-net', name: t`net` },
        ]}
      />
      <ChartTableButton asTable={asTable} onChange={onTable} />
    </div>
  )
}

/** Deposits and withdrawals in one currency, with their sums and those of the previous period. */
export function FlowsChart<Of extends Step>({ of, period, before, label, asTable, columns }: FlowsChartProps<Of>) {
  const { t, i18n } = useLingui()
  const { currency, days } = of
  return (
    <div>
      <h3>{currency}</h3>
      <FlowsBars
        label={label(currency, calendarDayText(period.from, i18n.locale), calendarDayText(period.to, i18n.locale))}
        currency={currency}
        points={days}
        pointKey={({ day }) => day}
        head={t`Day`}
        word={({ day }) => calendarDayText(day, i18n.locale)}
        asTable={asTable}
        columns={columns}
      />
      <Sum of={of} period={period} before={before} />
    </div>
  )
}

type Moved = Pick<Step, 'in' | 'out'>

interface FlowsBarsProps<Of extends Moved> {
  label: string
  currency: Currency
  points: readonly Of[]
  pointKey: (point: Of) => string
  /** Names the time of a point, and the column of these times. */
  word: (point: Of) => string
  head: string
  asTable: boolean
  /** Instead of in and out. */
  columns?: readonly Column<Of>[] | undefined
}

/** The bars of `FlowsChart`, or their values as a table. */
export function FlowsBars<Of extends Moved>({ currency, word, head, columns, ...chart }: FlowsBarsProps<Of>) {
  const { t, i18n } = useLingui()
  const amount = (minor: bigint) => <Money amount={{ minor, currency }} bare />
  const both: readonly Column<Of>[] = [
    { head: t`In`, align: 'right', phone: 'figure', cell: (point) => amount(point.in) },
    { head: t`Out`, align: 'right', phone: 'time', cell: (point) => amount(-point.out) },
  ]
  return (
    <BarChart
      {...chart}
      dayWord={word}
      dayWords={3}
      valueWord={(value) => scaleFigure(value, i18n.locale, 'short')}
      height={120}
      above={(point) => Number(point.in) / 100}
      below={(point) => Number(point.out) / 100}
      net={t`net`}
      readout={(point) => <FlowsReadout of={point} currency={currency} when={word(point)} />}
      columns={[{ head, phone: 'title', cell: word }, ...(columns ?? both)]}
    />
  )
}

interface FlowsReadoutProps {
  of: Moved
  currency: Currency
  when: string
}

/** The incoming and outgoing amounts of a step of a chart, in one sentence above it. */
function FlowsReadout({ of, currency, when }: FlowsReadoutProps) {
  const amount = (minor: bigint) => <Money amount={{ minor, currency }} bare />
  // One sentence, with the spacing of text.
  return (
    <span>
      <Trans>
        {when}: in {amount(of.in)}, out {amount(of.out)}, net{' '}
        <Money amount={{ minor: of.in - of.out, currency }} bare signed />
      </Trans>
    </span>
  )
}

/** The sum of the chart: each figure with a link to its list, and below it that of the previous period. */
function Sum({
  of: { currency, sum, before: sumBefore },
  period: { from, to },
  before,
}: Pick<FlowsChartProps<Step>, 'of' | 'period' | 'before'>) {
  const { t } = useLingui()
  const readsReports = useCanRead('reports')
  const line = (label: string, moved: PaymentDate, of: Exclude<keyof Flows, 'net'>, sign: 1n | -1n) => {
    const [figure, earlier] = [sum[of], sumBefore[of]]
    return (
      <>
        <dt>
          <Link href={paymentListUrl(moved, { currency, from, to })}>{label}</Link>, {figure.count}
        </dt>
        <dd>
          <Money amount={{ minor: figure.amount * sign, currency }} bare />
        </dd>
        <dt className="figures-before">
          {before}, {earlier.count}
        </dt>
        <dd className="figures-before">
          <Money amount={{ minor: earlier.amount * sign, currency }} bare />
        </dd>
      </>
    )
  }
  const has = (of: 'refunds' | 'returned') => sum[of].count > 0 || sumBefore[of].count > 0
  return (
    <dl className="figures-sum numbers">
      {line(t`Deposits`, 'credited', 'deposits', 1n)}
      {has('refunds') && line(t`Refunds and chargebacks`, 'refunded', 'refunds', -1n)}
      {line(t`Withdrawals`, 'debited', 'withdrawals', -1n)}
      {has('returned') && line(t`Returned payouts`, 'returned', 'returned', 1n)}
      <dt className="figures-total">
        {readsReports ? (
          <Link href={`${officePaths.reports}?report=funding&from=${from}&to=${to}`}>{t`Net`}</Link>
        ) : (
          t`Net`
        )}
      </dt>
      <dd className="figures-total">
        <Money amount={{ minor: sum.net, currency }} signed />
      </dd>
      <dt className="figures-before">{before}</dt>
      <dd className="figures-before">
        <Money amount={{ minor: sumBefore.net, currency }} signed />
      </dd>
    </dl>
  )
}
