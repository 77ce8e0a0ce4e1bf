import { IconChartLine } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useContext } from 'react'
import type { Account } from '#contract/accounts.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import {
  type CurveMark,
  type CurvePeriod,
  curvePeriods,
  type CurvePoint,
  type getAccountCurve,
  type getTradingAccount,
} from '#contract/trading-history.ts'
import { type Currency, money } from '#rules/money.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { ChartLegend, ChartTableButton, LineChart } from '#ui/charts/chart.tsx'
import { EmptyState, Skeleton } from '#ui/feedback/content-states.tsx'
import { Money, moneyText } from '#ui/money/money.tsx'
import { useUrlState } from '#ui/navigation/url-state.ts'
import { numberFormat } from '#ui/text/formats.ts'
import { calendarDayWords, clockTime, historyTime, TimeZoneContext } from '#ui/text/time.tsx'
import { groupedByFour } from '#ui/text/code-format.ts'
import type { AccountSource } from './account-source.ts'
import { accountUrl } from './account-url.ts'
import { CurveSum } from './curve-sum.tsx'
import { MovedMoney } from './moved-money.tsx'
import { PartFailed } from './part-failed.tsx'
import { TradingDays } from './trading-days.tsx'

const pollMs = 60_000
const chartHeight = 232
/** The usual height of the chart with its legend and the deposits and withdrawals below it, so that nothing moves. */
const loadingHeight = 352

type Curve = ResponseOf<typeof getAccountCurve>
type Page = ResponseOf<typeof getTradingAccount>

interface EquityCurveProps {
  source: AccountSource
  page: Page
}

/** Equity and balance over a period; of a new account what begins the curve, which needs no curve. */
export function EquityCurve(props: EquityCurveProps) {
  return isNewAccount(props.page) ? <NewAccount source={props.source} /> : <CurveOfPeriod {...props} />
}

/** The curve with deposits and withdrawals, and the sum that explains the change. */
function CurveOfPeriod({ source, page }: EquityCurveProps) {
  const { t } = useLingui()
  const { calls, address, reader } = source
  const [{ period }] = useUrlState(accountUrl)
  const timeZone = useContext(TimeZoneContext)
  const { data, error, refetch } = useEndpoint(calls.curve, { ...address, period }, { pollMs, keepLast: true })
  if (error && !data)
    return (
      <section className="account-part">
        <h2>{t`Equity and balance`}</h2>
        <PartFailed
          failure={error}
          onRetry={() => void refetch()}
          reader={reader}
          title={t`We could not load the history of this account.`}
        />
      </section>
    )
  const isZero = data !== undefined && isCurveOfZeros(data)
  const hasPoints = data !== undefined && data.points.length > 0 && !(isZero && hasMoney(page.account))
  const hasCourse = hasPoints && !isZero
  const hasOneDay = hasCourse && data.points.length === 1
  return (
    <section
      className={
        !data || (hasCourse && (data.sum || data.beingChecked)) ? 'account-part account-curve' : 'account-part'
      }
    >
      <div>
        <div className="account-part-head">
          <h2>{t`Equity and balance`}</h2>
          {(!data || hasPoints) && !hasOneDay && <Periods current={period} />}
        </div>
        {!data ? (
          <Skeleton width="100%" height={loadingHeight} />
        ) : hasOneDay ? (
          <OneDay data={data} source={source} stale={page.account.figuresOld} />
        ) : hasCourse ? (
          <Course data={data} source={source} stale={page.account.figuresOld} />
        ) : hasPoints ? (
          <OnlyZeros data={data} source={source} />
        ) : (
          <p className="muted size-14">
            {data.history === 'kept' ? (
              <Trans>The latest bookings will appear here in a few minutes.</Trans>
            ) : (
              <Trans>We are reading the history of this account for the first time. This takes a few minutes.</Trans>
            )}
          </p>
        )}
      </div>
      {hasCourse && <CurveSum curve={data} endsNow={timeToday(data, timeZone) !== null} />}
    </section>
  )
}

/** Returns whether an account has never had money: neither a booking, nor figures, which are newer, show any. */
export function isNewAccount({ history, booked, account }: Page): boolean {
  return history === 'kept' && !booked && !hasMoney(account)
}

function hasMoney({ balance, equity }: Pick<Account, 'balance' | 'equity'>): boolean {
  return (balance ?? 0n) !== 0n || (equity ?? 0n) !== 0n
}

function isCurveOfZeros({ history, points }: Curve): boolean {
  return history === 'kept' && points.every(({ balance, equity }) => (balance ?? 0n) === 0n && (equity ?? 0n) === 0n)
}

