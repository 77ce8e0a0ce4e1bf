/** The overview of one client: pending items, personal data, accounts, risk and notes of staff. */
import type { OfficeClient } from '#contract/office/clients.ts'
import type { Check } from '#contract/office/briefs.ts'
import { securityAnswerTriesMax } from '#rules/constants.ts'
import { checkApproval, clientMachine, type ClientState } from '#rules/clients.ts'
import { countryOf, type CountryChanges } from '#rules/countries.ts'
import { canSeeDocuments } from '#rules/permissions.ts'
import type { Language } from '#rules/choices.ts'
import type { ClientId, StaffId } from '#rules/ids.ts'
import { checksOfPage } from '../../checks/pass-checks.ts'
import { profileColumns } from '../../db/profile-columns.ts'
import { row, rows, type Connection } from '../../db/sql.ts'
import { requireStaff, type RequestContext } from '../../http/handler.ts'
import { Problem, requireFound } from '../../http/problem.ts'
import { currentCount } from '../../http/rate-limits.ts'
import { maskNumbers } from '../../office/masking.ts'
import { ownRequest } from '../../office/decide.ts'
import { clientBrief, recordFieldsOf, staffNames, pageCheck } from '../../office/records.ts'
import type { Dependencies } from '../../dependencies.ts'
import { uuidOrNull } from '../../db/ids.ts'
import { reasonText } from '../../i18n/format.ts'
import { factorResetResponse } from '../factor-resets/queries.ts'
import { erasureShown } from '../retention/queries.ts'
import { clientApprovalChecked } from './approval-checks.ts'
import { answerBucket } from './check-security-answer.ts'
import { holdResponse } from './hold-payments.ts'
import { closingProblem } from './closing-checks.ts'
import { mailRejectedAt } from './queries.ts'
import { profileFields, type ProfileRow } from './profile-fields.ts'
import { actionsOf } from './page-actions.ts'
import { deviceHours, type LinkKind } from '#rules/linked-clients.ts'
import { otherClients } from '../../office/other-clients.ts'

interface ClientRow extends ProfileRow {
  id: ClientId
  version: number
  state: ClientState
  reason: string | null
  identity_approved_at: Date | null
  address_approved_at: Date | null
  source_of_wealth_asked_at: Date | null
  factor_confirmed_at: Date | null
  security_answer_hash: string | null
  security_question: string | null
  created_at: Date
  erased_at: Date | null
}

/** Returns the client's page. Throws `not-found`. */
export async function clientPage(
  dependencies: Dependencies,
  context: RequestContext,
  id: string,
): Promise<OfficeClient> {
  const { pool } = dependencies
  const client = requireFound(
    await row<ClientRow>(pool)`
      select id, email, ${profileColumns}, employment, trading_experience as "tradingExperience", version, state, reason,
          identity_approved_at, address_approved_at, source_of_wealth_asked_at, factor_confirmed_at, security_answer_hash,
          security_question, created_at, erased_at
        from clients where id = ${uuidOrNull(id)}::uuid`,
  )
  const { changes } = await dependencies.settings.get('countries')
  const flags = await flagsOf(pool, client.id)
  const linked = await linkedClients(dependencies, context, client.id)
  const decision = await lastDecision(pool, client.id)
  const own = ownRequest(context, client.email)
  const unapprovable = checkApproval({
    identityApproved: client.identity_approved_at !== null,
    addressApproved: client.address_approved_at !== null,
  })
  const subject = { id: client.id, email: client.email, state: client.state, version: client.version }
  const decisionChecks = await checksOfPage(dependencies, context, clientApprovalChecked, subject)
  const unclosable = await closingProblem(pool, client.id, context.now)
  const fields = await recordFieldsOf(context, dependencies, {
    ...client,
    createdAt: client.created_at,
    decidedAt: decision?.at ?? null,
    decidedBy: decision?.by ?? null,
    machine: clientMachine,
    refusals: {
      approve: own ?? (unapprovable ? new Problem(unapprovable) : decisionChecks.refusal),
      reject: own,
      suspend: own,
      reactivate: own,
      close: own ?? unclosable,
    },
  })
  return {
    ...fields,
    decisionChecks: decisionChecks.shown,
    state: client.state,
    internalReason: decision?.reason ?? null,
    client: await clientBrief(dependencies, client.id),
    checks: checksOf(client, changes),
    profile: await profileFields(pool, client),
    waiting: await openItemsOf(pool, client.id, context.now),
    documents: await documentsOf(pool, context, client.id),
    accounts: await accountsOf(pool, client.id),
    approval: {
      identityApprovedAt: client.identity_approved_at,
      addressApprovedAt: client.address_approved_at,
    },
    risk: { ...countriesOf(client, changes, context.language), flags },
    linked,
    security: await securityOf(dependencies, client, context),
    erasedAt: client.erased_at,
    erasure: await erasureShown(dependencies, context, client),
    mailRefusedAt: await mailRejectedAt(pool, client),
    factorReset: await factorResetResponse(pool, context, client),
    hold: await holdResponse(pool, client.id, context.now),
    notes: await notesOf(pool, client.id),
    deeds: await actionsOf(dependencies, context, client),
    counts: await countsOf(pool, client.id),
  }
}

