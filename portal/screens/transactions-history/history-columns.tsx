import { Trans, useLingui } from '@lingui/react/macro'
import type { DepositRow, HistoryList } from '#contract/history.ts'
import { money } from '#rules/money.ts'
import { Money } from '#ui/money/money.tsx'
import { StatusBadge } from '#ui/data/status-badge.tsx'
import type { Column } from '#ui/data/table.tsx'
import { Time } from '#ui/text/time.tsx'
import { accountNumberText } from '../../funding/accounts.ts'
import { kindOf } from './history-url.ts'
import { amountOf, type HistoryRecord, otherAmountOf } from './history-record.ts'

/** Returns the columns of a list; amount and status can be scanned in one column each. */
export function useHistoryColumns(list: HistoryList): Column<HistoryRecord>[] {
  const { t } = useLingui()
  const amountSorts = {
    deposits: 'depositAmountSent',
    withdrawals: 'withdrawalAmount',
    transfers: 'transferAmount',
  } as const
  return [
    { head: t`Time`, sort: 'timestamp', phone: 'time', cell: ({ row }) => <Time at={row.timestamp} form="history" /> },
    ...(list === 'transfers' ? transferColumns(t`From`, t`To`) : requestColumns(list, t`Account`, t`Method`)),
    { head: t`Reference`, cell: ({ row }) => <span className="muted numbers unbroken">{row.reference}</span> },
    {
      head: t`Amount`,
      align: 'right',
      sort: amountSorts[list],
      phone: 'figure',
      cell: (record) => (
        <span className="history-amount">
          <Money amount={amountOf(record)} />
        </span>
      ),
    },
    {
      head: t`Status`,
      sort: 'status',
      phone: 'status',
      cell: (record) => (
        <>
          <StatusBadge record={kindOf[record.list]} state={record.row.status} />
          <ReceivedAmount record={record} />
          {record.list === 'deposits' && <ReturnedAmounts row={record.row} />}
        </>
      ),
    },
  ]
}

/**
 * The amount received, if it differs. The amount column keeps the requested one, by which the list is sorted.
 */
function ReceivedAmount({ record }: { record: HistoryRecord }) {
  const received = otherAmountOf(record)
  if (received === null) return null
  return (
    <small className="history-other-amount">
      <Trans>
        Received: <Money amount={received} />
      </Trans>
    </small>
  )
}

/** Refund and chargeback are shown separately: the deposit beside them is unchanged. */
function ReturnedAmounts({
  row: { depositRefunded, depositChargedBack, depositCurrency: currency },
}: {
  row: DepositRow
}) {
  return (
    <>
      {depositRefunded > 0n && (
        <small className="history-other-amount">
          <Trans>
            Refunded: <Money amount={money(depositRefunded, currency)} />
          </Trans>
        </small>
      )}
      {depositChargedBack > 0n && (
        <small className="history-other-amount">
          <Trans>
            Charged back: <Money amount={money(depositChargedBack, currency)} />
          </Trans>
        </small>
      )}
    </>
  )
}

function requestColumns(list: 'deposits' | 'withdrawals', account: string, method: string): Column<HistoryRecord>[] {
  return [
    {
      head: account,
      sort: 'accountNumber',
      cell: (record) => <Number number={record.list === 'transfers' ? '' : record.row.accountNumber} />,
    },
    { head: method, sort: list === 'deposits' ? 'depositType' : 'withdrawalType', phone: 'title', cell: methodOf },
  ]
}

function transferColumns(from: string, to: string): Column<HistoryRecord>[] {
  return [
    {
      head: from,
      sort: 'sourceAccount',
      phone: 'title',
      cell: (record) =>
        record.list === 'transfers' && (
          <>
            <Number number={record.row.sourceAccount} />
            <span className="history-destination">
              {' → '}
              <Number number={record.row.destinationAccount} />
            </span>
          </>
        ),
    },
    {
      head: to,
      sort: 'destinationAccount',
      cell: (record) => record.list === 'transfers' && <Number number={record.row.destinationAccount} />,
    },
  ]
}

function Number({ number }: { number: string }) {
  return <span className="numbers unbroken">{accountNumberText(number)}</span>
}

function methodOf(record: HistoryRecord): string {
  if (record.list === 'deposits') return record.row.depositMethod
  return record.list === 'withdrawals' ? record.row.withdrawalMethod : ''
}
