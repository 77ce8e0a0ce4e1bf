import { useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { getTransferTimeline } from '#contract/history.ts'
import { Time } from '#ui/text/time.tsx'
import { Timeline, type TimelineEntry } from '#ui/data/timeline.tsx'
import type { StatusName } from '#ui/data/status-badge.tsx'
import { UserText } from '#ui/text/user-text.tsx'
import { usePortalSettings } from '../../portal-settings.ts'
import type { HistoryRecord } from './history-record.ts'

type Happened = ResponseOf<typeof getTransferTimeline>['timeline']

/** Shows what happened, newest on top, under what is still to come. */
export function RecordTimeline({ record, timeline }: { record: HistoryRecord; timeline: Happened }) {
  const ahead = useAhead(record)
  const { comment } = record.row
  const happened = timeline.toReversed().map(({ verb, state, at, text }): TimelineEntry => {
    const split = comment !== '' && text.endsWith(`: ${comment}`)
    return {
      mark: goesBack.includes(verb) ? 'returned' : markOf(state),
      title: split ? text.slice(0, -comment.length - 2) : text,
      ...(split ? { text: <UserText>{comment}</UserText> } : {}),
      time: <Time at={at} form="history" />,
    }
  })
  return <Timeline entries={[...(ahead === null ? [] : [ahead]), ...happened]} />
}

/** Money that went back to the payer: the deposit stays approved, and yet nothing good is told. */
const goesBack: readonly string[] = ['refunded', 'charged_back']

/** A step that happened is a disc, whatever state it led to, unless it ended the request badly. */
function markOf(state: string): StatusName {
  const bad: Record<string, StatusName> = { rejected: 'rejected', cancelled: 'cancelled', returned: 'returned' }
  return bad[state] ?? 'approved'
}

/** Returns the next step that has not happened yet; null where nothing more comes. */
function useAhead({ list, row }: HistoryRecord): TimelineEntry | null {
  const { t } = useLingui()
  const time = usePortalSettings()?.withdrawalMethods.find(({ type }) => type === 'wire')?.time
  if (row.status === 'pending') {
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
      text: t`Within one working day. The amount stays set aside until then. We will email you.`,
    }
  }
  if (row.status === 'processing')
    return {
      title: t`The trading platform processes it`,
      text: t`We will keep trying. You do not need to do anything.`,
    }
  if (row.status === 'approved' && list === 'withdrawals')
    return { title: t`We send it to your bank`, text: t`With the next payout run. We will email you when we send it.` }
  if (row.status === 'paid' && time)
    return { title: t`Your bank credits your account`, text: t`It should arrive ${time} after we send it.` }
  return null
}
