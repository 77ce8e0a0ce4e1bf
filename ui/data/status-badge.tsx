import {
  IconArrowBackUp,
  IconBan,
  IconCalendarX,
  IconChecks,
  IconCircleCheckFilled,
  IconClockHour4,
  IconFileCheck,
  IconLock,
  IconProgress,
  IconSquareRoundedXFilled,
  IconUserCheck,
  type TablerIcon,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { statusKey, statusLabels, type StatusRecord } from '#contract/status-labels.ts'
import { useLabels } from '../i18n/labels.ts'
import './status-badge.css'

/** The closed list of requirements 36.5; an unknown response of a platform is "processing", never "failed". */
const looks = {
  uploaded: { icon: IconFileCheck, tone: '' },
  pending: { icon: IconClockHour4, tone: 'tone-wait' },
  second_approval: { icon: IconUserCheck, tone: 'tone-wait' },
  processing: { icon: IconProgress, tone: 'tone-run' },
  approved: { icon: IconCircleCheckFilled, tone: 'tone-ok' },
  paid: { icon: IconChecks, tone: 'tone-ok' },
  rejected: { icon: IconSquareRoundedXFilled, tone: 'tone-bad' },
  returned: { icon: IconArrowBackUp, tone: 'tone-bad' },
  expired: { icon: IconCalendarX, tone: 'tone-bad' },
  cancelled: { icon: IconBan, tone: '' },
  suspended: { icon: IconLock, tone: '' },
  in_review: { icon: IconClockHour4, tone: 'tone-wait' },
  uncredited: { icon: IconClockHour4, tone: 'tone-wait' },
  refunding: { icon: IconProgress, tone: 'tone-run' },
  refunded: { icon: IconArrowBackUp, tone: 'tone-bad' },
} as const
export type StatusName = keyof typeof looks
export const statusNames = Object.keys(looks) as StatusName[]

/**
 * A status as word, shape and colour, so that it can be distinguished in greyscale. A word not in the list has the mark
 * of a status of the same meaning, if given.
 */
export function StatusBadge({ record, state, mark }: { record: StatusRecord; state: string; mark?: StatusName }) {
  const word = useStatusLabel(record)
  const known = statusOf(state) ?? mark
  if (!known) return <span className="status">{word(state)}</span>
  return <StatusDisplay {...looks[known]}>{word(state)}</StatusDisplay>
}

/** A status of another list (payout batches), in the same design. */
export function StatusDisplay({ icon: Icon, tone, children }: { icon: TablerIcon; tone: string; children: ReactNode }) {
  return (
    <span className={`status ${tone}`}>
      <Icon className="small" aria-hidden="true" />
      {children}
    </span>
  )
}

/** A word with the mark of the status of the same meaning. */
export function StatusWithMark({ mark, children }: { mark: StatusName; children: ReactNode }) {
  return <StatusDisplay {...looks[mark]}>{children}</StatusDisplay>
}

/** Only the mark of a status, if its word is beside it (timelines). */
export function StatusMark({ state }: { state: StatusName }) {
  const { icon: Icon, tone } = looks[state]
  return <Icon className={`small ${tone}`} aria-hidden="true" />
}

/** Returns a function that returns the label of a record's state, for filters and sentences. */
export function useStatusLabel(record: StatusRecord): (state: string) => string {
  const label = useLabels(statusLabels)
  return (state) => label(statusKey(statusLabels, record, statusOf(state) ?? state))
}

/** Returns the status of the list that a state is, or null. */
export function statusOf(state: string): StatusName | null {
  if (state === 'pending_approval') return 'pending'
  return Object.hasOwn(looks, state) ? (state as StatusName) : null
}
