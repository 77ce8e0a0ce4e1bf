import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { fundingReport } from '#contract/office/records.ts'
import type { Currency } from '#rules/money.ts'
import { Empty } from '#ui/empty.tsx'
import { useEndpoint } from '#ui/endpoint-query.ts'
import { ErrorPanel } from '#ui/error-panel.tsx'
import { Money, moneyText } from '#ui/money.tsx'
import { Table } from '#ui/table.tsx'
import { Bars } from './bars.tsx'
import type { Period } from './reports.tsx'
import { Told } from './told.tsx'

/** What came in and went out, by day, currency and method. */
export function FundingReport({ period }: { period: Period }) {
  const { t, i18n } = useLingui()
  const { data, error, isFetching, refetch } = useEndpoint(fundingReport, period, { keepLast: true })
  const amount = (minor: bigint, currency: Currency, signed = false) => (
    <Money amount={{ minor, currency }} signed={signed} />
  )
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
    <Empty level="h2" title={<Trans>No money moved in this period</Trans>} />
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
              { key: 'day', head: t`Day`, phone: 'title', cell: (row) => row.day.replaceAll('-', '/') },
              { key: 'method', head: t`Method`, phone: 'time', cell: (row) => row.method },
              {
                key: 'deposited',
                head: t`Came in`,
                align: 'right',
                cell: (row) => counted(row.deposits, amount(row.deposited, row.currency)),
              },
              {
                key: 'refunded',
                head: t`Refunded`,
                align: 'right',
                cell: (row) => amount(row.refunded, row.currency),
              },
              {
                key: 'withdrawn',
                head: t`Went out`,
                align: 'right',
                cell: (row) => counted(row.withdrawals, amount(row.withdrawn, row.currency)),
              },
              {
                key: 'returned',
                head: t`Returned`,
                align: 'right',
                cell: (row) => amount(row.returned, row.currency),
              },
              {
                key: 'net',
                head: t`Net`,
                align: 'right',
                phone: 'figure',
                cell: (row) => <Told word={t`Net`}>{amount(row.net, row.currency, true)}</Told>,
              },
            ]}
          />
        </section>
        {data && data.sums.length > 0 && (
          <section className="sheet">
            <header>
              <h2>
                <Trans>In all</Trans>
              </h2>
            </header>
            <Table
              caption={t`Sums by currency`}
              rows={data.sums}
              rowKey={(row) => row.currency}
              columns={[
                { key: 'currency', head: t`Currency`, phone: 'title', cell: (row) => row.currency },
                {
                  key: 'deposited',
                  head: t`Came in`,
                  align: 'right',
                  phone: 'time',
                  cell: (row) => <Told word={t`Came in`}>{amount(row.deposited, row.currency)}</Told>,
                },
                {
                  key: 'refunded',
                  head: t`Refunded`,
                  align: 'right',
                  cell: (row) => amount(row.refunded, row.currency),
                },
                {
                  key: 'withdrawn',
                  head: t`Went out`,
                  align: 'right',
                  phone: 'status',
                  cell: (row) => <Told word={t`Went out`}>{amount(row.withdrawn, row.currency)}</Told>,
                },
                {
                  key: 'returned',
                  head: t`Returned`,
                  align: 'right',
                  cell: (row) => amount(row.returned, row.currency),
                },
                {
                  key: 'net',
                  head: t`Net`,
                  align: 'right',
                  phone: 'figure',
                  cell: (row) => <Told word={t`Net`}>{amount(row.net, row.currency, true)}</Told>,
                },
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
                label: t`Came in`,
                value: Number(deposited),
                text: moneyText({ minor: deposited, currency }, i18n.locale),
                tone: 'ok',
              },
              {
                key: 'out',
                label: t`Went out`,
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