function Periods({ current }: { current: CurvePeriod }) {
  const { t } = useLingui()
  const [, change] = useUrlState(accountUrl)
  const words: Readonly<Record<CurvePeriod, { short: string; whole: string }>> = {
    '1w': { short: t`1W`, whole: t`1 week` },
    '1m': { short: t`1M`, whole: t`1 month` },
    '3m': { short: t`3M`, whole: t`3 months` },
    '1y': { short: t`1Y`, whole: t`1 year` },
    all: { short: t({ message: 'All', context: 'period' }), whole: t`Since the account was opened` },
  }
  return (
    <div className="account-periods" role="group" aria-label={t`Period`}>
      {curvePeriods.map((period) => (
        <button
          key={period}
          type="button"
          aria-pressed={period === current}
          onClick={() => change({ period: period === '3m' ? undefined : period })}
        >
          <span aria-hidden="true">{words[period].short}</span>
          <span className="unseen">{words[period].whole}</span>
        </button>
      ))}
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

/** The values of the only day so far: a plot of one point would be an empty field. */
function OneDay({ data, source, stale }: CourseProps) {
  const { t, i18n } = useLingui()
  const { points, marks, currency } = data
  const [point] = points
  const now = timeToday(data, useContext(TimeZoneContext))
  return (
    <div className={stale ? 'chart-whole stale' : 'chart-whole'}>
      {point && (
        <p className="chart-readout numbers">
          <DayValues
            point={point}
            day={now === null ? calendarDayWords(point.day, i18n.locale) : t`today, ${now}`}
            currency={currency}
          />
        </p>
      )}
      <p className="muted size-14">{t`The curve starts on the next trading day.`}</p>
      <p className="muted size-13 account-note">
        <TradingDays source={source} />
      </p>
      {marks.length > 0 && <MovedMoney curve={data} source={source} />}
    </div>
  )
}

interface CourseProps {
  data: Curve
  source: AccountSource
  stale: boolean
}

function Course({ data, source, stale }: CourseProps) {
  const { t, i18n } = useLingui()
  const [{ table }, change] = useUrlState(accountUrl)
  const { points, marks, currency } = data
  const { locale } = i18n
  const asTable = table === '1'
  const came = movedByDay(points, marks)
  const [first, last] = [points[0], points.at(-1)]
  const day = (point: CurvePoint | undefined) => (point ? calendarDayWords(point.day, locale) : '')
  const now = timeToday(data, useContext(TimeZoneContext))
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
        valueWord={(minor) => numberFormat(locale, { maximumFractionDigits: 2 }).format(minor / 100)}
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
        <TradingDays source={source} />
        {points.some(({ equity }) => equity === null) && <> {t`A gap is a trading day without data.`}</>}
      </p>
      {marks.length > 0 && <MovedMoney curve={data} source={source} />}
    </>
  )
}

/** Returns the time of the last figures of the curve if they are of today in the reader's time zone, or null. */
function timeToday({ sum }: Curve, timeZone: string | undefined): string | null {
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
function placeOf(points: readonly CurvePoint[], { day }: CurveMark): number {
  const [first] = points
  return first && first.day <= day ? points.findIndex((point) => point.day >= day) : -1
}

function markersOf(points: readonly CurvePoint[], marks: readonly CurveMark[]) {
  const places = marks.flatMap((mark) => {
    const index = placeOf(points, mark)
    return index < 0 ? [] : [`${index} ${mark.amount < 0n ? 'out' : 'in'}`]
  })
  return [...new Set(places)].map((place) => {
    const [index, way] = place.split(' ')
    return { index: Number(index), way: way as 'in' | 'out' }
  })
}

/** Returns deposits and withdrawals by the day of the point that shows them. */
function movedByDay(points: readonly CurvePoint[], marks: readonly CurveMark[]): ReadonlyMap<string, bigint> {
  const moved = new Map<string, bigint>()
  for (const mark of marks) {
    const point = points[placeOf(points, mark)]
    if (point) moved.set(point.day, (moved.get(point.day) ?? 0n) + mark.amount)
  }
  return moved
}

/** In the place of the curve until the first deposit. */
function NewAccount({ source }: { source: AccountSource }) {
  const { t } = useLingui()
  return (
    <section className="account-part">
      <div className="account-part-head">
        <h2>{t`Equity and balance`}</h2>
      </div>
      {source.reader === 'staff' ? (
        <p className="muted size-14">{t`The curve starts with the first deposit.`}</p>
      ) : (
        <EmptyState
          icon={<IconChartLine aria-hidden="true" />}
          title={<Trans>The curve starts with your first deposit</Trans>}
          action={source.begin}
        >
          <Trans>This page will then show your daily equity, open positions and closed trades.</Trans>
        </EmptyState>
      )}
    </section>
  )
}

/** A period of an account that was emptied before it: a line at zero would be an empty field. */
function OnlyZeros({ data, source }: { data: Curve; source: AccountSource }) {
  const { t, i18n } = useLingui()
  const zero = moneyText(money(0n, data.currency), i18n.locale)
  return (
    <>
      <p className="muted size-14">{t`The balance was ${zero} at the end of every day in this period.`}</p>
      {data.marks.length > 0 && <MovedMoney curve={data} source={source} />}
    </>
  )
}
