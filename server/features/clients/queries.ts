/** Clients as the back office reads them, and the client who requests a payment or an account. */
import { searchClients } from '#contract/office/clients.ts'
import type { QueryOf } from '#contract/endpoint.ts'
import type { ClientStatus, Language } from '#rules/choices.ts'
import type { ClientState } from '#rules/clients.ts'
import { expiryNoticeDaysAhead } from '#rules/constants.ts'
import { allCountries } from '#rules/countries.ts'
import { dayIn, daysAfter, isoDay } from '#rules/dates.ts'
import { identityKinds } from '#rules/documents.ts'
import type { StaffRole } from '#rules/actors.ts'
import { canRead, canSeeNumbers } from '#rules/permissions.ts'
import { readReference } from '#rules/references.ts'
import type { Review } from '#rules/reviews.ts'
import type { ClientId } from '#rules/ids.ts'
import { empty, join, requireRow, row, sql, type Connection, type Sql, type Transaction } from '../../db/sql.ts'
import { hasValidLink } from '../../auth/one-time-links.ts'
import { uuidOrNull } from '../../db/ids.ts'
import { requireStaff, type RequestContext } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import type { SignedInClientId } from '../../http/sessions.ts'
import { clientsNamed } from '../../office/lists.ts'
import { clientsReached, hasReached } from '../reports/queries.ts'
import { listing, whereEquals, type Listing } from '../../office/listing.ts'
import type { Dependencies } from '../../dependencies.ts'

export interface DecisionSubject {
  id: ClientId
  email: string
  language: Language
  state: ClientState
  client_status: ClientStatus
  identity_approved_at: Date | null
  address_approved_at: Date | null
  wanted_account: Readonly<Record<string, unknown>> | null
}

/**
 * Returns the client that staff decide on and locks the row until the transaction ends, or null. Waits for the client's
 * requests in progress; new ones wait for it (`lockRequester`).
 */
export async function subjectForDecision(tx: Transaction, id: ClientId): Promise<DecisionSubject | null> {
  return row<DecisionSubject>(tx)`
    select id, email::text as email, language, state, client_status, identity_approved_at, address_approved_at,
        wanted_account
      from clients where id = ${uuidOrNull(id)}::uuid for update`
}

/**
 * Returns the sum of the absolute ledger balances of a client's live accounts, in minor units: zero means no balance in
 * either direction. The balance of a demo account is not money.
 */
export async function grossClientBalance(
  connection: Connection,
  { clientId }: { clientId: ClientId },
): Promise<bigint> {
  const found = await row<{ owed: bigint }>(connection)`
    select coalesce(sum(abs(l.balance_minor)), 0)::bigint as owed from ledger_accounts l
      join trading_accounts a on a.id = l.trading_account where a.client_id = ${clientId} and l.kind = 'client'
        and a.request_type = 'live'`
  return found?.owed ?? 0n
}

/** Operations that an integration finally rejected and that a person must resolve. */
const hasOpenOperationItem = sql`exists (select from work_items i where i.kind = 'operation' and i.record = o.id and i.closed_at is null)`

/**
 * Returns how many requests of a client are pending with staff, a platform or a bank, including returned payouts and
 * changes of the profile (requirements 24.223): an approved email address while its link is valid.
 */
