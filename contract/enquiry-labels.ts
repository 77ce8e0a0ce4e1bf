/** Labels of enquiries and complaints, in both apps, emails and files. */
import type { ComplaintOutcome, EnquiryTopic } from '#rules/enquiries.ts'
import { msg, type Message } from './message.ts'

export const topicLabels = {
  payments: msg`Deposits, withdrawals and transfers`,
  accounts: msg`Trading accounts and trades`,
  profile: msg`Profile and documents`,
  technical: msg`Technical problem`,
  other: msg`Other subject`,
} as const satisfies Record<EnquiryTopic, Message>

export const outcomeLabels = {
  upheld: msg({ message: 'Upheld', context: 'complaint' }),
  partly_upheld: msg({ message: 'Partly upheld', context: 'complaint' }),
  rejected: msg({ message: 'Rejected', context: 'complaint' }),
} as const satisfies Record<ComplaintOutcome, Message>