function checksOf(client: ClientRow, changes: CountryChanges): Check[] {
  const level = countryOf(client.country, changes)?.level ?? 5
  const nationality = client.nationality === null ? null : (countryOf(client.nationality, changes)?.level ?? 5)
  const graded = (grade: number) => (grade >= 5 ? 'differs' : grade >= 3 ? 'warn' : 'ok')
  return [
    pageCheck('identity', client.identity_approved_at ? 'ok' : 'unknown'),
    pageCheck('address', client.address_approved_at ? 'ok' : 'unknown'),
    pageCheck('countryRisk', graded(level), null, level),
    pageCheck('nationalityRisk', nationality === null ? 'unknown' : graded(nationality), null, nationality),
  ]
}

function countriesOf(client: ClientRow, changes: CountryChanges, language: Language) {
  const country = countryOf(client.country, changes)
  const nationality = client.nationality === null ? null : countryOf(client.nationality, changes)
  return {
    country: { name: country?.name[language] ?? client.country, level: country?.level ?? 5 },
    nationality: nationality && { name: nationality.name[language], level: nationality.level },
  }
}

function lastDecision(connection: Connection, clientId: ClientId) {
  return row<{ at: Date; by: string | null; reason: string | null }>(connection)`
    select at, actor_id as by, reason from events where kind = ${clientMachine.name} and record = ${clientId} and actor = 'staff'
      and verb in ('approve', 'reject', 'suspend', 'reactivate', 'close') order by id desc limit 1`
}

async function openItemsOf(connection: Connection, clientId: ClientId, now: Date): Promise<OfficeClient['waiting']> {
  const found = await rows<Omit<OfficeClient['waiting'][number], 'late'>>(connection)`
    select id as "itemId", kind, record, state, summary, due_at as "dueAt", created_at as "createdAt"
      from work_items where client_id = ${clientId} and closed_at is null order by due_at, id limit 100`
  return found.map((item) => ({ ...item, late: item.dueAt < now }))
}

async function documentsOf(
  connection: Connection,
  context: RequestContext,
  clientId: ClientId,
): Promise<OfficeClient['documents']> {
  const found = await rows<OfficeClient['documents'][number]>(connection)`
    select id, kind, state, country, document_number as "documentNumber", expiry_date as date, sent_at as "sentAt",
        decided_at as "decidedAt", reason,
        (select f.id from files f where f.id = coalesce(front_file, back_file) and f.state = 'clean') as "thumbnailFileId"
      from documents where client_id = ${clientId} order by created_at, id`
  const { roles } = requireStaff(context)
  return maskNumbers(found, roles).map(({ reason, thumbnailFileId, ...document }) => ({
    ...document,
    reason: reasonText(reason, context.language),
    thumbnailFileId: canSeeDocuments(roles) ? thumbnailFileId : null,
  }))
}

async function flagsOf(connection: Connection, clientId: ClientId): Promise<OfficeClient['risk']['flags']> {
  const found = await rows<{ flag: 'pep' | 'sanction' | 'watch'; note: string; set_by: string; set_at: Date }>(
    connection,
  )`
    select flag, note, set_by, set_at from client_flags where client_id = ${clientId} order by flag`
  const nameOf = await staffNames(connection, found, (flag) => [flag.set_by])
  return found.map(({ flag, note, set_by: by, set_at: setAt }) => ({
    flag,
    note,
    setAt,
    setBy: nameOf(by) ?? { id: by, name: '' },
  }))
}

