/** A client writes to the firm or replies, or a visitor writes (requirements 24.40, 24.41). */
import { randomBytes } from 'node:crypto'
import type * as contract from '#contract/enquiries.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { sameTimeAfter } from '#rules/dates.ts'
import { enquiryMachine, type EnquiryTopic } from '#rules/enquiries.ts'
import type { ClientId, EnquiryId } from '#rules/ids.ts'
import { readReference, referenceFrom } from '#rules/references.ts'
import { row, transaction, type Transaction, requireRow } from '../../db/sql.ts'
import { applyTransition, recordCreation } from '../../db/transition.ts'
import type { Dependencies } from '../../dependencies.ts'
import { withIdempotency } from '../../http/idempotency.ts'
import { networkOf } from '../../http/network.ts'
import { Problem, requireFound } from '../../http/problem.ts'
import { incrementCount, enforceLimit, limitRequests, perHour } from '../../http/rate-limits.ts'
import { requireClient, type RequestContext, type Handler } from '../../http/handler.ts'
import { notifyClient, sendMail, unixSeconds } from '../../mail/send-mail.ts'
import { workItemDueAt } from '../../office/due-dates.ts'
import { addMessage, ownEnquiry, ownRequestWith, summaryOf, type Enquiry, type OwnRequest } from './queries.ts'
import { enquiryResponse } from './show-enquiries.ts'

const clientPerHour = 20
const addressPerHour = 5
/** Limited, because anyone can enter another person's email address. */
const acknowledgedPerDay = 3
const kind = enquiryMachine.name

/** Returns when an enquiry that is opened or continued now is due. */
async function dueAt(dependencies: Dependencies, isComplaint: boolean, now: Date): Promise<Date> {
  if (!isComplaint) return workItemDueAt(dependencies, 'enquiry', now)
  const { complaintDays } = await dependencies.settings.get('sla')
  const { timeZone } = await dependencies.settings.get('firm')
  return sameTimeAfter(now, complaintDays, timeZone)
}

interface NewEnquiry {
  readonly clientId: ClientId | null
  readonly name: string | null
  readonly email: string | null
  readonly topic: EnquiryTopic
  readonly complaint: boolean
  readonly about: OwnRequest | null
  readonly text: string
  readonly due: Date
}

/** Writes the enquiry with its first message, event and work item. */
async function openEnquiry(
  tx: Transaction,
  context: Pick<RequestContext, 'auditContext' | 'language' | 'now'>,
  referencePrefix: string,
  given: NewEnquiry,
): Promise<{ id: EnquiryId; reference: string }> {
  const { clientId, name, email, topic, complaint, about, text, due } = given
  const { now } = context
  const written = await requireRow<{ id: EnquiryId; reference: string }>(tx)`
    insert into enquiries (reference, client_id, name, email, language, topic, complaint, about_kind, about, about_reference,
        asked_at, due_at, changed_at)
      values (${referenceFrom(referencePrefix, randomBytes(5))}, ${clientId}, ${name}, ${email}, ${context.language},
        ${topic}, ${complaint}, ${about?.kind ?? null}, ${about?.id ?? null}, ${about?.reference ?? null}, ${now}, ${due},
        ${now}) returning id, reference`
  const summary = summaryOf({
    topic,
    complaint,
    reference: written.reference,
    aboutReference: about?.reference ?? null,
  })
  await addMessage(tx, { enquiry: { id: written.id, clientId }, text }, now)
  await recordCreation(tx, enquiryMachine, context.auditContext, { id: written.id, clientId }, 'write', {
    details: { after: { topic, complaint } },
    workItem: { dueAt: due, summary },
  })
  return written
}

