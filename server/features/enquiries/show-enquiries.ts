/** Enquiries for their client and for staff (requirements 24.40, 24.43). */
import type { getEnquiry as getOwnEndpoint, listEnquiries as listOwnEndpoint } from '#contract/enquiries.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import type * as office from '#contract/office/enquiries.ts'
import { checkEnd, enquiryMachine } from '#rules/enquiries.ts'
import { Problem, requireFound } from '../../http/problem.ts'
import { requireClient, type RequestContext, type Handler } from '../../http/handler.ts'
import { ownRequest } from '../../office/decide.ts'
import { pageOf } from '../../office/listing.ts'
import { clientsAndItems } from '../../office/lists.ts'
import { clientBrief, recordFieldsOf, staffNames } from '../../office/records.ts'
import {
  clientWithEmail,
  enquiryById,
  enquiryColumns,
  enquiryListing,
  messagesOf,
  ownEnquiries,
  ownEnquiry,
  type Enquiry,
} from './queries.ts'

const kind = enquiryMachine.name

/** Returns an enquiry as its client sees it. */
export function enquiryResponse(enquiry: Enquiry): ResponseOf<typeof listOwnEndpoint>['enquiries'][number] {
  const { complaint, askedAt, dueAt, aboutReference } = enquiry
  return { ...enquiry, about: aboutReference, createdAt: askedAt, dueAt: complaint ? dueAt : null }
}

export const listEnquiries: Handler<typeof listOwnEndpoint> = async ({ pool }, context) => {
  const found = await ownEnquiries(pool, requireClient(context).clientId)
  return { enquiries: found.map(enquiryResponse) }
}

export const getEnquiry: Handler<typeof getOwnEndpoint> = async ({ pool }, context) => {
  const enquiry = requireFound(await ownEnquiry(pool, requireClient(context).clientId, context.params.id))
  const messages = await messagesOf(pool, enquiry.id)
  return {
    enquiry: enquiryResponse(enquiry),
    messages: messages.map((message) => ({ ...message, from: message.staffId === null ? 'client' : 'firm' })),
  }
}

export const listOfficeEnquiries: Handler<typeof office.listOfficeEnquiries> = async (dependencies, context) => {
  const { now } = context
  const { rows, next } = await pageOf(dependencies, enquiryListing(now), enquiryColumns, context.query)
  const [clientOf, items] = await clientsAndItems(dependencies, kind, rows, ({ clientId }) => clientId, now)
  const shown = rows.map((enquiry) => ({
    ...enquiry,
    createdAt: enquiry.askedAt,
    dueAt: items.get(enquiry.id)?.dueAt ?? null,
    assignee: items.get(enquiry.id)?.assignee ?? null,
    client: clientOf(enquiry.clientId),
  }))
  return { rows: shown, next }
}

export const getOfficeEnquiry: Handler<typeof office.getOfficeEnquiry> = async (dependencies, context) => {
  const { pool } = dependencies
  const enquiry = requireFound(await enquiryById(pool, context.params.id))
  const { id, clientId, aboutKind, about, aboutReference: reference } = enquiry
  const own = ownRequest(context, enquiry.clientEmail ?? enquiry.email ?? '')
  const endOf = (action: 'close' | 'conclude') => {
    const refusal = checkEnd(action, enquiry.complaint)
    return own ?? (refusal && new Problem(refusal))
  }
  const fields = await recordFieldsOf(context as RequestContext, dependencies, {
    ...enquiry,
    createdAt: enquiry.askedAt,
    decidedAt: enquiry.concludedAt,
    reason: null,
    machine: enquiryMachine,
    refusals: { answer: own, close: endOf('close'), conclude: endOf('conclude') },
  })
  const messages = await messagesOf(pool, id)
  const by = await staffNames(pool, messages, ({ staffId }) => [staffId])
  const sameEmail = enquiry.email === null ? null : await clientWithEmail(pool, enquiry.email)
  return {
    enquiry: {
      ...enquiry,
      ...fields,
      client: clientId === null ? null : await clientBrief(dependencies, clientId),
      sameEmail: sameEmail === null ? null : await clientBrief(dependencies, sameEmail),
      about: aboutKind && about && reference ? { kind: aboutKind, id: about, reference } : null,
      messages: messages.map(({ staffId, ...message }) => ({ ...message, staff: by(staffId) })),
    },
  }
}
