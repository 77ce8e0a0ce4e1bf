import {
  IconAlertTriangle,
  IconBan,
  IconChecks,
  IconCircleCheckFilled,
  IconSend,
  IconUserCheck,
} from '@tabler/icons-react'
import type { PayoutBatchState } from '#rules/payout-batches.ts'
import { StatusLook } from '#ui/data/status-badge.tsx'
import { useStateLabel } from '../../records/value-names.ts'

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
  return <StatusLook {...looks[state]}>{word(state)}</StatusLook>
}
