import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { ResponseOf } from '#contract/endpoint.ts'
import { type getTrades, type Trade, tradesCountMax } from '#contract/trading-history.ts'
import { historyPageSizes } from '#rules/constants.ts'
import { type Currency, money } from '#rules/money.ts'
import { failedRead, useEndpoint } from '#ui/api/endpoint-query.ts'
import { Pagination } from '#ui/data/pagination.tsx'
import { type Column, Table } from '#ui/data/table.tsx'
import { lazyDialog } from '#ui/loading/lazy.tsx'
import { Money } from '#ui/money/money.tsx'
import { numberFormat } from '#ui/text/formats.ts'
import { useUrlState, changeQuery } from '#ui/navigation/url-state.ts'
import { Time } from '#ui/text/time.tsx'
import type { AccountSource } from './account-source.ts'
import { type AccountUrl, accountUrl, filtersOf, firstPage } from './account-url.ts'
import { Decimal, SideOrPrices, TradedSymbol } from './lots-and-prices.tsx'
import { SectionError } from './section-error.tsx'
import { noTradeFilters, TradeFilters, NoTrades } from './trade-filters.tsx'

const TradeDrawer = lazyDialog(async () => (await import('./trade-drawer.tsx')).TradeDrawer)

interface TradesProps {
  source: AccountSource
  currency: Currency
}

/** Closed trades with filters and cursor pagination; loaded when they become visible. */
export function ClosedTrades({ source, currency }: TradesProps) {
  const { t, i18n } = useLingui()
  const { calls, address, reader } = source
  const [values, change] = useUrlState(accountUrl)
  const section = useRef<HTMLElement>(null)
  const enabled = useHasBeenVisible(section)
  const filters = filtersOf(values)
  const { size, direction, after } = values
  const beginning = { ...address, ...filters, size, direction }
  const options = { enabled, keepLast: true }
  const read = useEndpoint(calls.trades, { ...beginning, after }, options)
  // Totals and symbols come with the first page only. On that page this is the same query, sent once.
  const readFirst = useEndpoint(calls.trades, beginning, options)
  const failed = failedRead(read, readFirst)
  const { data, isPlaceholderData } = read
  const first = readFirst.data
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
  const count = first?.total ?? null
  const number = numberFormat(i18n.locale)
  const most = number.format(tradesCountMax)
  const isReading = data?.history === 'reading' && data.trades.length === 0
  const isEmpty = data !== undefined && data.trades.length === 0 && !isFiltered && after === undefined
  const beingChecked = data?.beingChecked ?? false
  return (
    <section ref={section} className="account-part">
      <div className="account-part-head">
        <h2>
          {t`Closed trades`}{' '}
          {first && !isEmpty && !beingChecked && (
            <span className="muted">{count === null ? t`more than ${most}` : number.format(count)}</span>
          )}
        </h2>
      </div>
      {!isEmpty && <TradeFilters source={source} values={values} symbols={first?.symbols ?? []} />}
      {!enabled ? (
        <div className="account-trades-later" />
      ) : failed ? (
        <SectionError
          failure={failed.failure}
          onRetry={failed.again}
          reader={reader}
          title={reader === 'client' ? t`We could not load your closed trades.` : t`Closed trades could not be loaded.`}
        />
      ) : data && data.trades.length === 0 && !isPlaceholderData ? (
        <NoTrades
          isFiltered={isFiltered || after !== undefined}
          isReading={isReading}
          beingChecked={beingChecked}
          onClear={() => change({ ...firstPage, ...noTradeFilters })}
        />
      ) : (
        <TradesTable
          trades={data?.trades ?? []}
          first={first}
          beingChecked={beingChecked}
          currency={currency}
          values={values}
          busy={isPlaceholderData}
          next={isPlaceholderData ? null : (data?.next ?? null)}
        />
      )}
      {values.trade !== undefined && (
        <TradeDrawer
          source={source}
          ticket={values.trade}
          currency={currency}
          onClose={() => change({ trade: undefined })}
        />
      )}
    </section>
  )
}

/** Returns true once the element has become visible. */
function useHasBeenVisible(place: RefObject<HTMLElement | null>): boolean {
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    if (seen || !place.current) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true)
    })
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [seen, place])
  return seen
}

type FirstPage = Pick<ResponseOf<typeof getTrades>, 'total' | 'totals'>

interface TableProps {
  trades: readonly Trade[]
  /** Undefined while loading. */
  first: FirstPage | undefined
  /** Trades may be missing: they have no totals, and are not counted. */
  beingChecked: boolean
  currency: Currency
  values: AccountUrl
  busy: boolean
  next: string | null
}

