import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import * as z from 'zod/mini'
import type { ResponseOf } from '#contract/endpoint.ts'
import { exposureMonths, getClientExposure } from '#contract/office/client-tabs.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { BarChart, ChartLegend, ChartTableButton } from '#ui/charts/chart.tsx'
import { DescriptionList } from '#ui/data/description-list.tsx'
import { Table } from '#ui/data/table.tsx'
import { ErrorPanel, Skeleton } from '#ui/feedback/empty-state.tsx'
import { Money } from '#ui/money/money.tsx'
import { useUrlState } from '#ui/navigation/url-state.ts'
import { dateFormat, numberFormat } from '#ui/text/formats.ts'
import { Time } from '#ui/text/time.tsx'
import { ReportFigure } from '../../figures/report-figure.tsx'

type OfCurrency = ResponseOf<typeof getClientExposure>['currencies'][number]
type Month = OfCurrency['months'][number]

const address = z.object({ exposure: z.optional(z.literal('table')) })

/** The client's payments by currency: over a year, by method in total and in 30 days (requirements 24.4). */
export function Exposure({ clientId }: { clientId: string }) {
  const { data, error, refetch } = useEndpoint(getClientExposure, { id: clientId })
  if (error && !data) return <ErrorPanel failure={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton width="100%" height={240} />
  return data.currencies.map((one) => <CurrencyExposure key={one.currency} of={one} />)
}

function CurrencyExposure({ of }: { of: OfCurrency }) {
  const { t } = useLingui()
  const { currency, largestDeposit, largestWithdrawal } = of
  const largest = (one: OfCurrency['largestDeposit']) =>
    one && (
      <>
        <Money amount={{ minor: one.amount, currency }} />
        {', '}
        <Time at={one.at} />
      </>
    )
  return (
    <section className="sheet">
      <header>
        <h2>{t`Deposits and withdrawals, ${currency}`}</h2>
      </header>
      <div className="padded exposure">
        <Months of={of} />
        <DescriptionList
          rows={[
            { key: t`First payment`, value: <Time at={of.firstAt} /> },
            { key: t`Last payment`, value: <Time at={of.lastAt} /> },
            largestDeposit !== null && { key: t`Largest deposit`, value: largest(largestDeposit) },
            largestWithdrawal !== null && { key: t`Largest withdrawal`, value: largest(largestWithdrawal) },
          ]}
        />
      </div>
      <div className="exposure-sums">
        <Sums of={of} />
      </div>
    </section>
  )
}

function Months({ of: { currency, months } }: { of: OfCurrency }) {
  const { t, i18n } = useLingui()
  const [{ exposure }, change] = useUrlState(address)
  const asTable = exposure === 'table'
  const short = numberFormat(i18n.locale, { notation: 'compact', maximumFractionDigits: 1, useGrouping: 'always' })
  const words = dateFormat(i18n.locale, { month: 'short', year: 'numeric', timeZone: 'UTC' })
  const word = ({ month }: Month) => words.format(new Date(`${month}-01T00:00:00Z`))
  const amount = (minor: bigint) => <Money amount={{ minor, currency }} bare />
  return (
    <div>
      <BarChart
        label={t`Deposits and withdrawals in ${currency} by month, ${exposureMonths} months`}
        points={months}
        pointKey={({ month }) => month}
        dayWord={word}
        dayWords={3}
        valueWord={(value) => short.format(value)}
        height={120}
        above={(point) => Number(point.in) / 100}
        below={(point) => Number(point.out) / 100}
        net={t`net`}
        asTable={asTable}
        columns={[
          { head: t`Month`, phone: 'title', cell: word },
          { head: t`In`, align: 'right', phone: 'figure', cell: (point) => amount(point.in) },
          { head: t`Out`, align: 'right', phone: 'time', cell: (point) => amount(-point.out) },
        ]}
      />
      <div className="row between wrap">
        {asTable ? (
          <span />
        ) : (
          <ChartLegend
            entries={[
              { look: 'bar-in', name: t`in` },
              { look: 'bar-out', name: t`out` },
              { look: 'bar-net', name: t`net` },
            ]}
          />
        )}
        <ChartTableButton asTable={asTable} onChange={(table) => change({ exposure: table ? 'table' : undefined })} />
      </div>
    </div>
  )
}

type Both = Pick<OfCurrency, 'lifetime' | 'recent'>

/** One row per method, with the sum: each figure in total and of 30 days; columns for returned money if there is any. */
function Sums({ of: { currency, methods, lifetime, recent } }: { of: OfCurrency }) {
  const { t } = useLingui()
  const amount = (minor: bigint, signed = false) => <Money amount={{ minor, currency }} signed={signed} bare />
  const figures: readonly {
    key: string
    head: string
    phone?: 'time' | 'status' | 'figure'
    left?: boolean
    of: (moved: OfCurrency['lifetime']) => ReactNode
  }[] = [
    { key: 'in', head: t`Deposits`, phone: 'time', of: ({ deposited }) => amount(deposited) },
    {
      key: 'refunded',
      head: t`Refunds and chargebacks`,
      left: lifetime.refunded === 0n,
      of: ({ refunded }) => amount(-refunded),
    },
    { key: 'out', head: t`Withdrawals`, phone: 'status', of: ({ withdrawn }) => amount(-withdrawn) },
    {
      key: 'returned',
      head: t`Returned payouts`,
      left: lifetime.returned === 0n,
      of: ({ returned }) => amount(returned),
    },
    { key: 'net', head: t`Net`, phone: 'figure', of: ({ net }) => amount(net, true) },
  ]
  const shown = figures.filter(({ left }) => !left)
  const cell = ({ head, of }: (typeof figures)[number], both: Both) => (
    <ReportFigure word={head}>
      {of(both.lifetime)}
      <span className="exposure-recent">
        <Trans>30 days: {of(both.recent)}</Trans>
      </span>
    </ReportFigure>
  )
  return (
    <Table<OfCurrency['methods'][number]>
      caption={t`Deposits and withdrawals by method, ${currency}`}
      rows={methods}
      rowKey={({ method }) => method}
      columns={[
        { head: t`Method`, phone: 'title', cell: ({ method }) => method },
        ...shown.map((figure) => ({
          head: figure.head,
          align: 'right' as const,
          cell: (row: Both) => cell(figure, row),
          ...(figure.phone && { phone: figure.phone }),
        })),
      ]}
      foot={[t`Total`, ...shown.map((figure) => cell(figure, { lifetime, recent }))]}
    />
  )
}
