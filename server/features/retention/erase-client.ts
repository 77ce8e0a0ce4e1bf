/**
 * Erases a client. Ledger, requests, operations on money, consents and the audit log stay; personal data is deleted.
 * The event log keeps the digests of emptied details, so that its chain still verifies.
 */
import type { ClientId } from '#rules/ids.ts'
import { recordClientEvent, type AuditContext } from '../../db/events.ts'
import { emptyProfile, pick, profileField, profileFieldNames } from '#rules/profile-fields.ts'
import { uuidOrNull } from '../../db/ids.ts'
import { profileAssignments } from '../../db/profile-columns.ts'
import { raw, row, rows, run, sql, type Sql, type Transaction } from '../../db/sql.ts'
import { notifyChange } from '../../db/work-items.ts'
import { requireFound } from '../../http/problem.ts'

/** Replaces a value that must not be absent. */
const erasedText = '–'

/** Counts of erased records by kind, and the files whose bytes are deleted after the commit. */
interface ErasureResult {
  readonly counts: Readonly<Record<string, number>>
  readonly files: readonly string[]
}

/**
 * Immediately erases data without a retention period: credentials, and data that served only the client. `everything`
 * also erases the legal record, once its retention period is over. The client's row must be locked.
 */
export async function eraseClient(
  tx: Transaction,
  clientId: ClientId,
  auditContext: AuditContext,
  extent: 'unneeded' | 'everything',
): Promise<ErasureResult> {
  const counts: Record<string, number> = {}
  const add = (kind: string, count: number) => {
    if (count > 0) counts[kind] = (counts[kind] ?? 0) + count
  }
  for (const [kind, statement] of signInDeletions(clientId)) add(kind, await run(tx, statement))
  const unused = sql`client_id = ${clientId} and used_at is null`
  const files = extent === 'everything' ? await eraseRecord(tx, clientId, add) : await removeFiles(tx, unused)
  add('files', files.length)
  await run(tx)`update clients set password_hash = null, security_question = null, security_answer_hash = null,
        factor_secret = null, factor_confirmed_at = null, wanted_account = null, version = version + 1
      where id = ${clientId}`
  if (extent === 'everything') await anonymizeClient(tx, clientId, auditContext.now)
  await recordClientEvent(tx, auditContext, clientId, {
    action: extent === 'everything' ? 'erase' : 'eraseUnneeded',
    details: { after: counts },
  })
  await notifyChange(tx, 'client', clientId)
  return { counts, files }
}

/** Returns statements that delete data needed only to sign in. */
function signInDeletions(clientId: ClientId): [kind: string, statement: Sql][] {
  const registrations = sql`select id from registrations where client_id = ${clientId}`
  const own = sql`client_id = ${clientId} or registration_id in (${registrations})`
  return [
    ['links', sql`delete from one_time_links where ${own}`],
    ['sessions', sql`delete from sessions where ${own}`],
    ['registrations', sql`delete from registrations where client_id = ${clientId}`],
    ['recoveryCodes', sql`delete from recovery_codes where client_id = ${clientId}`],
    ['notices', sql`delete from notices where client_id = ${clientId}`],
    ['idempotencyKeys', sql`delete from idempotency_keys where scope = ${clientId}`],
    [
      'nicknames',
      sql`update trading_accounts set nickname = '', first_password = null, opening_data = null
      where client_id = ${clientId} and (nickname <> '' or first_password is not null or opening_data is not null)`,
    ],
  ]
}

/** Erases the legal record after its retention. Returns the removed files. */
async function eraseRecord(
  tx: Transaction,
  clientId: ClientId,
  add: (kind: string, count: number) => void,
): Promise<string[]> {
  for (const [kind, statement] of recordOf(clientId)) add(kind, await run(tx, statement))
  return removeFiles(tx, sql`client_id = ${clientId}`)
}

