/** Changes of a verified identity and of the email address, for compliance. */
import { listProfileChanges, type getProfileChange } from '#contract/office/profile-changes.ts'
import type { Check } from '#contract/office/briefs.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { checkResidence, countryOf, type CountryChanges, type RiskLevel } from '#rules/countries.ts'
import {
  checkEmailChange,
  profileChangeMachine,
  type ChangedField,
  type ProfileChangeState,
} from '#rules/profile-changes.ts'
import type { Language } from '#rules/choices.ts'
import type { ClientId, ProfileChangeId, StaffId } from '#rules/ids.ts'
import { type DocumentKind, isAccepted, isIdentityKind } from '#rules/documents.ts'
import { row, rows, sql, type Connection } from '../../db/sql.ts'
import { requireStaff, type RequestContext, type Handler } from '../../http/handler.ts'
import { Problem, requireFound } from '../../http/problem.ts'
import { hasValidLink } from '../../auth/one-time-links.ts'
import { uuidOrNull } from '../../db/ids.ts'
import { recordsNamed } from '../../office/lists.ts'
import { queue, queuePage } from '../../office/listing.ts'
import { ownRequest } from '../../office/decide.ts'
import { clientBrief, recordFieldsOf, staffNames, pageCheck } from '../../office/records.ts'
import type { Dependencies } from '../../dependencies.ts'
import { lastCorrectAnswerAt } from '../factor-resets/queries.ts'
import { isKnownEmail } from '../registration/queries.ts'

export interface ProfileChange {
  id: ProfileChangeId
  clientId: ClientId
  field: ChangedField
  from: string | null
  to: string
  state: ProfileChangeState
  reason: string | null
  decidedBy: string | null
  /** The staff member who requested it; null if the client did. */
  askedBy: string | null
  askedReason: string | null
  requestedAt: Date
  decidedAt: Date | null
  version: number
  email: string
  language: Language
}

const columns = sql`p.id, p.client_id as "clientId", p.field, p.from_value as from, p.to_value as to, p.state, p.reason,
  p.decided_by as "decidedBy", p.asked_by as "askedBy", p.asked_reason as "askedReason", p.requested_at as "requestedAt", p.decided_at as "decidedAt", p.version,
  c.email::text as email, c.language`
const tables = sql`profile_changes p join clients c on c.id = p.client_id`

/** Returns one change, or null. */
export async function profileChangeById(connection: Connection, id: ProfileChangeId): Promise<ProfileChange | null> {
  return row<ProfileChange>(connection)`select ${columns} from ${tables} where p.id = ${uuidOrNull(id)}::uuid`
}

/** Returns the approved change of address whose link has not been opened yet, or null. */
export function emailToConfirm(connection: Connection, clientId: ClientId): Promise<ProfileChange | null> {
  return row<ProfileChange>(connection)`
    select ${columns} from ${tables} where p.client_id = ${clientId} and p.field = 'email' and p.state = 'confirming'`
}

/** Returns what has made a change impossible since its request, or null. */
export async function applicabilityProblem(
  connection: Connection,
  { field, to }: Pick<ProfileChange, 'field' | 'to'>,
  countries: CountryChanges,
) {
  if (field === 'country') return checkResidence(countryOf(to, countries))
  return field === 'email' && (await isKnownEmail(connection, to)) ? 'client-known' : null
}

/** Returns why this person cannot request another address of a client now, or null. */
export async function emailChangeProblem(
  connection: Connection,
  { id, hasQuestion }: { readonly id: ClientId; readonly hasQuestion: boolean },
  staffId: StaffId,
  now: Date,
) {
  const open = await row<object>(connection)`
    select from profile_changes where client_id = ${id} and field = 'email'
      and (state = 'pending' or state = 'confirming' and ${hasValidLink(id, 'email-change', now)})`
  const answeredAt = await lastCorrectAnswerAt(connection, id, staffId)
  return checkEmailChange({ isAsked: open !== null, hasQuestion, answeredAt, now })
}

export const profileChangeListing = queue(listProfileChanges, {
  name: 'profile-changes',
  tables,
  alias: 'p',
  sorts: { createdAt: { by: 'p.requested_at', type: 'timestamptz' } },
  waiting: ['pending'],
  finds: (words) => recordsNamed(words, { table: 'profile_changes', id: 'p.id' }),
})

/** Returns changes in a state; without one, the pending ones, oldest first. */
export const listChanges: Handler<typeof listProfileChanges> = (dependencies, context) => {
  const { name } = profileChangeMachine
  return queuePage(dependencies, name, profileChangeListing, columns, context, (change: ProfileChange) => {
    const { requestedAt: createdAt, state, field, from, to } = change
    return { createdAt, state, field, from, to }
  })
}

type Page = ResponseOf<typeof getProfileChange>['change']

