/** Facts about a client for checks, read in the decision's own transaction. */
import type { Setting } from '#contract/setting-sections.ts'
import type { ClientFacts, IdentityFacts } from '#rules/checks/client-checks.ts'
import type { Fact, FactSource } from '#rules/checks/check.ts'
import { changeRelevantUntil, type SignInChange, type WithdrawalFacts } from '#rules/checks/withdrawal-checks.ts'
import type { ClientState } from '#rules/clients.ts'
import { dayIn, hourMs, isoDay } from '#rules/dates.ts'
import { announcedChargeback, chargebackKinds, unsettledStates } from '#rules/differences.ts'
import { addressKinds, groupOf, identityKinds, type DocumentKind, type DocumentState } from '#rules/documents.ts'
import type { ClientId } from '#rules/ids.ts'
import { money, type Currency } from '#rules/money.ts'
import { row, rows, type Connection, requireRow } from '../db/sql.ts'
import type { CheckTerms } from './checked-request.ts'

export function factAsOf<Value>(value: Value, now: Date, source: FactSource = 'records'): Fact<Value> {
  return { value, source, at: now }
}

interface ClientRow {
  state: ClientState
  wealth_asked_at: Date | null
  wealth_approved: boolean
  flagged: boolean
}

/** Status, hold, flag and requested documents. */
export async function clientFacts(connection: Connection, clientId: ClientId, now: Date): Promise<ClientFacts> {
  const client = await requireRow<ClientRow>(connection)`select state, source_of_wealth_asked_at as wealth_asked_at,
        exists (select from documents d where d.client_id = c.id and d.kind = 'source_of_wealth'
          and d.state = 'approved') as wealth_approved,
        exists (select from client_flags f where f.client_id = c.id and f.flag = 'sanction') as flagged
      from clients c where id = ${clientId}`
  const { wealth_asked_at: askedAt, wealth_approved: isApproved } = client
  return {
    clientState: factAsOf(client.state, now),
    hold: factAsOf(await activeHold(connection, clientId, now), now),
    sanctionFlag: factAsOf(client.flagged, now),
    requestedDocuments: factAsOf(
      [
        ...(askedAt && !isApproved ? [{ kind: 'source_of_wealth', askedAt }] : []),
        ...(await documentsRequestedAgain(connection, clientId)),
      ],
      now,
    ),
  }
}

/**
 * Returns the documents that compliance requested again after it had approved them. A request ends with the approval of
 * the document or, later than the request, of another one that proves the same (requirements 24.220).
 */
async function documentsRequestedAgain(connection: Connection, clientId: ClientId) {
  const found = await rows<{ kind: DocumentKind; state: DocumentState; decidedAt: Date | null; askedAt: Date | null }>(
    connection,
  )`
    select d.kind, d.state, d.decided_at as "decidedAt", (select e.at from events e where e.kind = 'document'
          and e.record = d.id and e.verb = 'askAgain'
          and not exists (select from events a where a.kind = 'document' and a.record = d.id and a.verb = 'approve' and a.id > e.id)
        order by e.id desc limit 1) as "askedAt"
      from documents d where d.client_id = ${clientId} and d.kind <> 'source_of_wealth' order by d.id`
  const approved = found.filter(({ state }) => state === 'approved')
  return found.flatMap(({ kind, askedAt }) => {
    const isReplaced = approved.some(
      (one) => groupOf(one.kind) === groupOf(kind) && askedAt && one.decidedAt && one.decidedAt > askedAt,
    )
    return askedAt && !isReplaced ? [{ kind, askedAt }] : []
  })
}

interface Hold {
  readonly id: string
  readonly from: Date
  readonly until: Date | null
  readonly reason: string
  readonly setBy: string
}

/** Returns the hold in force on a client's payments, or null. */
export async function activeHold(connection: Connection, clientId: ClientId, now: Date): Promise<Hold | null> {
  return row<Hold>(connection)`
    select id, from_at as from, until_at as until, reason, set_by as "setBy" from payment_holds
      where client_id = ${clientId} and lifted_at is null and from_at <= ${now}
        and (until_at is null or until_at > ${now})
      order by until_at desc nulls first limit 1`
}

/**
 * Returns until when the identity is proved, and the age of the proof of address. An identity document that expired and
 * was replaced counts with the day on which it expired, until the replacement is approved (requirements 24.219).
 */
