import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import * as z from 'zod/mini'
import type { ResponseOf } from '#contract/endpoint.ts'
import { exposureMonths, exposureDays, getClientExposure } from '#contract/office/client-tabs.ts'
import { dayIn, isoDay } from '#rules/dates.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { ChartLegend, ChartTableButton } from '#ui/charts/chart.tsx'
import { DescriptionList } from '#ui/data/description-list.tsx'
import { Table } from '#ui/data/table.tsx'
import { ErrorPanel, Skeleton } from '#ui/feedback/content-states.tsx'
import { Money } from '#ui/money/money.tsx'
import { Link } from '#ui/navigation/link.tsx'
import { useUrlState } from '#ui/navigation/url-state.ts'
import { dateFormat } from '#ui/text/formats.ts'
import { clockTime, Time } from '#ui/text/time.tsx'
import { FlowsBars } from '../../figures/flows-chart.tsx'
import { firstOfLastDays, type PaymentDate, paymentListUrl } from '../../figures/payment-list-url.ts'
import { ReportFigure } from '../../figures/report-figure.tsx'
import { useStaff } from '../../session.ts'

type OfCurrency = ResponseOf<typeof getClientExposure>['currencies'][number]

const address = z.object({ exposure: z.optional(z.literal('table')) })

/** The client's payments by currency: over a year, by method in total and in 30 days (requirements 24.4). */
export function Exposure({ clientId, number }: { clientId: string; number: string }) {
  const { data, error, refetch } = useEndpoint(getClientExposure, { id: clientId })
  if (error && !data) return <ErrorPanel failure={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton width="100%" height={240} />
  return data.currencies.map((one) => (
    <CurrencyExposure key={one.currency} of={one} readAt={data.readAt} client={number} />
  ))
}

interface CurrencyProps {
  of: OfCurrency
  readAt: Date
  /** The client's number, by which lists find the payments. */
  client: string
}

function CurrencyExposure({ of, readAt, client }: CurrencyProps) {
  const { t } = useLingui()
  const { firm } = useStaff()
  const { currency, largestDeposit, largestWithdrawal } = of
  const day = (at: Date) => isoDay(dayIn(at, firm.timeZone))
  const list = (moved: PaymentDate, from: string, to: string, method?: string) =>
    paymentListUrl(moved, { currency, from, to, client, ...(method !== undefined && { method }) })
  const largest = (one: OfCurrency['largestDeposit'], moved: PaymentDate) =>
    one && (
      <>
        <Link href={list(moved, day(one.at), day(one.at))}>
          <Money amount={{ minor: one.amount, currency }} />
        </Link>
        {', '}
        <Time at={one.at} />
      </>
    )
  const firstRecent = isoDay(firstOfLastDays(readAt, exposureDays, firm.timeZone))
  return (
    <section className="sheet">
      <header>
        <h2>{t`Deposits and withdrawals, ${currency}`}</h2>
        <span className="muted size-13">
          <Trans>as of {clockTime(readAt, firm.timeZone)}</Trans>
        </span>
      </header>
      <div className="padded exposure">
        <Months of={of} />
        <DescriptionList
          rows={[
            { key: t`First payment`, value: <Time at={of.firstAt} /> },
            { key: t`Last payment`, value: <Time at={of.lastAt} /> },
            largestDeposit !== null && { key: t`Largest deposit`, value: largest(largestDeposit, 'credited') },
            largestWithdrawal !== null && { key: t`Largest withdrawal`, value: largest(largestWithdrawal, 'debited') },
          ]}
        />
      </div>
      <div className="exposure-sums">
        <MethodSums
          of={of}
          list={(moved, isRecent, method) => list(moved, isRecent ? firstRecent : day(of.firstAt), day(readAt), method)}
        />
      </div>
    </section>
  )
}

function Months({ of: { currency, months } }: { of: OfCurrency }) {
  const { t, i18n } = useLingui()
  const [{ exposure }, change] = useUrlState(address)
  const asTable = exposure === 'table'
  const words = dateFormat(i18n.locale, { month: 'short', year: 'numeric', timeZone: 'UTC' })
  return (
    <div>
      <FlowsBars
        label={t`Deposits and withdrawals in ${currency} by month, ${exposureMonths} months`}
        currency={currency}
        points={months}
        pointKey={({ month }) => month}
        head={t`Month`}
        word={({ month }) => words.format(new Date(`${month}-01T00:00:00Z`))}
        asTable={asTable}
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

function ListLink({ href, children }: { href: string | undefined; children: ReactNode }) {
  return href === undefined ? children : <Link href={href}>{children}</Link>
}

type Both = Pick<OfCurrency, 'lifetime' | 'recent'>

interface SumsProps {
  of: OfCurrency
  list: (moved: PaymentDate, isRecent: boolean, method?: string) => string
}

/**
 * One row per method, with the sum: each figure in total and of 30 days; columns for returned money if there is any.
 */
function MethodSums({ of: { currency, methods, lifetime, recent }, list }: SumsProps) {
  const { t } = useLingui()
  const figures: readonly {
    head: string
    phone?: 'time' | 'status' | 'figure'
    left?: boolean
    /** The list of the payments that it counts; a net amount has none of its own. */
    moved?: PaymentDate
    signed?: boolean
    of: (moved: OfCurrency['lifetime']) => bigint
  }[] = [
    { head: t`Deposits`, phone: 'time', moved: 'credited', of: ({ deposited }) => deposited },
    {
      head: t`Refunds and chargebacks`,
      left: lifetime.refunded === 0n,
      moved: 'refunded',
      of: ({ refunded }) => -refunded,
    },
    { head: t`Withdrawals`, phone: 'status', moved: 'debited', of: ({ withdrawn }) => -withdrawn },
    {
      head: t`Returned payouts`,
      left: lifetime.returned === 0n,
      moved: 'returned',
      of: ({ returned }) => returned,
    },
    { head: t`Net`, phone: 'figure', signed: true, of: ({ net }) => net },
  ]
  const shown = figures.filter(({ left }) => !left)
  const cell = ({ head, of, moved, signed = false }: (typeof figures)[number], both: Both, kept?: string) => {
    const amount = (minor: bigint) => <Money amount={{ minor, currency }} signed={signed} bare />
    const href = (isRecent: boolean) =>
      moved && of(isRecent ? both.recent : both.lifetime) !== 0n ? list(moved, isRecent, kept) : undefined
    return (
      <ReportFigure word={head}>
        <ListLink href={href(false)}>{amount(of(both.lifetime))}</ListLink>
        <span className="exposure-recent">
          <ListLink href={href(true)}>
            <Trans>30 days: {amount(of(both.recent))}</Trans>
          </ListLink>
        </span>
      </ReportFigure>
    )
  }
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
          cell: (row: OfCurrency['methods'][number]) => cell(figure, row, row.kept),
          ...(figure.phone && { phone: figure.phone }),
        })),
      ]}
      foot={[t`Total`, ...shown.map((figure) => cell(figure, { lifetime, recent }))]}
    />
  )
}
