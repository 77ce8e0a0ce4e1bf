import { Trans, useLingui } from '@lingui/react/macro'
import { getTransferTimeline, type HistoryList } from '#contract/history.ts'
import { ButtonLink } from '#ui/forms/button.tsx'
import { Drawer } from '#ui/overlays/dialog.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { ErrorPanel } from '#ui/feedback/error-panel.tsx'
import { useFirm } from '#ui/layout/firm.ts'
import { Money } from '#ui/money/money.tsx'
import { StatusBadge } from '#ui/data/status-badge.tsx'
import { numberText } from '../../funding/accounts.ts'
import { useMoneyStopped } from '../../portal-settings.ts'
import { CancelRecord } from './cancel-record.tsx'
import { amountOf, type HistoryRecord, recordOf } from './history-record.ts'
import { RecordDetails } from './record-details.tsx'
import { RecordTimeline } from './record-timeline.tsx'
import { getWireDetails } from '#contract/deposits.ts'
import { money } from '#rules/money.ts'
import { WireDetailsCard } from '../deposit-funds/wire-details-card.tsx'

export interface RecordDrawerProps {
  list: HistoryList
  id: string
  /** The row of the page behind the drawer; a link of a mail may lead to a record of another page. */
  listed: HistoryRecord | null
  onClose: () => void
}

/** The story of one request, what it is made of, and what the client can do about it. */
export function RecordDrawer({ list, id, listed, onClose }: RecordDrawerProps) {
  const { t } = useLingui()
  const { data, error, refetch } = useEndpoint(getTransferTimeline, { list, id }, { pollMs: 15_000 })
  const record = (data && recordOf(data)) ?? listed
  const moneyStopped = useMoneyStopped()?.accounts === true
  const stopped = data?.cancelStopped ?? moneyStopped
  const titles = { deposits: t`Deposit`, withdrawals: t`Withdrawal`, transfers: t`Internal transfer` }
  const waitsForWire =
    record?.list === 'deposits' && record.row.depositType === 'wire' && record.row.status === 'pending'
  return (
    <Drawer
      title={titles[list]}
      isOpen
      onClose={onClose}
      head={record ? <RecordHead record={record} /> : undefined}
      actions={record && <RecordActions key={record.row.id} record={record} stopped={stopped} />}
    >
      {error && !record && <ErrorPanel failure={error} onRetry={() => void refetch()} />}
      {record && (
        <section className="record-part">
          <h3>
            <Trans>History</Trans>
          </h3>
          {data && <RecordTimeline record={record} timeline={data.timeline} />}
          {error && !data && <ErrorPanel failure={error} onRetry={() => void refetch()} />}
        </section>
      )}
      {waitsForWire && <WireAgain id={record.row.id} />}
      {record && (
        <section className="record-part">
          <h3>
            <Trans>Details</Trans>
          </h3>
          <RecordDetails record={record} />
        </section>
      )}
    </Drawer>
  )
}

function RecordHead({ record }: { record: HistoryRecord }) {
  const sentence = useSentence(record)
  return (
    <div className="record-head">
      <StatusBadge state={record.row.status} />
      <Money amount={amountOf(record)} size="figure" />
      <p>{sentence}</p>
    </div>
  )
}

function useSentence(record: HistoryRecord): string {
  const { t } = useLingui()
  if (record.list === 'deposits') {
    const { depositMethod, accountNumber } = record.row
    return t`Deposit to ${numberText(accountNumber)}, ${depositMethod}`
  }
  if (record.list === 'withdrawals') {
    const { accountNumber, bankName, bankEnding } = record.row
    return t`Withdrawal from ${numberText(accountNumber)} to ${bankName}, ending\u00a0${bankEnding}`
  }
  const { sourceAccount, destinationAccount } = record.row
  return t`Transfer from ${numberText(sourceAccount)} to ${numberText(destinationAccount)}`
}

function RecordActions({ record, stopped }: { record: HistoryRecord; stopped: boolean }) {
  const support = useFirm()?.supportEmail
  return (
    <>
      {record.row.cancellable && <CancelRecord record={record} stopped={stopped} />}
      {support && (
        <ButtonLink
          kind="quiet"
          size="small"
          className="record-support"
          href={`mailto:${support}?subject=${encodeURIComponent(record.row.reference)}`}
        >
          <Trans>Contact support about this</Trans>
        </ButtonLink>
      )}
    </>
  )
}

/** Where to send an announced deposit, as its confirmation showed it. */
function WireAgain({ id }: { id: string }) {
  const { data, error, refetch } = useEndpoint(getWireDetails, { id })
  return (
    <section className="record-part">
      <h3>
        <Trans>Bank details for your payment</Trans>
      </h3>
      {error && <ErrorPanel failure={error} onRetry={() => void refetch()} />}
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
