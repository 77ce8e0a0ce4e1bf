/** Discrepancies that need a person, shown under Reconciliation until finance has decided them (requirements 28.17). */
import { differenceMachine } from '#rules/corrections.ts'
import type { Currency } from '#rules/money.ts'
import type { AccountId, ClientId, DifferenceId, WithdrawalId } from '#rules/ids.ts'
import { applyTransition, recordCreation } from '../db/transition.ts'
import type { AuditContext } from '../db/events.ts'
import { decidedInRecovery, payoutNotPaid, providerSilent, unsettledStates } from '#rules/differences.ts'
import { row, rows, type Connection, type Transaction } from '../db/sql.ts'
import { Deferred, Rejected, type IntegrationError } from '../integrations/errors.ts'
import { workItemDueIn } from '../office/due-dates.ts'

interface FoundDifference {
  readonly kind: string
  /** The same discrepancy found again is not opened twice: neither while it is open nor after it was explained. */
  readonly fingerprint: string
  /** The discrepancy did not exist at this time: one that was explained before has come back. */
  readonly absentAt?: Date | null
  readonly clientId?: ClientId
  /** The account concerned; a discrepancy that stops it is decided by two people (rules/differences.ts). */
  readonly accountId?: AccountId
  readonly subject?: string
  readonly record?: string
  readonly oursMinor: bigint | null
  readonly theirsMinor: bigint | null
  /** Null if neither side has an amount. */
  readonly currency: Currency | null
  readonly facts: Readonly<Record<string, string | number | boolean | null>>
}

/**
 * Stores a discrepancy and opens its inbox item. The comparison of an account with its platform closes none of these:
 * only people can decide them. Returns false if it is known already.
 */
export async function raiseDifference(
  tx: Transaction,
  auditContext: AuditContext,
  found: FoundDifference,
): Promise<boolean> {
  const { kind, fingerprint, subject = null, oursMinor, theirsMinor, currency, facts } = found
  const written = await row<{ id: DifferenceId }>(tx)`
    insert into differences (kind, account_id, subject, record, ours_minor, theirs_minor, currency, facts, fingerprint,
        found_at)
      select ${kind}, ${found.accountId ?? null}::uuid, ${subject}, ${found.record ?? null}::uuid, ${oursMinor}::bigint, ${theirsMinor}::bigint,
        ${currency}, ${JSON.stringify(facts)}::text::jsonb, ${fingerprint}, ${auditContext.now}::timestamptz
      where not exists (select from differences where fingerprint = ${fingerprint} and state in ('explained', 'settled')
          and found_at > coalesce(${found.absentAt ?? null}::timestamptz, '-infinity')
          -- A server of an earlier version lets one person explain it, which decides nothing.
          and not (kind = any (${decidedInRecovery}::text[]) and proposed_by is null))
      on conflict (fingerprint) where state in ('open', 'proposed', 'processing') do nothing returning id`
  if (!written) return false
  await recordCreation(tx, differenceMachine, auditContext, { id: written.id, clientId: found.clientId }, 'find', {
    details: { kind, ...facts },
    workItem: {
      dueAt: await workItemDueIn(tx, 'difference', auditContext.now),
      summary: { ...facts, kind, currency },
    },
  })
  return true
}

/** Returns the fingerprint of a missing response about a deposit, or about a checkout without one. */
export function silenceOf(id: string): string {
  return `${providerSilent}:${id}`
}

/** Returns whether two people have decided that recovery does not wait for this response of the provider (ADR 351). */
export async function isSilenceReviewed(connection: Connection, id: string): Promise<boolean> {
  const reviewed = await row(connection)`
    select from differences where fingerprint = ${silenceOf(id)} and state = 'explained' and proposed_by is not null`
  return reviewed !== null
}

/** Clears the open discrepancy of a missing response, because the provider has responded. A proposed one stays. */
export async function clearSilence(tx: Transaction, id: string, now: Date): Promise<void> {
  const open = await row<{ id: DifferenceId }>(tx)`
    select id from differences where fingerprint = ${silenceOf(id)} and state = 'open'`
  const clock: AuditContext = { identity: { kind: 'clock' }, now }
  if (open)
    await applyTransition(tx, differenceMachine, clock, open, 'vanish', { set: { decided_at: now }, workItem: null })
}

/** How long a response may be missing before its discrepancy is opened. */
export const silentMs = 3_600_000

/** Returns what the provider responded, for staff: nothing, or something that cannot be used. */
export function responseIn(error: IntegrationError): 'missing' | 'unusable' {
  return error instanceof Deferred || error instanceof Rejected ? 'unusable' : 'missing'
}

/** Returns those of the withdrawals that a discrepancy keeps out of every batch. */
export async function paidOnlyAtBank(connection: Connection, withdrawalIds: readonly string[]): Promise<Set<string>> {
  const found = await rows<{ id: DifferenceId }>(connection)`
    select distinct record as id from differences where kind = ${payoutNotPaid} and state = any (${[...unsettledStates]}::text[])
      and record = any (${[...withdrawalIds]}::uuid[])`
  return new Set(found.map(({ id }) => id))
}

/** Closes the discrepancies of a withdrawal that only the bank had paid, because it is now marked as paid. */
export async function closePayoutDiscrepancies(
  tx: Transaction,
  auditContext: AuditContext,
  withdrawalId: WithdrawalId,
): Promise<void> {
  const open = await rows<{ id: DifferenceId }>(tx)`
    select id from differences where kind = ${payoutNotPaid} and state = any (${[...unsettledStates]}::text[]) and record = ${withdrawalId}`
  const clock: AuditContext = { ...auditContext, identity: { kind: 'clock' } }
  for (const { id } of open) await applyTransition(tx, differenceMachine, clock, { id }, 'vanish', { workItem: null })
}
