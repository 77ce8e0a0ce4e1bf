import { useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { getTransferTimeline } from '#contract/history.ts'
import type { StatusName } from '#ui/data/status-badge.tsx'
import { Timeline, type TimelineEntry } from '#ui/data/timeline.tsx'
import { withUnbrokenRanges } from '#ui/text/no-break.ts'
import { Time } from '#ui/text/time.tsx'
import { UserText } from '#ui/text/user-text.tsx'
import { ContinuesFrom } from '../../funding/continues-from.tsx'
import { usePortalSettings } from '../../portal-settings.ts'
import type { HistoryRecord } from './history-record.ts'

interface RecordTimelineProps {
  record: HistoryRecord
  data: ResponseOf<typeof getTransferTimeline>
}

/** Shows past steps, newest first, below the next step. */
export function RecordTimeline({ record, data: { timeline, continuesAt, arrivedAt } }: RecordTimelineProps) {
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
  const arrived: TimelineEntry[] =
    arrivedAt === null
      ? []
      : [{ mark: 'approved', title: t`Payment received`, time: <Time at={arrivedAt} form="history" /> }]
  return (
    <div className="stack">
      <ContinuesFrom at={continuesAt} />
      <Timeline entries={[...(ahead === null ? [] : [ahead]), ...arrived, ...happened]} />
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
        title: t`We check the payment`,
        text: t`We will credit or return it, usually within one working day. We will email you.`,
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
