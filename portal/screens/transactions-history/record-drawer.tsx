import { Trans, useLingui } from '@lingui/react/macro'
import { IconFileTypePdf } from '@tabler/icons-react'
import { getTransferTimeline, receiptPdf, receiptStatuses, type HistoryList } from '#contract/history.ts'
import { useFileDownload } from '#ui/api/use-saving.ts'
import { Button } from '#ui/forms/button.tsx'
import { Drawer } from '#ui/overlays/dialog.tsx'
import { useEndpoint } from '#ui/api/endpoint-query.ts'
import { ErrorPanel, Skeleton } from '#ui/feedback/content-states.tsx'
import { Money } from '#ui/money/money.tsx'
import { StatusBadge, type StatusName } from '#ui/data/status-badge.tsx'
import { ContinuesFrom } from '../../funding/continues-from.tsx'
import { accountNumberText } from '../../funding/accounts.ts'
import { useMoneyStopped, usePortalSettings } from '../../portal-settings.ts'
import { openContactForm } from '../../layout/panel.ts'
import { CancelRecord } from './cancel-record.tsx'
import { amountOf, type HistoryRecord, otherAmountOf, recordOf } from './history-record.ts'
import { kindOf } from './history-url.ts'
import { RecordDetails } from './record-details.tsx'
import { getWireDetails } from '#contract/deposits.ts'
import { money } from '#rules/money.ts'
import { WireDetailsCard } from '../deposit-funds/wire-details-card.tsx'
import type { ResponseOf } from '#contract/endpoint.ts'
import { Time } from '#ui/text/time.tsx'
import { Timeline, type TimelineEntry } from '#ui/data/timeline.tsx'
import { UserText } from '#ui/text/user-text.tsx'
import { withUnbrokenRanges } from '#ui/text/no-break.ts'

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

type Happened = ResponseOf<typeof getTransferTimeline>

/** Shows past steps, newest first, below the next step. */
function RecordTimeline({
  record,
  data: { timeline, continuesAt, arrivedAt },
}: {
  record: HistoryRecord
  data: Happened
}) {
  const { t } = useLingui()
  const ahead = useNextStep(record, { isDelayed: continuesAt !== null, hasArrived: arrivedAt !== null })
  const { comment } = record.row
  /** Returns where the money is if a step says only that the request has ended. */
  const moneyAfter = (verb: string, state: string): string | null => {
    if (record.list === 'deposits') return null
    if (released.includes(state)) return t`The amount is available on your account again.`
    return verb === 'return'
      ? t`Your bank sent the money back to us. We credit it to your trading account. Check your bank details before you request another withdrawal.`
      : null
  }
  const happened = timeline.toReversed().map(({ verb, state, at, text }): TimelineEntry => {
    const split = comment !== '' && text.endsWith(`: ${comment}`)
    const money = moneyAfter(verb, state)
    return {
      mark: goesBack.includes(verb) ? 'returned' : markOf(state),
      title: split ? text.slice(0, -comment.length - 2) : text,
      ...(split || money !== null
        ? {
            text: (
              <>
                {split && <UserText>{comment}</UserText>} {money}
              </>
            ),
          }
        : {}),
      time: <Time at={at} form="history" />,
    }
  })
  return (
    <div className="stack">
      <ContinuesFrom at={continuesAt} />
      <Timeline
        entries={[
          ...(ahead === null ? [] : [ahead]),
          ...(arrivedAt === null
            ? []
            : [
                {
                  mark: 'approved' as const,
                  title: t`Payment received`,
                  time: <Time at={arrivedAt} form="history" />,
                },
              ]),
          ...happened,
        ]}
      />
    </div>
  )
}

/** A withdrawal or transfer that ends like this has left the money on its account, or brought it back. */
const released: readonly string[] = ['rejected', 'cancelled']

/** Money returned to the payer: the deposit stays approved, but the mark is not positive. */
const goesBack: readonly string[] = ['refunded', 'charged_back', 'returned', 'repaid']

/** Returns the mark of a past step: a disc, whatever state followed, unless it ended the request without success. */
function markOf(state: string): StatusName {
  const bad: Record<string, StatusName> = {
    rejected: 'rejected',
    cancelled: 'cancelled',
    returned: 'returned',
    in_review: 'pending',
    uncredited: 'rejected',
  }
  return bad[state] ?? 'approved'
}

interface Ahead {
  /** A time is shown before which the next step cannot happen. */
  isDelayed: boolean
  /** The payment of a bank transfer has been received. */
  hasArrived: boolean
}

/** Returns the next step, or null if none follows. */
function useNextStep({ list, row }: HistoryRecord, { isDelayed, hasArrived }: Ahead): TimelineEntry | null {
  const { t } = useLingui()
  const time = withUnbrokenRanges(
    usePortalSettings()?.withdrawalMethods.find(({ type }) => type === 'wire')?.time ?? '',
  )
  if (row.status === 'pending') {
    if (hasArrived)
      return {
        title: t`We check your payment and credit it`,
        text: t`Usually within one working day. We will email you.`,
      }
    if (list === 'deposits' && row.depositType === 'wire')
      return {
        title: t`Your bank sends the money`,
        text: t`We identify it by the payment reference on the working day it arrives.`,
      }
    if (list === 'deposits')
      return {
        title: t`The provider confirms the payment`,
        text: t`If you have paid, do not pay again. If not, cancel this deposit and start a new one.`,
      }
    return {
      title: t`We review your request`,
      text: isDelayed
        ? t`Within one working day after that time. The amount stays set aside until then. We will email you.`
        : t`Within one working day. The amount stays set aside until then. We will email you.`,
    }
  }
  if (row.status === 'in_review')
    return {
      title: t`We check the payment`,
      text: t`The payment provider has the payment. Do not pay again. We will email you.`,
    }
  if (row.status === 'uncredited')
    return {
      title: t`We credit or return the payment`,
      text: t`We have your money. Do not pay again. We will email you.`,
    }
  if (row.status === 'refunding')
    return {
      title: t`The payment provider returns the payment`,
      text: t`It goes to the card or account that you paid with. We will email you.`,
    }
  if (row.status === 'processing')
    return {
      title: t`The trading platform processes it`,
      text: t`We will keep trying. You do not need to do anything.`,
    }
  if (row.status === 'approved' && list === 'withdrawals')
    return {
      title: t`We send it to your bank`,
      text: t`With the next payout batch. We will email you when we send it.`,
    }
  if (row.status === 'paid' && time)
    return { title: t`Your bank credits your account`, text: t`It should arrive ${time} after we send it.` }
  return null
}
