/** Labels of the statuses that a card provider reports of a payment. */
import { msg } from '../message.ts'

export const checkoutLabels = {
  open: msg({ message: 'Not paid yet', context: 'card payment' }),
  cancelled: msg({ message: 'Cancelled', context: 'card payment' }),
  expired: msg({ message: 'Expired', context: 'card payment' }),
  pending: msg({ message: 'Processing', context: 'card payment' }),
  paid: msg({ message: 'Paid', context: 'card payment' }),
  failed: msg({ message: 'Declined', context: 'card payment' }),
  refunded: msg({ message: 'Refunded', context: 'card payment' }),
  disputed: msg({ message: 'Disputed', context: 'card payment' }),
  charged_back: msg({ message: 'Charged back', context: 'card payment' }),
}
