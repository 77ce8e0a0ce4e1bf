/** Labels of statuses, on the screens of both apps, in mails, files and errors. */
import { msg } from './message.ts'

export const statusLabels = {
  uploaded: msg`Uploaded`,
  pending: msg`Pending`,
  second_approval: msg`Second approval`,
  processing: msg`Processing`,
  approved: msg`Approved`,
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
}