function recordOf(clientId: ClientId): [kind: string, statement: Sql][] {
  const text = erasedText
  const letters = sql`select id from operations where client_id = ${clientId} and kind in ('mail', 'password-reset')
    and state <> 'sending'`
  return [
    [
      'documents',
      sql`update documents set document_number = ${text}, mrz = null, front_file = null, back_file = null,
      reason = null, reasons = null where client_id = ${clientId}`,
    ],
    [
      'bankDetails',
      sql`update bank_details set bank_name = ${text}, bank_address = '', statement_file = null, reason = null,
      account_number = ${erasedIfPresent('account_number')}, sort_code = ${erasedIfPresent('sort_code')}, iban = ${erasedIfPresent('iban')},
      swift = ${erasedIfPresent('swift')}, holder_name = null where client_id = ${clientId}`,
    ],
    ['notes', sql`delete from staff_notes where client_id = ${clientId}`],
    ['flags', sql`delete from client_flags where client_id = ${clientId}`],
    ['enquiries', sql`update enquiry_messages set text = ${text} where client_id = ${clientId}`],
    ['linkedClients', sql`delete from link_digests where client_id = ${clientId}`],
    ['requests', sql`update recovery_items set reason = null where client_id = ${clientId}`],
    ['holds', sql`update payment_holds set reason = ${text}, lifted_reason = null where client_id = ${clientId}`],
    ['overrides', sql`update check_overrides set reason = ${text} where client_id = ${clientId}`],
    ['workItems', sql`delete from work_items where kind = 'operation' and record in (${letters})`],
    ['letters', sql`delete from operations where id in (${letters})`],
    [
      'workItems',
      sql`update work_items set summary = '{}' where client_id = ${clientId} and closed_at is not null
      and summary <> '{}'`,
    ],
    ['consents', sql`update consents set address = null where client_id = ${clientId} and address is not null`],
    [
      'requests',
      sql`update corrections set reason = ${text}, decision_reason = null
      where account_id in (select id from trading_accounts where client_id = ${clientId})`,
    ],
    [
      'deposits',
      sql`update deposits set comment = '', payment_url = null, provider_mac = null, request_key = null,
      request_body = null where client_id = ${clientId}`,
    ],
    [
      'withdrawals',
      sql`update withdrawals set comment = '', approval_note = null, bank = ${payoutWithoutTexts()}
      where client_id = ${clientId}`,
    ],
    ['transfers', sql`update transfers set comment = '' where client_id = ${clientId}`],
    ['requests', sql`update trading_accounts set reason = null where client_id = ${clientId} and reason is not null`],
    ['requests', sql`update leverage_requests set reason = null where client_id = ${clientId} and reason is not null`],
    [
      'applications',
      sql`update professional_applications set answers = '{}', reason = null where client_id = ${clientId}`,
    ],
    ['requests', sql`delete from factor_resets where id = ${clientId} and state <> 'pending'`],
    [
      'profileChanges',
      sql`update profile_changes set from_value = ${text}, to_value = ${text}, reason = null, asked_reason = null
      where client_id = ${clientId}`,
    ],
    [
      'details',
      sql`update event_details set details = null, salt = '' where details is not null
      and event_id in (${eventsOf(clientId)})`,
    ],
    [
      'workItems',
      sql`update work_items set summary = '{}' where closed_at is not null and summary <> '{}'
      and (kind = 'bank_line' and record in (${linesOf(clientId)})
        or kind = 'difference' and record in (${lineDiscrepanciesOf(clientId)}))`,
    ],
    [
      'payers',
      sql`update differences set facts = facts - array['payer', 'remittance']
      where id in (${lineDiscrepanciesOf(clientId)}) and facts ?| array['payer', 'remittance']`,
    ],
    // Last: what the transactions say shows whose they are.
    [
      'payers',
      sql`update bank_lines set payer = ${text}, payer_account = '', remittance = ${text}
      where id in (${linesOf(clientId)})`,
    ],
  ]
}

/** Returns the events about the client, by the client, and about the client's records and bank transactions. */
function eventsOf(clientId: ClientId): Sql {
  return sql`select id from events where client_id = ${clientId}
    union select id from events where actor = 'client' and actor_id = ${clientId}
    union select id from events where kind = 'client' and record = ${clientId}
    union select id from events where kind = 'bank_line' and record in (${linesOf(clientId)})
    union select id from events where kind = 'difference' and record in (${lineDiscrepanciesOf(clientId)})`
}

