/** The contact form: messages of clients with the firm's replies, and a form for visitors (requirements 24.40). */
import * as z from 'zod/mini'
import { complaintOutcomes, enquiryMachine, enquiryTopics } from '#rules/enquiries.ts'
import { endpoint } from './endpoint.ts'
import { body, choice, email, id, line, optionalLine, paragraph, seconds } from './fields.ts'

const messageLengthMax = 4000
const text = paragraph(messageLengthMax)
const complaint = z.boolean('required')

const enquiry = z.object({
  id: z.string(),
  reference: z.string(),
  topic: choice(enquiryTopics),
  complaint: z.boolean(),
  state: choice(enquiryMachine.states),
  /** The request that the enquiry concerns. */
  about: z.nullable(z.string()),
  outcome: z.nullable(choice(complaintOutcomes)),
  createdAt: seconds,
  /** When the last message was written, by either side. */
  changedAt: seconds,
  /** For a complaint. */
  dueAt: z.nullable(seconds),
})

export const listEnquiries = endpoint('listEnquiries', 'GET /api/enquiries', {
  summary: 'Returns the client’s newest 50 enquiries.',
  access: ['client'],
  response: z.object({ enquiries: z.array(enquiry) }),
})

export const getEnquiry = endpoint('getEnquiry', 'GET /api/enquiries/:id', {
  summary: 'Returns one enquiry with all its messages, oldest first.',
  access: ['client'],
  params: z.object({ id }),
  response: z.object({
    enquiry,
    messages: z.array(z.object({ id: z.string(), from: choice(['client', 'firm']), text: z.string(), at: seconds })),
  }),
})

export const writeEnquiry = endpoint('writeEnquiry', 'POST /api/enquiries', {
  summary: 'Sends a message or a complaint to the firm, which replies in the portal.',
  access: ['client'],
  body: body({
    topic: choice(enquiryTopics),
    text,
    complaint,
    /** The reference of one of the client's deposits, withdrawals or transfers. */
    reference: optionalLine(40),
  }),
  status: 201,
  response: z.object({ enquiry }),
  problems: ['reference-not-found', 'too-many'],
  idempotent: true,
})

export const replyToEnquiry = endpoint('replyToEnquiry', 'POST /api/enquiries/:id/reply', {
  summary: 'Adds the client’s reply to an enquiry and reopens it.',
  access: ['client'],
  params: z.object({ id }),
  body: body({ text }),
  response: z.object({ enquiry }),
  problems: ['too-many'],
  idempotent: true,
})

export const contactFirm = endpoint('contactFirm', 'POST /api/contact', {
  summary:
    'Sends a message from a visitor who is not signed in; the firm replies by email. The response is always the same.',
  access: ['public'],
  body: body({ name: line(120), email, text, complaint }),
  problems: ['too-many'],
})
