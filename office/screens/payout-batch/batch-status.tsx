import {
  IconAlertTriangle,
  IconBan,
  IconChecks,
  IconCircleCheckFilled,
  IconSend,
  IconUserCheck,
} from '@tabler/icons-react'
import type { PayoutBatchState } from '#rules/payout-batches.ts'
import { StatusDisplay } from '#ui/data/status-badge.tsx'
import { useStateLabel } from '../../records/value-names.ts'
import './payout-batch.css'

const looks = {
  created: { icon: IconUserCheck, tone: 'tone-wait' },
  released: { icon: IconSend, tone: 'tone-run' },
  sent: { icon: IconChecks, tone: 'tone-ok' },
  partly_returned: { icon: IconAlertTriangle, tone: 'tone-wait' },
  closed: { icon: IconCircleCheckFilled, tone: 'tone-ok' },
  void_requested: { icon: IconUserCheck, tone: 'tone-wait' },
  void: { icon: IconBan, tone: '' },
} as const

/** The status of a payout batch with its mark. */
export function BatchStatus({ state }: { state: PayoutBatchState }) {
  const word = useStateLabel()
  return <StatusDisplay {...looks[state]}>{word('payout_batch', state)}</StatusDisplay>
}

type Mark = 'done' | 'wait' | 'run' | 'ok' | 'open'

/** The progress of a batch: created, released, sent, closed. */
const marks: Readonly<Record<PayoutBatchState, readonly [Mark, Mark, Mark, Mark]>> = {
  created: ['done', 'wait', 'open', 'open'],
  released: ['done', 'done', 'run', 'open'],
  void_requested: ['done', 'done', 'wait', 'open'],
  sent: ['done', 'done', 'ok', 'open'],
  partly_returned: ['done', 'done', 'done', 'wait'],
  closed: ['done', 'done', 'done', 'ok'],
  void: ['done', 'open', 'open', 'open'],
}

/** The four steps of a batch as filled and open marks, with the status as text beside them. */
export function BatchMarks({ state }: { state: PayoutBatchState }) {
  return (
    <span className="batch-marks" aria-hidden="true">
      {marks[state].map((mark, step) => (
        <i key={step} data-mark={mark} />
      ))}
    </span>
  )
}
