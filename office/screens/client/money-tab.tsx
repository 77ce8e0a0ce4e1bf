import { useLingui } from '@lingui/react/macro'
import { getClientMoney } from '#contract/office/client-tabs.ts'
import { officePaths } from '#contract/office-paths.ts'
import { EmptyState } from '#ui/feedback/content-states.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { groupedByFour } from '#ui/text/code-format.ts'
import { DescriptionList } from '#ui/data/description-list.tsx'
import { Money } from '#ui/money/money.tsx'
import { Pagination } from '#ui/data/pagination.tsx'
import { StatusBadge } from '#ui/data/status-badge.tsx'
import { Table } from '#ui/data/table.tsx'
import { Time } from '#ui/text/time.tsx'
import { Codes } from '#ui/text/codes.tsx'
import { rowsPlaceholder } from '../../records/list-rows.tsx'
import { useListPages } from '../../records/pages.ts'
import { useRecordLabel } from '../../records/work-item-labels.ts'
import { Exposure } from './exposure.tsx'

const paths = { deposit: officePaths.deposit, withdrawal: officePaths.withdrawal, transfer: officePaths.transfer }

/** Payments by currency, amounts in transit, and all requests, newest first. */
export function MoneyTab({ clientId, number }: { clientId: string; number: string }) {
  const { t } = useLingui()
  const word = useRecordLabel()
  const pages = useListPages(clientId)
  const { data, error, isFetching, refetch } = useEndpoint(
    getClientMoney,
    { id: clientId, cursor: pages.cursor, size: pages.size },
    { keepLast: true },
  )
  const instead = rowsPlaceholder({ data, error, refetch }, <EmptyState level="h2" title={t`No payments yet`} />)
  return (
    <div className="stack-6">
      <Exposure clientId={clientId} number={number} />
      {data && data.sums.length > 0 && (
        <div className="columns-3">
          {data.sums.map(({ currency, pendingDeposits, pendingWithdrawals }) => (
            <section key={currency} className="sheet">
              <header>
                <h2>{t`In transit, ${currency}`}</h2>
              </header>
              <div className="padded">
                <DescriptionList
                  rows={[
                    {
                      key: t`Deposits`,
                      value: <Money amount={{ minor: pendingDeposits, currency }} />,
                    },
                    {
                      key: t`Withdrawals`,
                      value: <Money amount={{ minor: pendingWithdrawals, currency }} />,
                    },
                  ]}
                />
              </div>
            </section>
          ))}
        </div>
      )}
      <section className="sheet">
        <Table
          caption={t`Deposits, withdrawals and transfers`}
          rows={data?.rows ?? []}
          rowKey={(row) => row.id}
          rowHref={(row) => paths[row.kind](row.id)}
          busy={isFetching}
          instead={instead}
          columns={[
            { head: t`Reference`, cell: (row) => <Codes>{row.reference}</Codes> },
            { head: t`Type`, phone: 'title', cell: (row) => <b className="strong">{word(row.kind)}</b> },
            { head: t`Requested`, phone: 'time', cell: (row) => <Time at={row.at} /> },
            {
              head: t`Account`,
              cell: (row) => (
                <span className="unbroken">
                  {groupedByFour(row.accountNumber)}
                  {row.otherAccount && <> → {groupedByFour(row.otherAccount)}</>}
                </span>
              ),
            },
            { head: t`Method`, cell: (row) => row.method || '–' },
            {
              head: t`Amount`,
              align: 'right',
              phone: 'figure',
              cell: (row) => <Money amount={{ minor: row.amount, currency: row.currency }} />,
            },
            {
              head: t`Status`,
              phone: 'status',
              cell: (row) => (
                <>
                  <StatusBadge record={row.kind} state={row.state} />
                  {row.comment && <p className="muted">{row.comment}</p>}
                </>
              ),
            },
          ]}
        />
      </section>
      <Pagination {...pages.shown(data?.next)} />
    </div>
  )
}
