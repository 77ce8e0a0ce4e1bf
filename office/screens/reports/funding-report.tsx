import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { fundingReport, type Period } from '#contract/office/records.ts'
import type { Currency } from '#rules/money.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { ErrorPanel } from '#ui/feedback/error-panel.tsx'
import { Money, moneyText } from '#ui/money/money.tsx'
import { type Column, Table } from '#ui/data/table.tsx'
import { calendarDayWords } from '#ui/text/time.tsx'
import { Bars } from './bars.tsx'
import { ReportFigure } from './report-figure.tsx'

type Flow = 'deposited' | 'refunded' | 'withdrawn' | 'returned' | 'net'
type Flows = Record<Flow, bigint> & { currency: Currency }
type ColumnTraits = Pick<Column<Flows>, 'phone'> & {
  /** Whether the figure names itself where its column's head is not seen. */
  told?: boolean
}

/** Shows what came in and went out, by day, currency and method. */
export function FundingReport({ period }: { period: Period }) {
  const { t, i18n } = useLingui()
  const { data, error, isFetching, refetch } = useEndpoint(fundingReport, period, { keepLast: true })
  const money = (row: Flows, key: Flow) => (
    <Money amount={{ minor: row[key], currency: row.currency }} signed={key === 'net'} />
  )
  const column = (key: Flow, head: string, { told = false, ...rest }: ColumnTraits = {}): Column<Flows> => ({
    key,
    head,
    align: 'right',
    cell: (row) => (told ? <ReportFigure word={head}>{money(row, key)}</ReportFigure> : money(row, key)),
    ...rest,
  })
  const net = column('net', t`Net`, { phone: 'figure', told: true })
  // Beneath its amount, so that the table stays as narrow as its figures.
  const counted = (count: number, money: ReactNode) => (
    <>
      {money}
      {count > 0 && <div className="muted numbers">{count} ×</div>}
    </>
  )
  const instead = error ? (
    <ErrorPanel failure={error} onRetry={() => void refetch()} />
  ) : data?.rows.length === 0 ? (
    <EmptyState level="h2" title={<Trans>No payments in this period</Trans>} />
  ) : undefined
  return (
    <div className="report">
      <div className="stack-6">
        <section className="sheet">
          <Table
            caption={t`Deposits and withdrawals`}
            rows={data?.rows ?? []}
            rowKey={(row) => `${row.day} ${row.currency} ${row.method}`}
            busy={isFetching}
            instead={instead}
            columns={[
              { key: 'day', head: t`Day`, phone: 'title', cell: (row) => calendarDayWords(row.day, i18n.locale) },
              { key: 'method', head: t`Method`, phone: 'time', cell: (row) => row.method },
              { ...column('deposited', t`Received`), cell: (row) => counted(row.deposits, money(row, 'deposited')) },
              column('refunded', t`Refunded`),
              {
                ...column('withdrawn', t`Outgoing payment`),
                cell: (row) => counted(row.withdrawals, money(row, 'withdrawn')),
              },
              column('returned', t`Returned`),
              net,
            ]}
          />
        </section>
        {data && data.sums.length > 0 && (
          <section className="sheet">
            <header>
              <h2>
                <Trans>Total</Trans>
              </h2>
            </header>
            <Table
              caption={t`Totals by currency`}
              rows={data.sums}
              rowKey={(row) => row.currency}
              columns={[
                { key: 'currency', head: t`Currency`, phone: 'title', cell: (row) => row.currency },
                column('deposited', t`Received`, { phone: 'time', told: true }),
                column('refunded', t`Refunded`),
                column('withdrawn', t`Outgoing payment`, { phone: 'status', told: true }),
                column('returned', t`Returned`),
                net,
              ]}
            />
          </section>
        )}
      </div>
      <div className="stack-8">
        {data?.sums.map(({ currency, deposited, withdrawn }) => (
          <Bars
            key={currency}
            title={currency}
            bars={[
              {
                key: 'in',
                label: t`Received`,
                value: Number(deposited),
                text: moneyText({ minor: deposited, currency }, i18n.locale),
                tone: 'ok',
              },
              {
                key: 'out',
                label: t`Outgoing payment`,
                value: Number(withdrawn),
                text: moneyText({ minor: withdrawn, currency }, i18n.locale),
                tone: 'run',
              },
            ]}
          />
        ))}
      </div>
    </div>
  )
}
