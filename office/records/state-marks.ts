/** The mark of a state: the colour and icon shared by states of the same meaning. */
import { type StatusName, statusOf } from '#ui/data/status-badge.tsx'

/** States that share the mark of another state. */
const likeOthers: Readonly<Record<string, StatusName>> = {
  registering: 'pending',
  more_asked: 'pending',
  confirming: 'pending',
  unmatched: 'pending',
  open: 'pending',
  invited: 'pending',
  active: 'approved',
  matched: 'approved',
  own_money: 'approved',
  came_back: 'approved',
  settlement_proposed: 'second_approval',
  card_settlement: 'approved',
  explained: 'approved',
  proposed: 'second_approval',
  settled: 'approved',
  lifted: 'approved',
  declined: 'rejected',
  done: 'approved',
  clean: 'approved',
  infected: 'rejected',
  sent_back: 'returned',
  created: 'second_approval',
  released: 'approved',
  sent: 'paid',
  partly_returned: 'returned',
  void_requested: 'pending',
  void: 'cancelled',
  reversed: 'returned',
  replaced: 'cancelled',
  gone: 'cancelled',
  answered: 'approved',
  closed: 'cancelled',
  deactivated: 'suspended',
}

/** Returns the mark of the state after an event. */
export function markOfState(state: string | null): StatusName {
  return statusOf(state ?? '') ?? likeOthers[state ?? ''] ?? 'processing'
}
