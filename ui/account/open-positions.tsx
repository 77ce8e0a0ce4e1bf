import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { OpenPosition, OpenTrades, orderKinds, PendingOrder } from '#contract/open-trades.ts'
import { type Currency, money } from '#rules/money.ts'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { type Column, Table } from '#ui/data/table.tsx'
import { Money } from '#ui/money/money.tsx'
import { SecondTime } from '#ui/text/second-time.tsx'
import { Time } from '#ui/text/time.tsx'
import { platformNames } from './platform-names.ts'
import type { AccountSource } from './account-source.ts'
import { useIsReadingLate } from './late-figures.ts'
import { Decimal, SideOrPrices, TradedSymbol } from './lots-and-prices.tsx'
import { SectionError } from './section-error.tsx'

/** The polling interval in ms. Staff have no stream; a client's page polls only while its stream is interrupted. */
const pollMs = { staff: 15_000, client: 60_000 } as const

export interface PushedTrades extends OpenTrades {
  readonly readAt: Date
}

export interface OpenPositionsProps {
  source: AccountSource
  currency: Currency
  /** The last data of the stream. */
  pushed?: PushedTrades | undefined
  /** The server says that the platform has not responded for longer than expected. */
  silent: boolean
  /** The platform has closed the account: nothing moves any more. */
  closed: boolean
  /** The first date of the firm's notice, until which clients can close their positions, in the firm's words. */
  closeBy?: { when: string; what: string } | undefined
}

/** Open positions and pending orders on the platform; they can be changed only there. */
export function OpenPositions({ source, currency, pushed, silent, closed, closeBy }: OpenPositionsProps) {
  const { t } = useLingui()
  const { calls, address, reader } = source
  const read = useEndpoint(calls.positions, { ...address }, { pollMs: pollMs[reader] })
  const { error, refetch } = read
  const isLate = useIsReadingLate(read.dataUpdatedAt, pushed)
  const old = silent || isLate
  const data = pushed && read.data ? newerReading(read.data, pushed) : read.data
  const positions = data?.positions ?? []
  const orders = data?.orders ?? []
  const name = platformNames[address.platform]
  const columns = usePositionColumns(currency)
  if (data?.history === 'reading' && data.readAt === null) return null
  return (
    <section className="account-part">
      <div className="account-part-head">
        <h2>
          {t`Open positions`} {positions.length > 0 && <span className="muted">{positions.length}</span>}
        </h2>
        {data?.readAt && (
          <p className="muted size-13 numbers">
            {old || closed ? (
              <Trans>
                as of <SecondTime at={data.readAt} />
              </Trans>
            ) : (
              <Trans>
                as of <SecondTime at={data.readAt} />, updated every 15{'\u00a0'}s
              </Trans>
            )}
          </p>
        )}
      </div>
      {error && !data ? (
        <SectionError
          failure={error}
          onRetry={() => void refetch()}
          reader={reader}
          title={
            reader === 'client' ? t`We could not load your open positions.` : t`Open positions could not be loaded.`
          }
        />
      ) : data?.readAt === null ? (
        <p className="muted size-14">
          {reader === 'client' ? (
            <Trans>{name} has not responded. Your positions are not affected. We will keep trying.</Trans>
          ) : (
            <Trans>{name} has not responded.</Trans>
          )}
        </p>
      ) : data && positions.length === 0 ? (
        <p className="muted size-14">{t`No open positions.`}</p>
      ) : (
        <>
          <div className={old ? 'sheet account-open old' : 'sheet account-open'}>
            <Table
              caption={t`Open positions`}
              columns={columns}
              rows={positions}
              rowKey={({ ticket }) => ticket}
              subtotal={
                data && [
                  <Plural key="count" value={positions.length} one="# open position" other="# open positions" />,
                  '',
                  '',
                  '',
                  '',
                  '',
                  <Money key="swap" amount={money(data.totals.swap, currency)} signed bare />,
                  <Money key="profit" amount={money(data.totals.profit, currency)} signed bare />,
                ]
              }
              foot={
                data && [
                  t`Unrealised P&L, including swap`,
                  '',
                  '',
                  '',
                  '',
                  '',
                  '',
                  <Money key="profit" amount={money(data.totals.profit + data.totals.swap, currency)} signed />,
                ]
              }
            />
          </div>
          {reader === 'client' && (
            <p className="muted size-13 account-note">
              <Trans>You close and change positions in {name}.</Trans>
            </p>
          )}
          {closeBy && positions.length > 0 && (
            <p className="size-14 account-note">
              <b className="strong">{closeBy.when}</b>: {closeBy.what}
            </p>
          )}
        </>
      )}
      {orders.length > 0 && <PendingOrders orders={orders} />}
    </section>
  )
}

