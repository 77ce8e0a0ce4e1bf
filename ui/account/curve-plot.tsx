import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useContext } from 'react'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { CurveMark, CurvePoint, getAccountCurve } from '#contract/trading-history.ts'
import { type Currency, money } from '#rules/money.ts'
import { ChartLegend, ChartTableButton, LineChart } from '#ui/charts/chart.tsx'
import { Money, moneyText } from '#ui/money/money.tsx'
import { useUrlState } from '#ui/navigation/url-state.ts'
import { groupedByFour } from '#ui/text/code-format.ts'
import { scaleFigure } from '#ui/text/formats.ts'
import { calendarDayText, clockTime, historyTime, TimeZoneContext } from '#ui/text/time.tsx'
import type { AccountSource } from './account-source.ts'
import { accountUrl } from './account-url.ts'
import { PeriodPayments } from './period-payments.tsx'
import { TradingDayNote } from './trading-days.tsx'

export type Curve = ResponseOf<typeof getAccountCurve>

const chartHeight = 232

interface CurvePlotProps {
  data: Curve
  source: AccountSource
  stale: boolean
}

/** The plot of a period with its legend, and the deposits and withdrawals below it. */
export function CurvePlot({ data, source, stale }: CurvePlotProps) {
  const { t, i18n } = useLingui()
  const [{ table }, change] = useUrlState(accountUrl)
  const { points, marks, currency } = data
  const { locale } = i18n
  const asTable = table === '1'
  const came = paymentsByDay(points, marks)
  const [first, last] = [points[0], points.at(-1)]
  const day = (point: CurvePoint | undefined) => (point ? calendarDayText(point.day, locale) : '')
  const now = readingTimeToday(data, useContext(TimeZoneContext))
  const word = (point: CurvePoint) => (now !== null && point === last ? t`today, ${now}` : day(point))
  const amount = (minor: bigint | null | undefined) => moneyText(money(minor ?? 0n, currency), locale)
  const amountOf = (minor: bigint | null) =>
    minor === null ? <span className="muted">{t`no data`}</span> : <Money amount={money(minor, currency)} bare />
  const label = t`Equity of account ${groupedByFour(source.address.number)}, ${day(first)} to ${day(last)}: from ${amount(first?.equity)} to ${amount(last?.equity)}.`
  return (
    <>
      <LineChart
        label={label}
        points={points}
        pointKey={(point) => point.day}
        dayWord={word}
        valueWord={(minor) => scaleFigure(minor / 100, locale, 'whole')}
        height={chartHeight}
        stale={stale}
        asTable={asTable}
        series={[
          {
            value: ({ equity }) => (equity === null ? null : Number(equity)),
            look: 'solid',
            jump: (point) => Number(came.get(point.day) ?? 0n),
          },
          { value: ({ balance }) => (balance === null ? null : Number(balance)), look: 'dashed' },
        ]}
        markers={markersOf(points, marks)}
        readout={(point) => <DayValues point={point} day={word(point)} currency={currency} />}
        columns={[
          { head: t`Day`, cell: day },
          amountColumn('equity', t`Equity, ${currency}`, amountOf),
          amountColumn('balance', t`Balance, ${currency}`, amountOf),
        ]}
      />
      <div className="row between wrap account-legend">
        {asTable ? (
          <span />
        ) : (
          <ChartLegend
            entries={[
              { look: 'solid', name: t`Equity` },
              { look: 'dashed', name: t`Balance` },
              { look: 'in', name: t`Money in` },
              { look: 'out', name: t`Money out` },
            ]}
          />
        )}
        <ChartTableButton asTable={asTable} onChange={(to) => change({ table: to ? '1' : undefined })} />
      </div>
      <p className="muted size-13 account-note">
        <TradingDayNote source={source} />
        {points.some(({ equity }) => equity === null) && <> {t`A gap is a trading day without data.`}</>}
      </p>
      {marks.length > 0 && <PeriodPayments curve={data} source={source} />}
    </>
  )
}

/** Returns the time of the last figures of the curve if they are of today in the reader's time zone, or null. */
export function readingTimeToday({ sum }: Curve, timeZone: string | undefined): string | null {
  if (sum === null) return null
  const dayOf = (at: Date) => historyTime(at, timeZone).slice(0, 10)
  return dayOf(sum.at) === dayOf(new Date()) ? clockTime(sum.at, timeZone) : null
}

const amountColumn = (key: 'equity' | 'balance', head: string, cell: (minor: bigint | null) => ReactNode) => ({
  head,
  align: 'right' as const,
  cell: (point: CurvePoint) => cell(point[key]),
})

/**
 * Returns the index of the first point on or after a mark's day: days without trading have no point. Returns -1 for a
 * mark before the first point.
 */
function pointIndexOf(points: readonly CurvePoint[], { day }: CurveMark): number {
  const [first] = points
  return first && first.day <= day ? points.findIndex((point) => point.day >= day) : -1
}

function markersOf(points: readonly CurvePoint[], marks: readonly CurveMark[]) {
  const places = marks.flatMap((mark) => {
    const index = pointIndexOf(points, mark)
    return index < 0 ? [] : [`${index} ${mark.amount < 0n ? 'out' : 'in'}`]
  })
  return [...new Set(places)].map((place) => {
    const [index, way] = place.split(' ')
    return { index: Number(index), way: way as 'in' | 'out' }
  })
}

/** Returns deposits and withdrawals by the day of the point that shows them. */
function paymentsByDay(points: readonly CurvePoint[], marks: readonly CurveMark[]): ReadonlyMap<string, bigint> {
  const moved = new Map<string, bigint>()
  for (const mark of marks) {
    const point = points[pointIndexOf(points, mark)]
    if (point) moved.set(point.day, (moved.get(point.day) ?? 0n) + mark.amount)
  }
  return moved
}

/** The values of the only day so far: a plot of one point would be an empty field. */
export function SingleDayValues({ data, source, stale }: CurvePlotProps) {
  const { t, i18n } = useLingui()
  const { points, marks, currency } = data
  const [point] = points
  const now = readingTimeToday(data, useContext(TimeZoneContext))
  return (
    <div className={stale ? 'chart-whole stale' : 'chart-whole'}>
      {point && (
        <p className="chart-readout numbers">
          <DayValues
            point={point}
            day={now === null ? calendarDayText(point.day, i18n.locale) : t`today, ${now}`}
            currency={currency}
          />
        </p>
      )}
      <p className="muted size-14">{t`The curve starts on the next trading day.`}</p>
      <p className="muted size-13 account-note">
        <TradingDayNote source={source} />
      </p>
      {marks.length > 0 && <PeriodPayments curve={data} source={source} />}
    </div>
  )
}

/** The values of one day, above the plot. */
function DayValues({ point, day, currency }: { point: CurvePoint; day: string; currency: Currency }) {
  const { t } = useLingui()
  return (
    <>
      <span className="muted">{day}</span>
      {point.equity === null || point.balance === null ? (
        <span>{t`no data`}</span>
      ) : (
        <>
          <span>
            {t`Equity`}{' '}
            <b>
              <Money amount={money(point.equity, currency)} />
            </b>
          </span>
          <span>
            {t`Balance`}{' '}
            <b>
              <Money amount={money(point.balance, currency)} />
            </b>
          </span>
        </>
      )}
    </>
  )
}
