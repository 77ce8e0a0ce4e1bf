import { IconChartLine } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { useContext } from 'react'
import type { Account } from '#contract/accounts.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import {
  type CurvePeriod,
  curvePeriods,
  type getTradingAccount,
  type getAccountCurve,
  type SumRow,
} from '#contract/trading-history.ts'
import { money } from '#rules/money.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { EmptyState, Skeleton } from '#ui/feedback/content-states.tsx'
import { moneyText, Money, MoneySummary } from '#ui/money/money.tsx'
import { useUrlState } from '#ui/navigation/url-state.ts'
import { TimeZoneContext, calendarDayText } from '#ui/text/time.tsx'
import type { AccountSource } from './account-source.ts'
import { accountUrl } from './account-url.ts'
import { CurvePlot, type Curve, SingleDayValues, readingTimeToday } from './curve-plot.tsx'
import { PeriodPayments } from './period-payments.tsx'
import { SectionError } from './section-error.tsx'

const pollMs = 60_000
/** The usual height of the chart with its legend and the deposits and withdrawals below it, so that nothing moves. */
const loadingHeight = 352

type Page = ResponseOf<typeof getTradingAccount>

interface EquityCurveProps {
  source: AccountSource
  page: Page
}

/** Equity and balance over a period; for a new account a note on when the curve begins. */
export function EquityCurve(props: EquityCurveProps) {
  return isNewAccount(props.page) ? <NewAccountCurve source={props.source} /> : <PeriodCurve {...props} />
}

/** The curve with deposits and withdrawals, and the sum that explains the change. */
function PeriodCurve({ source, page }: EquityCurveProps) {
  const { t } = useLingui()
  const { calls, address, reader } = source
  const [{ period }] = useUrlState(accountUrl)
  const timeZone = useContext(TimeZoneContext)
  const { data, error, refetch } = useEndpoint(calls.curve, { ...address, period }, { pollMs, keepLast: true })
  if (error && !data)
    return (
      <section className="account-part">
        <h2>{t`Equity and balance`}</h2>
        <SectionError
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
          {(!data || hasPoints) && !hasOneDay && <PeriodChoice current={period} />}
        </div>
        {!data ? (
          <Skeleton width="100%" height={loadingHeight} />
        ) : hasOneDay ? (
          <SingleDayValues data={data} source={source} stale={page.account.figuresOld} />
        ) : hasCourse ? (
          <CurvePlot data={data} source={source} stale={page.account.figuresOld} />
        ) : hasPoints ? (
          <ZeroBalanceNote data={data} source={source} />
        ) : (
          <p className="muted size-14">
            {data.history === 'kept' ? (
              <Trans>The latest transactions will appear here in a few minutes.</Trans>
            ) : (
              <Trans>We are loading the history of this account for the first time. This takes a few minutes.</Trans>
            )}
          </p>
        )}
      </div>
      {hasCourse && <CurveSum curve={data} endsNow={readingTimeToday(data, timeZone) !== null} />}
    </section>
  )
}

/** Returns whether an account is known never to have had money: no booking, nor figures, which are newer, show any. */
export function isNewAccount({ history, booked, account }: Page): boolean {
  return history === 'kept' && booked === false && !hasMoney(account)
}

function hasMoney({ balance, equity }: Pick<Account, 'balance' | 'equity'>): boolean {
  return (balance ?? 0n) !== 0n || (equity ?? 0n) !== 0n
}

function isCurveOfZeros({ history, points }: Curve): boolean {
  return history === 'kept' && points.every(({ balance, equity }) => (balance ?? 0n) === 0n && (equity ?? 0n) === 0n)
}

function PeriodChoice({ current }: { current: CurvePeriod }) {
  const { t } = useLingui()
  const [, change] = useUrlState(accountUrl)
  const words: Readonly<Record<CurvePeriod, { short: string; long: string }>> = {
    '1w': { short: t`1W`, long: t`1 week` },
    '1m': { short: t`1M`, long: t`1 month` },
    '3m': { short: t`3M`, long: t`3 months` },
    '1y': { short: t`1Y`, long: t`1 year` },
    all: { short: t({ message: 'All', context: 'period' }), long: t`Since the account was opened` },
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
          <span className="unseen">{words[period].long}</span>
        </button>
      ))}
    </div>
  )
}

/** Shown instead of the curve until the first deposit. */
function NewAccountCurve({ source }: { source: AccountSource }) {
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
function ZeroBalanceNote({ data, source }: { data: Curve; source: AccountSource }) {
  const { t, i18n } = useLingui()
  const zero = moneyText(money(0n, data.currency), i18n.locale)
  return (
    <>
      <p className="muted size-14">{t`The balance was ${zero} at the end of every day in this period.`}</p>
      {data.marks.length > 0 && <PeriodPayments curve={data} source={source} />}
    </>
  )
}

interface CurveSumProps {
  curve: ResponseOf<typeof getAccountCurve>
  endsNow: boolean
}

/** The sum of the period: opening equity, movements, closing equity. A sum that does not add up is not shown. */
function CurveSum({ curve: { sum, beingChecked, from, to, currency }, endsNow }: CurveSumProps) {
  const { t, i18n } = useLingui()
  if (from === null || to === null) return null
  const day = (text: string) => calendarDayText(text, i18n.locale)
  const title = !endsNow
    ? t({ message: `${day(from)} to ${day(to)}`, context: 'days' })
    : from === to
      ? t`Today`
      : t`${day(from)} to today`
  if (!sum)
    return beingChecked ? (
      <MoneySummary title={title} lines={[{ label: <Trans>Total for the period</Trans>, value: t`being checked` }]} />
    ) : null
  const words: Readonly<Record<SumRow, string>> = {
    deposits: t`Deposits`,
    withdrawals: t`Withdrawals`,
    transfers: t`Transfers`,
    returned: t`Returned and refunded payments`,
    credit: t`Credit and bonus`,
    other: t`Other transactions`,
    profit: t`Closed trades`,
    swap: t`Swap`,
    commission: t`Commission`,
    fee: t`Fees`,
    floating: t`Change in unrealised P&L`,
  }
  return (
    <MoneySummary
      title={title}
      lines={[
        {
          label: sum.openingDay === null ? t`Equity at account opening` : t`Equity on ${day(sum.openingDay)}`,
          value: <Money amount={money(sum.opening, currency)} bare />,
        },
        ...sum.rows.map(({ row, amount }) => ({
          label: words[row],
          value: <Money amount={money(amount, currency)} bare signed />,
        })),
      ]}
      total={{ label: t`Equity`, value: <Money amount={money(sum.closing, currency)} /> }}
    />
  )
}
