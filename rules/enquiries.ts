/** Enquiries and complaints of clients and visitors (requirements 24.40 to 24.43). */
import { defineStateMachine } from './state-machine.ts'

/** Several messages about one subject. The client's reply reopens it, even after the end. */
export const enquiryMachine = defineStateMachine({
  name: 'enquiry',
  table: 'enquiries',
  states: ['open', 'answered', 'closed'],
  first: 'open',
  undecided: ['open'],
  transitions: {
    answer: { from: ['open', 'answered'], to: 'answered', by: ['operations', 'compliance'] },
    /** With or without a reply. A complaint is concluded instead. */
    close: { from: ['open', 'answered'], to: 'closed', by: ['operations', 'compliance'] },
    /** A complaint, with its outcome. */
    conclude: { from: ['open', 'answered'], to: 'closed', by: ['compliance'] },
    reply: { from: ['open', 'answered', 'closed'], to: 'open', by: ['client'] },
  },
})
export type EnquiryState = (typeof enquiryMachine.states)[number]

export const enquiryTopics = ['payments', 'accounts', 'profile', 'technical', 'other'] as const
export type EnquiryTopic = (typeof enquiryTopics)[number]

export const complaintOutcomes = ['upheld', 'partly_upheld', 'rejected'] as const
export type ComplaintOutcome = (typeof complaintOutcomes)[number]

/**
 * Returns why an enquiry cannot be ended in this way, or null: a complaint requires an outcome, other enquiries must
 * not have one.
 */
export function checkEnd(action: 'close' | 'conclude', isComplaint: boolean) {
  if (action === 'close') return isComplaint ? 'complaint-to-conclude' : null
  return isComplaint ? null : 'not-a-complaint'
}
