import { useLingui } from '@lingui/react/macro'
import type { closingReasons } from '#contract/trading-history.ts'
import { type Currency, money } from '#rules/money.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { DescriptionList } from '#ui/data/description-list.tsx'
import { ErrorPanel } from '#ui/feedback/content-states.tsx'
import { Money } from '#ui/money/money.tsx'
import { Drawer } from '#ui/overlays/dialog.tsx'
import { Time } from '#ui/text/time.tsx'
import type { AccountSource } from './account-source.ts'
import { Decimal, decimalText } from './lots-and-prices.tsx'

interface TradeDrawerProps {
  source: AccountSource
  ticket: string
  currency: Currency
  onClose: () => void
}

/** One closed trade: its prices, costs, stops, and who or what closed it. */
export function TradeDrawer({ source, ticket, currency, onClose }: TradeDrawerProps) {
  const { t, i18n } = useLingui()
  const { data, error, refetch } = useEndpoint(source.calls.trade, { ...source.address, ticket })
  const trade = data?.trade
  const amount = (minor: bigint) => <Money amount={money(minor, currency)} signed bare />
  const price = (text: string | null) => (text === null ? '–' : <Decimal text={text} />)
  const reasons: Readonly<Record<(typeof closingReasons)[number], string>> = {
    client: source.reader === 'client' ? t`You` : t`Client`,
    expert: t`Expert advisor`,
    dealer: t`Dealer`,
    'stop-loss': t`Stop loss`,
    'take-profit': t`Take profit`,
    'stop-out': t`Stop-out (margin too low)`,
    rollover: t`Rollover`,
    other: t`Other`,
  }
  return (
    <Drawer
      title={t`Closed trade`}
      onClose={onClose}
      head={
        trade && (
          <div className="trade-head">
            <Money amount={money(trade.result, currency)} size="figure" signed />
            <p className="muted size-14">
              {trade.side === 'buy' ? t`Buy` : t`Sell`} {decimalText(trade.lots, i18n.locale)} {trade.symbol}
            </p>
          </div>
        )
      }
    >
      {error && !data && <ErrorPanel failure={error} onRetry={() => void refetch()} />}
      {trade && (
        <DescriptionList
          rows={[
            { key: t`Ticket`, value: trade.ticket },
            { key: t`Position`, value: trade.position },
            trade.order !== null && { key: t`Order`, value: trade.order },
            { key: t`Opened`, value: <Time at={trade.openedAt} form="history" /> },
            { key: t`Closed`, value: <Time at={trade.closedAt} form="history" /> },
            { key: t`Open price`, value: price(trade.openPrice) },
            { key: t`Close price`, value: price(trade.closePrice) },
            { key: t`Stop loss`, value: price(trade.stopLoss) },
            { key: t`Take profit`, value: price(trade.takeProfit) },
            { key: t`Profit/loss, ${currency}`, value: amount(trade.profit) },
            { key: t`Swap`, value: amount(trade.swap) },
            { key: t`Commission`, value: amount(trade.commission) },
            { key: t`Fee`, value: amount(trade.fee) },
            { key: t`Result`, value: <b className="strong">{amount(trade.result)}</b> },
            { key: t`Closed by`, value: reasons[trade.reason] },
          ]}
        />
      )}
    </Drawer>
  )
}