export const writeEnquiry: Handler<typeof contract.writeEnquiry> = async (dependencies, context) => {
  const { clientId } = requireClient(context)
  const { topic, text, complaint, reference } = context.body
  const { pool } = dependencies
  await limitRequests(pool, perHour('enquiries', clientId), clientPerHour, context)
  const { referencePrefix } = await dependencies.settings.get('firm')
  const about = reference === '' ? null : await ownRequestWith(pool, clientId, readReference(reference) ?? reference)
  if (reference !== '' && !about) throw new Problem('reference-not-found', { field: 'reference' })
  const due = await dueAt(dependencies, complaint, context.now)
  return withIdempotency(pool, context, async (tx) => {
    const given = { clientId, name: null, email: null, topic, complaint, about, text, due }
    const { id } = await openEnquiry(tx, context, referencePrefix, given)
    const enquiry = await ownEnquiry(tx, clientId, id)
    if (!enquiry) throw new Error('the enquiry was not found')
    if (complaint) await acknowledge(tx, enquiry, context.now)
    return { enquiry: enquiryResponse(enquiry) }
  })
}

export const contactFirm: Handler<typeof contract.contactFirm> = async (dependencies, context) => {
  const { name, email, text, complaint } = context.body
  const bucket = perHour('contact', networkOf(context.address))
  await enforceLimit(dependencies.pool, bucket, addressPerHour, context.now)
  const { referencePrefix } = await dependencies.settings.get('firm')
  const due = await dueAt(dependencies, complaint, context.now)
  // No client is looked up, so neither the response nor its time depends on the sender.
  await transaction(dependencies.pool, async (tx) => {
    const given = { clientId: null, name, email, topic: 'other', complaint, about: null, text, due } as const
    const { id, reference } = await openEnquiry(tx, context, referencePrefix, given)
    if (!complaint) return
    const acknowledged = { name: 'contact-mail', who: email, windowSeconds: 24 * 3600 }
    if ((await incrementCount(tx, acknowledged, context.now)).count > acknowledgedPerDay) return
    const facts = { reference, due: unixSeconds(due), portal: false }
    const mail = { kind: 'complaint-received', to: email, language: context.language, facts } as const
    await sendMail(tx, context.now, { ...mail, subject: kind, record: id })
  })
  return {}
}

/** Confirms the complaint's receipt to the client immediately, with the date by which it is concluded. */
function acknowledge(tx: Transaction, enquiry: Enquiry, now: Date): Promise<void> {
  const { id, reference, clientId, clientEmail: email, clientLanguage: language } = enquiry
  if (clientId === null || email === null || language === null) throw new Error('the enquiry has no client')
  const notification = {
    kind: 'complaint-received',
    client: { id: clientId, email, language },
    facts: { reference, due: unixSeconds(enquiry.dueAt), portal: true },
    link: portalPaths.enquiry(id),
    subject: kind,
    record: id,
  } as const
  return notifyClient(tx, now, notification)
}

export const replyToEnquiry: Handler<typeof contract.replyToEnquiry> = async (dependencies, context) => {
  const { clientId } = requireClient(context)
  const { pool } = dependencies
  const { now } = context
  await limitRequests(pool, perHour('enquiries', clientId), clientPerHour, context)
  const before = requireFound(await ownEnquiry(pool, clientId, context.params.id))
  const { id, complaint } = before
  const fresh = await dueAt(dependencies, complaint, now)
  return withIdempotency(pool, context, async (tx) => {
    // A complaint that is not concluded and an enquiry that is not answered keep their due date.
    const existing = await row<{ dueAt: Date; isStanding: boolean }>(tx)`
      select due_at as "dueAt", state = 'open' or (complaint and state <> 'closed') as "isStanding" from enquiries
        where id = ${id} for update`
    const due = existing?.isStanding ? existing.dueAt : fresh
    await applyTransition(tx, enquiryMachine, context.auditContext, { id, clientId }, 'reply', {
      set: { changed_at: now, due_at: due, outcome: null, concluded_at: null, decided_by: null },
      workItem: { state: 'open', dueAt: due, clientId, summary: summaryOf(before) },
    })
    await addMessage(tx, { enquiry: before, text: context.body.text }, now)
    const enquiry = await ownEnquiry(tx, clientId, id)
    if (!enquiry) throw new Error('the enquiry was not found')
    return { enquiry: enquiryResponse(enquiry) }
  })
}
