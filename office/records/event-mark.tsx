import { IconKey, IconPoint } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { OfficeEvent } from '#contract/office/decisions.ts'
import { workItemKinds } from '#rules/work-items.ts'
import { markOfState } from './state-marks.ts'
import { iconOfWorkItem } from './work-item-labels.ts'

/** Returns the mark of the state after an event; without one the icon of its record. */
export function markOfEvent({ kind, to }: Pick<OfficeEvent, 'kind' | 'to'>): ReactNode {
  // A client or an enquiry is closed instead of continued; a payout batch is closed when it is complete.
  if (kind === 'payout_batch' && to === 'closed') return 'approved'
  if (to !== null) return markOfState(to)
  const known = (workItemKinds as readonly string[]).includes(kind) ? iconOfWorkItem(kind) : IconPoint
  const Icon = kind === 'client' ? IconKey : known
  return <Icon className="small muted" aria-hidden="true" />
}