/** Returns the page of one change, with the approved documents. Throws `not-found`. */
export async function profileChangePage(
  dependencies: Dependencies,
  context: RequestContext,
  id: ProfileChangeId,
): Promise<Page> {
  const change = requireFound(await profileChangeById(dependencies.pool, id))
  const own = ownRequest(context, change.email)
  const ownAct = change.askedBy === requireStaff(context).staffId ? new Problem('own-act') : null
  const { changes } = await dependencies.settings.get('countries')
  const country = (code: string | null) => (code === null ? null : countryOf(code, changes))
  const [before, after] = [country(change.from), country(change.to)]
  const isOpen = change.state === 'pending'
  // Current risk levels are not shown with a change that has been decided.
  const risky = isOpen && (change.field === 'country' || change.field === 'nationality')
  const impossible = isOpen ? await applicabilityProblem(dependencies.pool, change, changes) : null
  return {
    ...(await recordFieldsOf(context, dependencies, {
      ...change,
      createdAt: change.requestedAt,
      machine: profileChangeMachine,
      refusals: { approve: own ?? ownAct ?? (impossible && new Problem(impossible)), reject: own },
    })),
    state: change.state,
    client: await clientBrief(dependencies, change.clientId),
    field: change.field,
    from: change.from,
    to: change.to,
    askedBy: await requesterOf(dependencies.pool, change),
    askedReason: change.askedReason,
    risk: risky
      ? { fromLevel: before?.level ?? 5, toLevel: after?.level ?? 5, toAvailable: after?.available ?? false }
      : null,
    checks: riskChecks(risky, before?.level ?? null, after?.level ?? null),
    affects: isOpen ? await effectsOf(dependencies.pool, change, after?.level ?? 5) : [],
    documents: await approvedDocuments(dependencies.pool, change.clientId),
  }
}

async function requesterOf(connection: Connection, { askedBy }: ProfileChange): Promise<Page['askedBy']> {
  if (askedBy === null) return null
  return (await staffNames(connection, [askedBy], (id) => [id]))(askedBy) ?? { id: askedBy, name: '' }
}

function riskChecks(risky: boolean, from: number | null, to: number | null): Check[] {
  if (!risky) return []
  const verdict = to === null || to >= 5 ? 'differs' : from !== null && to > from ? 'warn' : 'ok'
  return [pageCheck('countryRisk', verdict, from, to)]
}

async function approvedDocuments(connection: Connection, clientId: ClientId): Promise<Page['documents']> {
  return rows<Page['documents'][number]>(connection)`
    select d.id, d.kind, d.state, f.id as "fileId", f.label as filename, coalesce(f.pages, 1) as pages
      from documents d left join files f on f.id = d.front_file and f.state = 'clean'
      where d.client_id = ${clientId} and d.state in ('approved', 'expired', 'uploaded', 'pending_approval') order by d.created_at, d.id`
}

type Effects = ResponseOf<typeof getProfileChange>['change']['affects']

interface Holdings {
  readonly banks: number
  readonly payouts: number
  readonly wires: number
  readonly accounts: number
}

/** Returns the effects; absent ones are omitted. `level` is the new country's risk level, for a change of country. */
async function effectsOf(
  connection: Connection,
  { clientId, field }: { readonly clientId: ClientId; readonly field: ChangedField },
  level: RiskLevel,
): Promise<Effects> {
  if (field === 'email') return []
  const kinds = await approvedKinds(connection, clientId)
  if (field === 'country') {
    const refused = kinds.filter((kind) => !isAccepted(kind, level)).length
    return [...effectIfAny('documents-not-accepted', refused), { code: 'methods-of-country', count: 1 }]
  }
  const documents = effectIfAny('documents-with-old-value', kinds.filter(isIdentityKind).length)
  if (field !== 'name' && field !== 'surname') return documents
  const { banks, payouts, wires, accounts } = await holdingsOf(connection, clientId)
  return [
    ...documents,
    ...effectIfAny('bank-holder', banks),
    ...effectIfAny('payouts-under-old-name', payouts),
    ...effectIfAny('wires-compared', wires),
    ...effectIfAny('accounts-under-old-name', accounts),
  ]
}

function effectIfAny(code: Effects[number]['code'], count: number): Effects {
  return count === 0 ? [] : [{ code, count }]
}

async function approvedKinds(connection: Connection, clientId: ClientId): Promise<DocumentKind[]> {
  const found = await rows<{ kind: DocumentKind }>(connection)`
    select kind from documents where client_id = ${clientId} and state = 'approved'`
  return found.map(({ kind }) => kind)
}

async function holdingsOf(connection: Connection, clientId: ClientId): Promise<Holdings> {
  const found = await row<Holdings>(connection)`
    select (select count(*)::int from bank_details where client_id = ${clientId} and state = 'approved') as banks,
      (select count(*)::int from withdrawals where client_id = ${clientId}
        and state in ('pending', 'second_approval', 'processing', 'approved')) as payouts,
      (select count(*)::int from deposits where client_id = ${clientId} and type = 'wire' and state = 'pending') as wires,
      (select count(*)::int from trading_accounts where client_id = ${clientId} and state = 'approved') as accounts`
  return found ?? { banks: 0, payouts: 0, wires: 0, accounts: 0 }
}