/** Returns a placeholder instead of a present value: related numbers must be absent or present together. */
function erasedIfPresent(column: 'account_number' | 'sort_code' | 'iban' | 'swift'): Sql {
  return sql`case when ${raw(column)} is null then null else ${erasedText} end`
}

/**
 * Returns the bank transactions of the client's deposits, of returned payouts, and the debits that name a payout of the
 * client and none of another client. The condition on the words has an index.
 */
function linesOf(clientId: ClientId): Sql {
  return sql`select bank_line from deposits where client_id = ${clientId} and bank_line is not null
    union select l.id from bank_lines l join withdrawals w on w.id = l.withdrawal_id where w.client_id = ${clientId}
    union select l.id from withdrawals w join bank_lines l
        on lower(l.payer || ' ' || l.remittance || ' ' || l.bank_id) like '%' || lower(w.reference) || '%'
      where w.client_id = ${clientId} and l.amount_minor < 0
        and not exists (select from regexp_matches(upper(l.remittance), '[A-Z]{1,4}-[0-9A-Z]{8}', 'g') as named (part)
          join withdrawals o on o.reference = named.part[1] where o.client_id <> ${clientId})`
}

/** Returns the discrepancies of the client's payouts and bank transactions, which name payer and remittance. */
function lineDiscrepanciesOf(clientId: ClientId): Sql {
  return sql`select id from differences where record in (${linesOf(clientId)})
    or record in (select id from withdrawals where client_id = ${clientId})`
}

/** Returns the details of a payout with empty texts except the country. */
function payoutWithoutTexts(): Sql {
  return sql`(select jsonb_object_agg(part.key, case when jsonb_typeof(part.value) = 'string' and part.key <> 'bankCountry'
    then to_jsonb(${erasedText}::text) else part.value end) from jsonb_each(bank) as part)`
}

async function removeFiles(tx: Transaction, which: Sql): Promise<string[]> {
  const removed = await rows<{ id: string }>(tx)`delete from files where ${which} returning id`
  return removed.map(({ id }) => id)
}

/** The country is kept. */
const emptiedFields = profileFieldNames.filter((name) => profileField(name).absent !== undefined)
const erasedProfile = { ...pick(emptyProfile, emptiedFields), name: erasedText }

/** Replaces the name by the client number: payments and log still refer to one client, who cannot be identified. */
async function anonymizeClient(tx: Transaction, clientId: ClientId, now: Date): Promise<void> {
  await run(tx)`update clients set ${profileAssignments(erasedProfile)} where id = ${clientId}`
  await run(tx)`
    update clients set email = 'erased-' || number || '@erased.invalid', surname = number::text, employment = null,
        trading_experience = null, social_id = null, reason = null, erased_at = ${now}
      where id = ${clientId}`
}

export interface ErasureSubject {
  readonly id: ClientId
  readonly email: string
  readonly state: 'registering' | 'pending' | 'approved' | 'suspended' | 'closed' | 'rejected'
  readonly erasedAt: Date | null
  /** When the relationship ended: the last decision on it, else its beginning. */
  readonly endedAt: Date
}

/** Returns a client for an erasure, locked until the transaction ends. Throws `not-found`. */
export async function lockSubject(tx: Transaction, clientId: ClientId): Promise<ErasureSubject> {
  const which = sql`c.id = ${uuidOrNull(clientId)}::uuid`
  return requireFound(await row<ErasureSubject>(tx)`${erasureSubjects(which)} for no key update of c`)
}

/** Returns clients with the time at which their relationship ended. */
export function erasureSubjects(which: Sql): Sql {
  return sql`select c.id, c.email::text as email, c.state, c.erased_at as "erasedAt",
      coalesce((select max(e.at) from events e where e.kind = 'client' and e.record = c.id and e.verb in ('close', 'reject')),
        (select s.asked_at from erasures s where s.id = c.id), c.created_at) as "endedAt"
    from clients c where ${which}`
}
