/** What does not add up and needs a person: shown under Reconciliation until finance explains it (attack C17). */
import { differenceLife } from '#rules/corrections.ts'
import type { Currency } from '#rules/money.ts'
import { record, type Act } from '../db/events.ts'
import { row, sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { openWork } from '../db/work-items.ts'

export interface FoundDifference {
  readonly kind: string
  /** The same difference found again is not shown twice: neither while it is open nor after somebody explained it. */
  readonly fingerprint: string
  readonly clientId?: string
  readonly subject: string
  readonly record: string
  readonly oursMinor: bigint | null
  readonly theirsMinor: bigint | null
  readonly currency: Currency
  readonly facts: Readonly<Record<string, string | number | boolean | null>>
}

/**
 * Keeps a difference and opens its inbox item. It names a record and no account: the comparison of an account with its
 * platform lets go of what it does not find itself, and these only a person can explain. Answers false where it is
 * known already.
 */
export async function raiseDifference(tx: Transaction, act: Act, found: FoundDifference): Promise<boolean> {
  const { kind, fingerprint, subject, oursMinor, theirsMinor, currency, facts } = found
  const written = await row<{ id: string }>(
    tx,
    sql`insert into differences (kind, subject, record, ours_minor, theirs_minor, currency, facts, fingerprint,
          found_at)
        select ${kind}, ${subject}, ${found.record}::uuid, ${oursMinor}::bigint, ${theirsMinor}::bigint,
          ${currency}, ${JSON.stringify(facts)}::text::jsonb, ${fingerprint}, ${act.now}::timestamptz
        where not exists (select from differences where fingerprint = ${fingerprint} and state = 'explained')
        on conflict (fingerprint) where state = 'open' do nothing returning id`,
  )
  if (!written) return false
  const { name, first } = differenceLife
  const client = found.clientId === undefined ? {} : { clientId: found.clientId }
  await record(tx, act, {
    kind: name,
    verb: 'find',
    record: written.id,
    to: first,
    ...client,
    details: { kind, ...facts },
  })
  const summary = { ...facts, kind, currency }
  await openWork(tx, name, written.id, { state: first, dueAt: act.now, summary, ...client }, act.now)
  return true
}