function newerReading<Read extends OpenTrades & { readAt: Date | null }>(read: Read, pushed: PushedTrades): Read {
  return read.readAt !== null && read.readAt > pushed.readAt ? read : { ...read, ...pushed }
}

function usePositionColumns(currency: Currency): Column<OpenPosition>[] {
  const { t } = useLingui()
  return [
    { head: t`Symbol`, cell: (position) => <TradedSymbol {...position} />, phone: 'title' },
    {
      head: t`Side`,
      phone: 'time',
      cell: ({ side, openPrice, price }) => <SideOrPrices side={side} from={openPrice} to={price} />,
    },
    { head: t`Lots`, align: 'right', cell: ({ lots }) => <Decimal text={lots} /> },
    {
      head: t`Opened`,
      wideOnly: true,
      cell: ({ openedAt }) => (
        <span className="muted">
          <Time at={openedAt} form="history" />
        </span>
      ),
    },
    { head: t`Open price`, align: 'right', cell: ({ openPrice }) => <Decimal text={openPrice} /> },
    { head: t`Current price`, align: 'right', cell: ({ price }) => <Decimal text={price} /> },
    {
      head: t`Swap`,
      align: 'right',
      phone: 'status',
      cell: ({ swap }) => (
        <>
          <span className="phone-only muted">{t`Swap`} </span>
          <Money amount={money(swap, currency)} signed bare />
        </>
      ),
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

function PendingOrders({ orders }: { orders: readonly PendingOrder[] }) {
  const { t } = useLingui()
  const kinds: Readonly<Record<(typeof orderKinds)[number], string>> = {
    'buy-limit': t`Buy limit`,
    'sell-limit': t`Sell limit`,
    'buy-stop': t`Buy stop`,
    'sell-stop': t`Sell stop`,
    'buy-stop-limit': t`Buy stop limit`,
    'sell-stop-limit': t`Sell stop limit`,
  }
  return (
    <>
      <h3 className="account-orders">
        {t`Pending orders`} <span className="muted">{orders.length}</span>
      </h3>
      <div className="sheet">
        <Table
          caption={t`Pending orders`}
          rows={orders}
          rowKey={({ ticket }) => ticket}
          columns={[
            { head: t`Symbol`, cell: ({ symbol }) => <b className="strong">{symbol}</b>, phone: 'title' },
            { head: t`Order`, cell: ({ kind }) => kinds[kind], phone: 'time' },
            { head: t`Lots`, align: 'right', cell: ({ lots }) => <Decimal text={lots} />, phone: 'status' },
            { head: t`Placed`, cell: ({ placedAt }) => <Time at={placedAt} form="history" />, wideOnly: true },
            { head: t`Price`, align: 'right', cell: ({ price }) => <Decimal text={price} />, phone: 'figure' },
            {
              head: t`S/L, T/P`,
              align: 'right',
              cell: ({ stopLoss, takeProfit }) => (
                <>
                  {stopLoss === null ? '–' : <Decimal text={stopLoss} />},{' '}
                  {takeProfit === null ? '–' : <Decimal text={takeProfit} />}
                </>
              ),
            },
          ]}
        />
      </div>
    </>
  )
}