export async function openRequestsOf(connection: Connection, clientId: ClientId, now: Date): Promise<number> {
  const found = await row<{ open: number }>(connection)`
    select ((select count(*) from deposits where client_id = ${clientId}
          and state in ('pending', 'in_review', 'processing', 'uncredited', 'refunding'))
      + (select count(*) from withdrawals where client_id = ${clientId}
          and state in ('pending', 'second_approval', 'processing', 'approved'))
      + (select count(*) from transfers where client_id = ${clientId} and state in ('pending', 'processing'))
      + (select count(*) from corrections k join trading_accounts a on a.id = k.account_id
          where a.client_id = ${clientId} and k.state in ('pending', 'processing'))
      + (select count(*) from withdrawals w join operations o on o.subject = 'withdrawal' and o.record = w.id
          where w.client_id = ${clientId} and w.state = 'returned' and o.payload ->> 'leg' in ('withdrawal-return', 'withdrawal-reversal')
            and (o.state in ('waiting', 'sending', 'unknown') or ${hasOpenOperationItem}))
      + (select count(*) from profile_changes where client_id = ${clientId}
          and (state = 'pending' or state = 'confirming' and ${hasValidLink(clientId, 'email-change', now)}))
      + (select count(*) from trading_accounts where client_id = ${clientId} and state = 'processing'))::int as open`
  return found?.open ?? 0
}

/** Open work items of a client `c`, to be placed after a select list. */
export const openItems = sql`from work_items w where w.client_id = c.id and w.closed_at is null`

/** Returns the ids of the clients under a review, which the overview counts and the list of clients shows. */
export function clientsUnderReview(review: Review, now: Date, timeZone: string): Sql {
  return reviewQueries[review](now, timeZone)
}

const reviewQueries: Readonly<Record<Review, (now: Date, timeZone: string) => Sql>> = {
  documentsExpiring: (now, timeZone) => {
    const today = dayIn(now, timeZone)
    return sql`select d.client_id from documents d join clients o on o.id = d.client_id
      where o.state not in ('closed', 'rejected') and d.state = 'approved' and d.kind = any (${[...identityKinds]}::text[])
        and d.expiry_date between ${isoDay(today)}::date and ${isoDay(daysAfter(today, expiryNoticeDaysAhead))}::date`
  },
  sourceOfWealth: () => sql`select w.id from clients w
    where w.source_of_wealth_asked_at is not null and w.state not in ('closed', 'rejected')
      and not exists (select from documents d where d.client_id = w.id and d.kind = 'source_of_wealth' and d.state = 'approved')`,
  paymentsOnHold: (now) => sql`select h.client_id from payment_holds h
    where h.lifted_at is null and h.from_at <= ${now}::timestamptz and (h.until_at is null or h.until_at > ${now}::timestamptz)`,
}

/** Returns the review, which only roles that read documents may filter by. Throws `wrong-role` for the others. */
function requireReadableReview(roles: readonly StaffRole[], review: Review): Review {
  if (!canRead('documents', roles)) throw new Problem('wrong-role')
  return review
}

/** Returns the listing of clients, highest number first. The firm's settings define the risk level of a country. */
export async function clientListing(
  dependencies: Dependencies,
  context: Pick<RequestContext, 'caller' | 'now'>,
): Promise<Listing<QueryOf<typeof searchClients>>> {
  const { roles } = requireStaff(context)
  const { timeZone } = await dependencies.settings.get('firm')
  const { changes } = await dependencies.settings.get('countries')
  const codesOf = (risk: number) =>
    allCountries(changes)
      .filter(({ level }) => level === risk)
      .map(({ code }) => code)
  return listing(searchClients, {
    name: 'clients',
    tables: sql`clients c`,
    id: { by: 'c.id', type: 'uuid' },
    sorts: {
      number: { by: 'c.number', type: 'bigint' },
      name: { by: "lower(c.surname || ' ' || c.name)", type: 'text' },
      // Clients with an unfinished registration sort before all others.
      registeredAt: { by: "coalesce(c.registered_at, '0001-01-01 00:00:00Z')", type: 'timestamptz' },
    },
    at: { by: 'c.registered_at', type: 'timestamptz' },
    standard: ({ sort }) =>
      sort === 'name' ? { sort: 'name', direction: 'asc' } : { sort: 'number', direction: 'desc' },
    where: ({ state, clientStatus, country, riskLevel, flag, review, toApprove }) => [
      whereEquals('c.state', state),
      whereEquals('c.client_status', clientStatus),
      whereEquals('c.country', country),
      riskLevel === undefined ? empty : sql`c.country = any (${codesOf(riskLevel)}::text[])`,
      flag === undefined ? empty : sql`c.id in (select client_id from client_flags where flag = ${flag})`,
      review === undefined
        ? empty
        : sql`c.id in (${clientsUnderReview(requireReadableReview(roles, review), context.now, timeZone)})`,
      toApprove === true ? sql`exists (select ${openItems} and w.kind = 'client')` : empty,
    ],
    within: ({ reached, from, to }, days) => {
      if (reached === undefined) return null
      // Without dates the client's own row is enough; otherwise each page would derive the funnel of all time.
      return from === undefined && to === undefined
        ? hasReached[reached]
        : sql`c.id in (${clientsReached(days, reached)})`
    },
    finds: (words) => sql`c.id in (${clientsMatching(words, roles)})`,
  })
}

