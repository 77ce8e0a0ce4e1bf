import { Trans, useLingui } from '@lingui/react/macro'
import { IconFileTypePdf } from '@tabler/icons-react'
import { getTransferTimeline, receiptPdf, receiptStatuses, type HistoryList } from '#contract/history.ts'
import { useFileDownload } from '#ui/api/use-saving.ts'
import { Button } from '#ui/forms/button.tsx'
import { Drawer } from '#ui/overlays/dialog.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { ErrorPanel, Skeleton } from '#ui/feedback/content-states.tsx'
import { Money } from '#ui/money/money.tsx'
import { StatusBadge } from '#ui/data/status-badge.tsx'
import { accountNumberText } from '../../funding/accounts.ts'
import { useMoneyStopped } from '../../portal-settings.ts'
import { openContactForm } from '../../layout/panel.ts'
import { CancelRecord } from './cancel-record.tsx'
import { amountOf, type HistoryRecord, otherAmountOf, recordOf } from './history-record.ts'
import { kindOf } from './history-url.ts'
import { RecordDetails } from './record-details.tsx'
import { RecordTimeline } from './record-timeline.tsx'
import { getWireDetails } from '#contract/deposits.ts'
import { money } from '#rules/money.ts'
import { WireDetailsCard } from '../deposit-funds/wire-details-card.tsx'

interface RecordDrawerProps {
  list: HistoryList
  id: string
  /** The row on the page behind the drawer; a link in an email may open a record of another page. */
  listed: HistoryRecord | null
  onClose: () => void
}

/** The timeline of one request, its components, and the client's actions. */
export function RecordDrawer({ list, id, listed, onClose }: RecordDrawerProps) {
  const { t } = useLingui()
  const { data, error, refetch } = useEndpoint(getTransferTimeline, { list, id }, { pollMs: 15_000 })
  const record = (data && recordOf(data)) ?? listed
  const moneyStopped = useMoneyStopped()?.accounts === true
  const stopped = data?.cancelStopped ?? moneyStopped
  const titles = { deposits: t`Deposit`, withdrawals: t`Withdrawal`, transfers: t`Internal transfer` }
  const waitsForWire =
    record?.list === 'deposits' &&
    record.row.depositType === 'wire' &&
    record.row.status === 'pending' &&
    (data?.arrivedAt ?? null) === null
  return (
    <Drawer
      title={titles[list]}
      onClose={onClose}
      head={record ? <RecordHead record={record} /> : undefined}
      actions={record && <RecordActions key={record.row.id} record={record} stopped={stopped} />}
    >
      {error && !record && <ErrorPanel failure={error} onRetry={() => void refetch()} />}
      {(record || !error) && (
        <section className="record-part">
          <h3>{t`History`}</h3>
          {record && data && <RecordTimeline record={record} data={data} />}
          {error && !data && <ErrorPanel failure={error} onRetry={() => void refetch()} />}
          {!error && !data && <LoadingLines />}
        </section>
      )}
      {waitsForWire && <WireDetailsSection id={record.row.id} />}
      {(record || !error) && (
        <section className="record-part">
          <h3>{t`Details`}</h3>
          {record ? <RecordDetails record={record} /> : <LoadingLines />}
        </section>
      )}
    </Drawer>
  )
}

/** Placeholder of the two parts while the request loads. */
function LoadingLines() {
  return (
    <div className="stack" aria-busy="true">
      <Skeleton width="70%" />
      <Skeleton width="50%" />
    </div>
  )
}

function RecordHead({ record }: { record: HistoryRecord }) {
  const sentence = useSentence(record)
  return (
    <div className="record-head">
      <StatusBadge record={kindOf[record.list]} state={record.row.status} />
      <Money amount={otherAmountOf(record) ?? amountOf(record)} size="figure" />
      <p>{sentence}</p>
    </div>
  )
}

function useSentence(record: HistoryRecord): string {
  const { t } = useLingui()
  if (record.list === 'deposits') {
    const { depositMethod, accountNumber } = record.row
    return t`Deposit to ${accountNumberText(accountNumber)}, ${depositMethod}`
  }
  if (record.list === 'withdrawals') {
    const { accountNumber, bankName, bankEnding } = record.row
    return t`Withdrawal from ${accountNumberText(accountNumber)} to your ${bankName} account ending\u00a0${bankEnding}`
  }
  const { sourceAccount, destinationAccount } = record.row
  return t`Transfer from ${accountNumberText(sourceAccount)} to ${accountNumberText(destinationAccount)}`
}

function RecordActions({ record, stopped }: { record: HistoryRecord; stopped: boolean }) {
  return (
    <>
      {record.row.cancellable && <CancelRecord record={record} stopped={stopped} />}
      {receiptStatuses.includes(record.row.status) && <SaveReceipt record={record} />}
      <Button
        kind="quiet"
        size="small"
        className="record-support"
        aria-haspopup="dialog"
        onClick={() => openContactForm(record.row.reference)}
      >
        <Trans>Contact support about this</Trans>
      </Button>
    </>
  )
}

function SaveReceipt({ record: { list, row } }: { record: HistoryRecord }) {
  const { isPending, save } = useFileDownload()
  const path = receiptPdf.path.replace(':list', list).replace(':id', encodeURIComponent(row.id))
  return (
    <Button
      size="small"
      icon={<IconFileTypePdf className="small" aria-hidden="true" />}
      pending={isPending}
      onClick={() => save(path, `receipt-${row.reference}.pdf`)}
    >
      <Trans>Save receipt</Trans>
    </Button>
  )
}

/** The wire details of an announced deposit, as in its confirmation. */
function WireDetailsSection({ id }: { id: string }) {
  const { t } = useLingui()
  const { data, error, refetch } = useEndpoint(getWireDetails, { id })
  return (
    <section className="record-part">
      <h3>{t`Bank details for your payment`}</h3>
      {error && <ErrorPanel failure={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingLines />}
      {data && (
        <WireDetailsCard
          id={id}
          details={data.bankDetails}
          amount={money(data.amount, data.currency)}
          expiresAt={data.expiresAt}
        />
      )}
    </section>
  )
}
