/**
 * Enquiries and complaints: the list, which is also the register of complaints, and one with its messages (requirements
 * 24.40 to 24.43).
 */
import * as z from 'zod/mini'
import { complaintOutcomes, enquiryMachine, enquiryTopics } from '#rules/enquiries.ts'
import { readPermissions } from '#rules/permissions.ts'
import { endpoint } from '../endpoint.ts'
import { choice, paragraph, seconds } from '../fields.ts'
import { clientBrief, page, paramsOf, root, staffBrief, stateOrAll, listOf } from './briefs.ts'
import { decisionsOn } from './decision.ts'
import { recordFields, rowFields } from './decisions.ts'

const area = 'enquiries'
const facts = {
  reference: z.string(),
  state: choice(enquiryMachine.states),
  /** Null if a visitor wrote. */
  client: z.nullable(clientBrief),
  /** The name of a visitor. */
  name: z.nullable(z.string()),
  email: z.nullable(z.string()),
  topic: choice(enquiryTopics),
  complaint: z.boolean(),
  outcome: z.nullable(choice(complaintOutcomes)),
  concludedAt: z.nullable(seconds),
}

export const listOfficeEnquiries = endpoint('listOfficeEnquiries', `GET ${root}/${area}`, {
  summary: 'Returns enquiries, filtered by state; with type=complaint, the complaints register.',
  access: readPermissions.enquiries,
  query: listOf(['createdAt'], {
    state: stateOrAll(enquiryMachine.states),
    type: z.optional(choice(['complaint', 'question'])),
    outcome: z.optional(choice(complaintOutcomes)),
    overdue: z.optional(z.literal('true', 'unknown-value')),
  }),
  response: page(z.object({ ...rowFields, ...facts })),
})

export const getOfficeEnquiry = endpoint('getOfficeEnquiry', `GET ${root}/${area}/:id`, {
  summary: 'Returns one enquiry with its messages.',
  access: readPermissions.enquiries,
  params: paramsOf<'enquiry'>(),
  response: z.object({
    enquiry: z.object({
      ...recordFields,
      ...facts,
      dueAt: seconds,
      /** The client with the email address that a visitor gave. Nothing proves that it is theirs. */
      sameEmail: z.nullable(clientBrief),
      about: z.nullable(
        z.object({ kind: choice(['deposit', 'withdrawal', 'transfer']), id: z.string(), reference: z.string() }),
      ),
      messages: z.array(
        z.object({
          id: z.string(),
          staff: z.nullable(staffBrief),
          text: z.string(),
          at: seconds,
        }),
      ),
    }),
  }),
})

/** The text for the client. */
const text = paragraph(4000)

const decision = decisionsOn(area, enquiryMachine)

export const answerEnquiry = decision('answerEnquiry', 'answer', {
  summary:
    'Replies in the portal and notifies the client by email, or replies by email to a person who cannot sign in.',
  body: { text },
})
export const closeEnquiry = decision('closeEnquiry', 'close', {
  summary: 'Closes an enquiry that needs no further reply.',
  body: {},
  problems: ['complaint-to-conclude'],
})
export const concludeComplaint = decision('concludeComplaint', 'conclude', {
  summary: 'Closes a complaint with its outcome and a reason for the client.',
  body: { outcome: choice(complaintOutcomes), text },
  problems: ['not-a-complaint'],
})