async function securityOf(
  dependencies: Dependencies,
  client: ClientRow,
  context: RequestContext,
): Promise<OfficeClient['security']> {
  const sessions = await row<{ open: number }>(dependencies.pool)`
    select (count(*) filter (where ended_at is null and ends_at > ${context.now}
          and last_seen_at + make_interval(secs => idle_seconds) > ${context.now}))::int as open
      from sessions where client_id = ${client.id}`
  const { questions } = await dependencies.settings.get('security')
  const question = questions.find(({ id }) => id === client.security_question)
  const tries = await currentCount(dependencies.pool, answerBucket(client.id), context.now)
  return {
    secondFactor: client.factor_confirmed_at !== null,
    secondFactorSince: client.factor_confirmed_at,
    question: question?.text[context.language] ?? client.security_question,
    answerTriesLeft: Math.max(0, securityAnswerTriesMax - tries.count),
    openSessions: sessions?.open ?? 0,
  }
}

async function notesOf(connection: Connection, clientId: ClientId): Promise<OfficeClient['notes']> {
  const found = await rows<{ id: string; staff_id: StaffId; name: string; text: string; at: Date }>(connection)`
    select n.id, n.staff_id, s.name, n.text, n.at from staff_notes n join staff s on s.id = n.staff_id
      where n.client_id = ${clientId} order by n.id desc limit 100`
  return found.map(({ id, staff_id: staff, name, text, at }) => ({ id, by: { id: staff, name }, text, at }))
}

async function countsOf(connection: Connection, clientId: ClientId): Promise<OfficeClient['counts']> {
  const found = await row<OfficeClient['counts']>(connection)`
    select (select count(*) from documents where client_id = ${clientId})::int as documents,
      (select count(*) from trading_accounts where client_id = ${clientId})::int as accounts,
      ((select count(*) from deposits where client_id = ${clientId}) + (select count(*) from withdrawals where client_id = ${clientId})
        + (select count(*) from transfers where client_id = ${clientId}))::int as money,
      (select count(*) from bank_details where client_id = ${clientId})::int as "bankDetails",
      (select count(*) from operations where client_id = ${clientId} and kind = 'mail')::int as mails,
      (select count(*) from events where client_id = ${clientId})::int as events`
  return found ?? { documents: 0, accounts: 0, money: 0, bankDetails: 0, mails: 0, events: 0 }
}

interface AccountRow extends Omit<OfficeClient['accounts'][number], 'balance' | 'equity'> {
  balance: bigint | null
  equity: bigint | null
  readAt: Date | null
}

async function accountsOf(connection: Connection, clientId: ClientId): Promise<OfficeClient['accounts']> {
  const found = await rows<AccountRow>(connection)`
    select a.id, a.login as number, a.request_type as "requestType", a.platform, a.acc_type as type, a.currency, a.leverage,
        a.client_status as "clientStatus", a.state, a.nickname, f.balance_minor as balance, f.equity_minor as equity,
        f.read_at as "readAt",
        coalesce((select sum(amount_minor) from reservations r where r.account_id = a.id and r.released_at is null), 0)::bigint
          as reserved
      from trading_accounts a left join platform_figures f on f.account_id = a.id
      where a.client_id = ${clientId} order by a.requested_at, a.id limit 200`
  return found.map(({ balance, equity, readAt, ...account }) => {
    const fact = (amount: bigint | null) => ({ amount, currency: account.currency, at: readAt })
    return { ...account, balance: fact(balance), equity: fact(equity) }
  })
}

/** The maximum number of linked clients that are named. */
const namedMax = 20

interface LinkedClient {
  readonly id: ClientId
  readonly kinds: LinkKind[]
  readonly count: number
}

/**
 * Returns clients who share details with this one: by name for permitted roles, as a count for others (requirements
 * 24.9, 24.36).
 */
async function linkedClients(
  dependencies: Dependencies,
  context: RequestContext,
  clientId: ClientId,
): Promise<OfficeClient['linked']> {
  const found = await rows<LinkedClient>(dependencies.pool)`
    select o.client_id as id, array_agg(distinct o.kind order by o.kind) as kinds, (count(*) over ())::int as count
      from link_digests d join link_digests o on o.kind = d.kind and o.digest = d.digest and o.client_id <> d.client_id
        and (d.kind <> 'device' or o.at between d.at - make_interval(hours => ${deviceHours}) and d.at + make_interval(hours => ${deviceHours}))
      where d.client_id = ${clientId}
      group by o.client_id order by bool_and(o.kind = 'device'), o.client_id limit ${namedMax}`
  const ids = found.map(({ id }) => id)
  const { count, clients } = await otherClients(dependencies, context, ids, found[0]?.count)
  const kindsOf = new Map<string, LinkKind[]>(found.map(({ id, kinds }) => [id, kinds]))
  return {
    count,
    clients:
      clients?.map(({ id, name, number, status: state }) => ({
        id,
        name,
        number,
        state,
        kinds: kindsOf.get(id) ?? [],
      })) ?? null,
  }
}
