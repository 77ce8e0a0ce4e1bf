/**
 * Labels of statuses, in both apps, emails, files and errors. One word in English is several in German, by record:
 * payments and bank details are *freigegeben*, applications *genehmigt*, documents *akzeptiert*. A record's own label
 * has the key `record.state`.
 */
import { msg, type Labels } from './message.ts'
import type { recordLabels } from './office/record-labels.ts'

export const statusLabels = {
  uploaded: msg`Uploaded`,
  pending: msg`Pending`,
  in_review: msg`In review`,
  second_approval: msg`Second approval`,
  processing: msg`Processing`,
  uncredited: msg`Received, not credited`,
  refunding: msg`Refund in progress`,
  approved: msg`Approved`,
  refunded: msg`Refunded`,
  paid: msg`Paid`,
  rejected: msg`Rejected`,
  returned: msg`Returned`,
  expired: msg`Expired`,
  cancelled: msg`Cancelled`,
  suspended: msg`Suspended`,
  registering: msg`Registering`,
  closed: msg`Closed`,
  more_asked: msg`Information requested`,
  confirming: msg`Awaiting confirmation`,
  reversed: msg`Reversed`,
  replaced: msg`Replaced`,
  open: msg`Open`,
  answered: msg`Answered`,
  'enquiry.closed': msg({ message: 'Closed', context: 'enquiry' }),
  'account.approved': msg({ message: 'Approved', context: 'application' }),
  // A German "offen" would call a requested account an open one.
  'account.pending': msg({ message: 'Pending', context: 'application' }),
  'bank_details.pending': msg({ message: 'Pending', context: 'under review' }),
  'client.approved': msg({ message: 'Approved', context: 'client' }),
  'client.closed': msg({ message: 'Closed', context: 'client' }),
  'client.pending': msg({ message: 'Pending', context: 'under review' }),
  'deposit.approved': msg({ message: 'Approved', context: 'deposit' }),
  'document.approved': msg({ message: 'Approved', context: 'document' }),
  'document.pending': msg({ message: 'Pending', context: 'under review' }),
  'leverage_request.approved': msg({ message: 'Approved', context: 'application' }),
  'professional.approved': msg({ message: 'Approved', context: 'application' }),
  'profile_change.approved': msg({ message: 'Approved', context: 'application' }),
  'transfer.approved': msg({ message: 'Approved', context: 'transfer' }),
}

/** The records with a status, by the name of their state machine. */
export type StatusRecord = keyof typeof recordLabels

/** Returns the key of a state's label: the record's own, or the common one. */
export function statusKey(labels: Labels, record: string, state: string): string {
  const own = `${record}.${state}`
  return Object.hasOwn(labels, own) ? own : state
}
