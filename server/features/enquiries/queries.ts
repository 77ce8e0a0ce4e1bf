/** SQL of enquiries and their messages. */
import { listOfficeEnquiries } from '#contract/office/enquiries.ts'
import type { Language } from '#rules/choices.ts'
import type { ComplaintOutcome, EnquiryState, EnquiryTopic } from '#rules/enquiries.ts'
import type { ClientId, EnquiryId, StaffId } from '#rules/ids.ts'
import { uuidOrNull } from '../../db/ids.ts'
import { empty, row, rows, run, sql, type Connection, type Sql, type Transaction } from '../../db/sql.ts'
import type { SignedInClientId } from '../../http/sessions.ts'
import { listing, whereEquals, type Columns } from '../../office/listing.ts'
import { recordsNamed, wordsPattern } from '../../office/lists.ts'

/** An enquiry. A client reads replies in the portal; anyone else receives them at the email address they entered. */
export interface Enquiry {
  readonly id: EnquiryId
  readonly reference: string
  readonly clientId: ClientId | null
  readonly clientEmail: string | null
  readonly clientLanguage: Language | null
  readonly name: string | null
  readonly email: string | null
  readonly language: Language
  readonly topic: EnquiryTopic
  readonly complaint: boolean
  readonly aboutKind: 'deposit' | 'withdrawal' | 'transfer' | null
  readonly about: string | null
  readonly aboutReference: string | null
  readonly state: EnquiryState
  readonly askedAt: Date
  readonly dueAt: Date
  readonly changedAt: Date
  readonly outcome: ComplaintOutcome | null
  readonly concludedAt: Date | null
  readonly decidedBy: StaffId | null
  readonly version: number
}

/** Returns the summary of its work item, without any text of its messages and without a name. */
export function summaryOf({
  topic,
  complaint,
  reference,
  aboutReference,
}: Pick<Enquiry, 'topic' | 'complaint' | 'reference' | 'aboutReference'>) {
  return { topic, complaint, reference, ...(aboutReference === null ? {} : { about: aboutReference }) }
}

export const enquiryColumns: Columns<Enquiry> = sql`e.id, e.reference, e.client_id as "clientId", c.email::text as "clientEmail",
  c.language as "clientLanguage", e.name, e.email::text as email, e.language, e.topic, e.complaint,
  e.about_kind as "aboutKind", e.about, e.about_reference as "aboutReference", e.state, e.asked_at as "askedAt",
  e.due_at as "dueAt", e.changed_at as "changedAt", e.outcome, e.concluded_at as "concludedAt",
  e.decided_by as "decidedBy", e.version`
const tables = sql`enquiries e left join clients c on c.id = e.client_id`

/** Returns one enquiry, or null. */
export async function enquiryById(connection: Connection, id: EnquiryId) {
  return row<Enquiry>(connection)`select ${enquiryColumns} from ${tables} where e.id = ${uuidOrNull(id)}::uuid`
}

const shownMost = 50

/** Returns the client's own enquiries, those with the newest message first. */
export function ownEnquiries(connection: Connection, clientId: SignedInClientId) {
  return rows<Enquiry>(connection)`select ${enquiryColumns} from ${tables} where e.client_id = ${clientId}
      order by e.changed_at desc, e.id desc limit ${shownMost}`
}

export async function ownEnquiry(connection: Connection, clientId: SignedInClientId, id: string) {
  return row<Enquiry>(connection)`
    select ${enquiryColumns} from ${tables} where e.id = ${uuidOrNull(id)}::uuid and e.client_id = ${clientId}`
}

interface EnquiryMessage {
  readonly id: string
  readonly staffId: StaffId | null
  readonly text: string
  readonly at: Date
}

/** Returns all messages of an enquiry, oldest first. */
export function messagesOf(connection: Connection, enquiryId: EnquiryId) {
  return rows<EnquiryMessage>(connection)`
    select id, staff_id as "staffId", text, written_at as at from enquiry_messages
      where enquiry_id = ${enquiryId} order by written_at, id`
}

interface NewMessage {
  readonly enquiry: { readonly id: string; readonly clientId: ClientId | null }
  /** Absent if the client or enquirer wrote it. */
  readonly staffId?: StaffId
  readonly text: string
  readonly concludes?: boolean
}

/** Writes a message in the transaction of its transition. */
export async function addMessage(
  tx: Transaction,
  { enquiry, staffId, text, concludes = false }: NewMessage,
  now: Date,
): Promise<void> {
  await run(tx)`insert into enquiry_messages (enquiry_id, client_id, staff_id, text, concludes, written_at)
      values (${enquiry.id}, ${enquiry.clientId}, ${staffId ?? null}, ${text}, ${concludes}, ${now})`
}

export interface OwnRequest {
  readonly kind: 'deposit' | 'withdrawal' | 'transfer'
  readonly id: string
  readonly reference: string
}

/** Returns the client's own request with a reference, or null. */
export function ownRequestWith(connection: Connection, clientId: SignedInClientId, reference: string) {
  return row<OwnRequest>(connection)`
    select 'deposit' as kind, id, reference from deposits where reference = ${reference} and client_id = ${clientId}
    union all
    select 'withdrawal', id, reference from withdrawals where reference = ${reference} and client_id = ${clientId}
    union all
    select 'transfer', id, reference from transfers where reference = ${reference} and client_id = ${clientId}
    limit 1`
}

/** Returns the client with an email address, or null. */
export async function clientWithEmail(connection: Connection, email: string): Promise<string | null> {
  return (await row<{ id: string }>(connection)`select id from clients where email = ${email}`)?.id ?? null
}

/** Enquiries that need attention from the firm: open ones, and complaints until they are concluded. */
const needsAttention: Sql = sql`(e.state = 'open' or (e.complaint and e.state <> 'closed'))`

/** Returns the listing of enquiries for staff. `now` determines which are overdue. */
export function enquiryListing(now: Date) {
  return listing(listOfficeEnquiries, {
    name: 'enquiries',
    tables,
    id: { by: 'e.id', type: 'uuid' },
    sorts: { createdAt: { by: 'e.asked_at', type: 'timestamptz' } },
    at: { by: 'e.asked_at', type: 'timestamptz' },
    standard: ({ state }) => ({ sort: 'createdAt', direction: state === undefined ? 'asc' : 'desc' }),
    where: ({ state, type, outcome, overdue }) => [
      state === 'all' ? empty : whereEquals('e.state', state, needsAttention),
      whereEquals('e.complaint', type && String(type === 'complaint')),
      whereEquals('e.outcome', outcome),
      overdue ? sql`${needsAttention} and e.due_at < ${now}` : empty,
    ],
    finds: (words) => sql`e.id in (
      select f.id from enquiries f where ${recordsNamed(words, { table: 'enquiries', id: 'f.id', reference: true })}
      union select id from enquiries where client_id is null and lower(name || ' ' || email::text) like ${wordsPattern(words)})`,
  })
}