export async function identityFacts(
  connection: Connection,
  clientId: ClientId,
  { checks, timeZone, now }: CheckTerms,
): Promise<IdentityFacts> {
  const found = await row<{ until: string | null; issued: string | null }>(connection)`
    select max(day) filter (where kind = any (${[...identityKinds]}::text[]))::text as until,
        max(day) filter (where kind = any (${[...addressKinds]}::text[]))::text as issued
      from (select kind, expiry_date as day from documents
            where client_id = ${clientId} and state in ('approved', 'expired')
          union all
          select d.kind, (v.details -> 'before' ->> 'expiry_date')::date from documents d
            join events e on e.kind = 'document' and e.record = d.id and e.verb = 'replace' and e.from_state = 'expired'
            join event_details v on v.event_id = e.id
            where d.client_id = ${clientId} and d.state not in ('approved', 'expired')
              and not exists (select from events a where a.kind = 'document' and a.record = d.id
                and a.verb = 'approve' and a.id > e.id)) known`
  return {
    today: isoDay(dayIn(now, timeZone)),
    identityUntil: factAsOf(found?.until ?? null, now),
    identityExpired: checks.identityExpired,
    addressIssued: factAsOf(found?.issued ?? null, now),
    addressMonths: checks.proofOfAddressMonths,
  }
}

/**
 * The change of a client's sign-in details by the event's action; turning on a factor or setting a first password does
 * not count as one.
 */
const changeOfAction: Readonly<Record<string, SignInChange>> = {
  resetPassword: 'password',
  changePassword: 'password',
  turnFactorOff: 'factor-off',
  resetFactor: 'factor-reset',
  confirm: 'email',
  editUser: 'phone',
  correctField: 'phone',
}

/** Returns the latest change of the sign-in details within the setting's hours, or null. */
export async function latestSignInChange(
  connection: Connection,
  clientId: ClientId,
  since: Date,
): Promise<{ kind: SignInChange; at: Date } | null> {
  const found = await row<{ verb: string; at: Date }>(connection)`select e.verb, e.at from events e
      where e.client_id = ${clientId} and e.at > ${since} and (
        e.kind = 'client' and e.verb in ('resetPassword', 'changePassword', 'turnFactorOff', 'resetFactor')
        or e.kind = 'profile_change' and e.verb = 'confirm'
        or e.kind = 'client' and e.verb in ('editUser', 'correctField') and exists (select from event_details d
          where d.event_id = e.id and d.details -> 'before' ->> 'mobilePhone' is not null))
      order by e.at desc limit 1`
  const kind = found && changeOfAction[found.verb]
  return found && kind ? { kind, at: found.at } : null
}

/**
 * Returns when a client's withdrawals can continue after a change of the sign-in details, or null if they can continue
 * now. A request is accepted; approval, debit and release are delayed (requirements 9.10).
 */
export async function delayedUntil(
  connection: Connection,
  clientId: ClientId,
  { signInChange, signInChangeHours }: Pick<Setting<'checks'>, 'signInChange' | 'signInChangeHours'>,
  now: Date,
): Promise<Date | null> {
  if (signInChange !== 'block' || signInChangeHours === 0) return null
  const change = await latestSignInChange(connection, clientId, new Date(now.getTime() - signInChangeHours * hourMs))
  return change && changeRelevantUntil(change.at, signInChangeHours)
}

interface ChargebackRow {
  id: string
  kind: string
  foundAt: Date
  minor: bigint | null
  currency: Currency
  reference: string
}

/** Chargebacks that the provider reported or announced and that have not been decided yet. */
export async function openChargebacks(
  connection: Connection,
  clientId: ClientId,
  now: Date,
): Promise<WithdrawalFacts['chargebacks']> {
  const found = await rows<ChargebackRow>(connection)`
    select f.id, f.kind, f.found_at as "foundAt", f.ours_minor - coalesce(f.theirs_minor, 0) as minor, d.currency, d.reference
      from differences f join deposits d on f.subject = 'deposit' and d.id = f.record
      where d.client_id = ${clientId} and f.kind = any (${[...chargebackKinds]}::text[])
        and f.state = any (${[...unsettledStates]}::text[]) order by f.id`
  const chargebacks = found.map(({ id, kind, foundAt, minor, currency, reference }) => ({
    id,
    isAnnounced: kind === announcedChargeback,
    foundAt,
    amount: minor === null ? null : money(minor, currency),
    reference,
  }))
  return factAsOf(chargebacks, now)
}