/**
 * Returns the conditions by which a text can match a client. Each has a separate index and is used only if the text
 * has that form, so that a name reads one index (requirements 25). Numbers that these roles may not read match nothing.
 */
function clientsMatching(q: string, roles: readonly StaffRole[]): Sql {
  const plain = q.replace(/\s/g, '')
  const code = plain.toUpperCase()
  const ways = [clientsNamed(q)]
  if (/^\d+$/.test(plain)) ways.push(sql`select client_id from trading_accounts where login = ${plain}`)
  const reference = readReference(q) ?? (/-[0-9A-Z]{8}$/.test(code) ? code : null)
  if (reference !== null)
    ways.push(
      sql`select client_id from deposits where reference = ${reference}`,
      sql`select client_id from withdrawals where reference = ${reference}`,
      sql`select client_id from transfers where reference = ${reference}`,
    )
  if (/^[A-Z]{2}\d{2}/.test(code) && canSeeNumbers(roles))
    ways.push(sql`select client_id from bank_details where iban = ${code}`)
  return join(ways, ' union ')
}

/** Returns when the mail server rejected the last email to the client, or null if it accepted it. */
export async function mailRejectedAt(
  connection: Connection,
  { id, email }: { readonly id: string; readonly email: string },
): Promise<Date | null> {
  const last = await row<{ refusedAt: Date | null }>(connection)`
    select case when state = 'refused' then settled_at end as "refusedAt" from operations
      where client_id = ${id} and kind = 'mail' and state in ('done', 'refused') and payload ->> 'to' = ${email}
      order by id desc limit 1`
  return last?.refusedAt ?? null
}

/** The fields of a client that requests for money and accounts depend on. */
export interface Requester {
  readonly id: ClientId
  readonly name: string
  readonly surname: string
  readonly email: string
  readonly language: Language
  readonly country: string
  readonly clientStatus: ClientStatus
  readonly declarationVersion: number | null
}

const requesterColumns = sql`id, name, surname, email::text as email, language, country, client_status as "clientStatus",
  declaration_version as "declarationVersion"`

/** Returns the client with an id from the session or from one of the client's own records. */
export async function requesterById(connection: Connection, clientId: ClientId): Promise<Requester> {
  const found = await requireRow<Requester>(connection)`select ${requesterColumns} from clients where id = ${clientId}`
  return found
}

/**
 * Locks and returns the client who requests a payment or an account. The lock lasts until the transaction ends, so that
 * a concurrent closure sees the request, or the request sees the closure (requirements 28.13). Throws `session-ended`
 * if the client was closed or suspended after the call was authorized.
 */
export async function lockRequester(tx: Transaction, clientId: SignedInClientId): Promise<Requester> {
  const held = await row<Requester & { state: ClientState }>(tx)`
    select ${requesterColumns}, state from clients where id = ${clientId} for key share`
  if (!held || held.state === 'closed' || held.state === 'suspended') throw new Problem('session-ended')
  return held
}
