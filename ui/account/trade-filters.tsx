/** The filters of closed trades, and the text without matches. */
import { IconDownload, IconFilter } from '@tabler/icons-react'
import { Trans, useLingui } from '@lingui/react/macro'
import { minuteMs } from '#rules/dates.ts'
import { useFileDownload } from '#ui/api/use-saving.ts'
import { EmptyState } from '#ui/feedback/content-states.tsx'
import { Button } from '#ui/forms/button.tsx'
import { BareSelect } from '#ui/forms/select.tsx'
import { tradingDay } from '#rules/trading-days.ts'
import { useUrlState, changeQuery } from '#ui/navigation/url-state.ts'
import { DaysFilter } from '#ui/forms/days-filter.tsx'
import type { AccountSource } from './account-source.ts'
import { type AccountUrl, accountUrl, filtersOf, firstPage } from './account-url.ts'
import { TradingDayNote } from './trading-days.tsx'

export const noTradeFilters = {
  from: undefined,
  to: undefined,
  symbol: undefined,
  side: undefined,
  result: undefined,
} as const

interface TradeFiltersProps {
  source: AccountSource
  values: AccountUrl
  symbols: readonly string[]
}

export function TradeFilters({ source, values, symbols }: TradeFiltersProps) {
  const { t } = useLingui()
  const { address, calls, reader, clockMinutes } = source
  const [, change] = useUrlState(accountUrl)
  const { isPending, save } = useFileDownload()
  const filters = filtersOf(values)
  const set = (to: Partial<Record<keyof typeof filters, string | undefined>>) => change({ ...firstPage, ...to })
  const listed =
    filters.symbol === undefined || symbols.includes(filters.symbol) ? symbols : [...symbols, filters.symbol]
  const path = calls.csv.path.replace(':platform', address.platform).replace(':number', address.number)
  return (
    <div className="account-filters" role="group" aria-label={t`Filters`}>
      <DaysFilter
        from={filters.from}
        to={filters.to}
        today={() => tradingDay(Date.now() + (clockMinutes ?? 0) * minuteMs)}
        note={
          <>
            <TradingDayNote source={source} />{' '}
            {reader === 'client'
              ? t`Times in the list are in your device’s time zone.`
              : t`Times in the list are in the firm’s time zone.`}
          </>
        }
        onDays={set}
      />
      <BareSelect
        className="small"
        aria-label={t`Symbol`}
        value={filters.symbol ?? ''}
        onChange={(event) => set({ symbol: event.target.value })}
        options={[{ value: '', label: t`All symbols` }, ...listed.map((symbol) => ({ value: symbol, label: symbol }))]}
      />
      <BareSelect
        className="small"
        aria-label={t`Side`}
        value={filters.side ?? ''}
        onChange={(event) => set({ side: event.target.value })}
        options={[
          { value: '', label: t`Buy and sell` },
          { value: 'buy', label: t`Buy` },
          { value: 'sell', label: t`Sell` },
        ]}
      />
      <BareSelect
        className="small"
        aria-label={t`Result`}
        value={filters.result ?? ''}
        onChange={(event) => set({ result: event.target.value })}
        options={[
          { value: '', label: t`Profit and loss` },
          { value: 'profit', label: t`Profit` },
          { value: 'loss', label: t`Loss` },
        ]}
      />
      <span className="grow" />
      <Button
        size="small"
        icon={<IconDownload className="small" aria-hidden="true" />}
        pending={isPending}
        aria-label={t`Download these trades as CSV`}
        onClick={() => save(path + changeQuery('', filters), `trades-${address.number}.csv`)}
      >
        CSV
      </Button>
    </div>
  )
}

interface NoTradesProps {
  isFiltered: boolean
  isReading: boolean
  /** Trades may be missing. */
  beingChecked: boolean
  onClear: () => void
}

export function NoTrades({ isFiltered, isReading, beingChecked, onClear }: NoTradesProps) {
  const { t } = useLingui()
  if (isReading)
    return <p className="muted size-14">{t`Closed trades will appear here once the history has been loaded.`}</p>
  if (!isFiltered)
    return (
      <p className="muted size-14">{beingChecked ? t`Closed trades are being checked.` : t`No closed trades yet.`}</p>
    )
  return (
    <EmptyState
      icon={<IconFilter aria-hidden="true" />}
      title={<Trans>No closed trades match these filters.</Trans>}
      action={<button type="button" className="text-button" onClick={onClear}>{t`Clear filters`}</button>}
    >
      {beingChecked && t`Closed trades are being checked.`}
    </EmptyState>
  )
}