function TradesTable({ trades, first, beingChecked, currency, values, busy, next }: TableProps) {
  const { t, i18n } = useLingui()
  const [path] = useLocation()
  const search = useSearch()
  const [, change] = useUrlState(accountUrl)
  const steps = useCursorPages(values)
  const columns = useTradeColumns(currency)
  const begin = (values.page - 1) * Number(values.size) + 1
  const end = begin + trades.length - 1
  const total = beingChecked ? undefined : next === null ? end : first?.total
  const number = numberFormat(i18n.locale)
  const from = number.format(begin)
  const to = number.format(end)
  const most = number.format(Math.max(tradesCountMax, end))
  const count = number.format(total ?? 0)
  const totals = first?.totals
  const costs = totals && totals.swap + totals.commission + totals.fee
  return (
    <>
      <div className="sheet">
        <Table
          caption={t`Closed trades`}
          columns={columns}
          rows={trades}
          rowKey={({ ticket }) => ticket}
          rowHref={({ ticket }) => path + changeQuery(search, { trade: ticket })}
          selectedKey={values.trade ?? null}
          sort={{ by: 'closedAt', direction: values.direction }}
          onSort={({ direction }) => change({ ...firstPage, direction })}
          busy={busy}
          foot={
            totals
              ? [
                  typeof first.total === 'number'
                    ? plural(first.total, { one: 'Total of # trade', other: 'Total of # trades' })
                    : t`Total`,
                  '',
                  '',
                  '',
                  '',
                  '',
                  <Money key="costs" amount={money(costs ?? 0n, currency)} signed bare />,
                  <Money key="profit" amount={money(totals.profit, currency)} signed />,
                ]
              : beingChecked
                ? [t`Total`, '', '', '', '', '', '', t`being checked`]
                : undefined
          }
        />
      </div>
      {trades.length > 0 && (
        <Pagination
          size={Number(values.size)}
          sizes={historyPageSizes}
          onSize={(size) => change({ ...firstPage, size })}
          onPrevious={values.after === undefined ? undefined : steps.previous}
          onNext={next === null ? undefined : () => steps.next(next)}
          reordered={values.direction !== 'desc'}
          range={
            total === undefined
              ? `${from}–${to}`
              : total === null
                ? t`${from}–${to} of more than ${most}`
                : t`${from}–${to} of ${count}`
          }
        />
      )}
    </>
  )
}

/** A cursor only leads forward, so those of visited pages are stored. */
function useCursorPages({ after, page }: AccountUrl) {
  const [, change] = useUrlState(accountUrl)
  const [seen, setSeen] = useState<Readonly<Record<number, string | undefined>>>({})
  return {
    next(to: string) {
      setSeen({ ...seen, [page]: after })
      change({ after: to, page: page + 1, trade: undefined }, { replace: false })
    },
    previous() {
      const to = seen[page - 1]
      change({ ...firstPage, after: to, page: to === undefined ? undefined : page - 1 }, { replace: false })
    },
  }
}

function useTradeColumns(currency: Currency): Column<Trade>[] {
  const { t } = useLingui()
  return [
    {
      head: t`Closed`,
      sort: 'closedAt',
      phone: 'status',
      cell: ({ closedAt }) => <Time at={closedAt} form="history" />,
    },
    { head: t`Symbol`, cell: (trade) => <TradedSymbol {...trade} />, phone: 'title' },
    {
      head: t`Side`,
      phone: 'time',
      cell: ({ side, openPrice, closePrice }) => <SideOrPrices side={side} from={openPrice} to={closePrice} />,
    },
    { head: t`Lots`, align: 'right', cell: ({ lots }) => <Decimal text={lots} /> },
    { head: t`Open price`, align: 'right', cell: ({ openPrice }) => <Decimal text={openPrice} /> },
    { head: t`Close price`, align: 'right', cell: ({ closePrice }) => <Decimal text={closePrice} /> },
    {
      head: t`Swap, fees`,
      align: 'right',
      cell: ({ swap, commission, fee }) => <Money amount={money(swap + commission + fee, currency)} signed bare />,
    },
    {
      head: t`Profit/loss, ${currency}`,
      align: 'right',
      phone: 'figure',
      cell: ({ profit }) => (
        <b className="strong">
          <Money amount={money(profit, currency)} signed bare />
        </b>
      ),
    },
  ]
}
