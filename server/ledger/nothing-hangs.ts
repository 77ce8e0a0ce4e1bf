/** Invariant: nothing is pending without a work item or an operation. */
import { join, raw, sql } from '../db/sql.ts'
import type { Invariant } from './invariant.ts'

/** How long ago a lease must have expired for its operation to count as forgotten: the sweep runs every 2 s. */
const purgedAfterMs = 10 * 60_000

const waitsForStaff: readonly (readonly [kind: string, table: string, states: readonly string[]])[] = [
  ['withdrawal', 'withdrawals', ['pending', 'second_approval']],
  ['payout_batch', 'payout_batches', ['created', 'released', 'void_requested']],
  ['payout_stop', 'payout_stops', ['open', 'explained']],
  ['transfer', 'transfers', ['pending']],
  ['deposit', 'deposits', ['in_review', 'uncredited']],
  ['account', 'trading_accounts', ['pending']],
  ['leverage_request', 'leverage_requests', ['pending']],
  ['bank_details', 'bank_details', ['pending']],
  ['bank_line', 'bank_lines', ['second_approval', 'settlement_proposed']],
  ['professional', 'professional_applications', ['pending']],
  ['profile_change', 'profile_changes', ['pending']],
  ['enquiry', 'enquiries', ['open']],
  ['correction', 'corrections', ['pending']],
  ['firm_money', 'firm_money_moves', ['pending']],
  ['difference', 'differences', ['open', 'proposed']],
  ['setting_change', 'setting_changes', ['pending']],
  ['staff_change', 'staff_changes', ['pending']],
  ['erasure', 'erasures', ['pending']],
  ['factor_reset', 'factor_resets', ['pending']],
]

const processing: readonly (readonly [kind: string, table: string, state: string])[] = [
  ['withdrawal', 'withdrawals', 'processing'],
  ['transfer', 'transfers', 'processing'],
  ['deposit', 'deposits', 'processing'],
  ['deposit', 'deposits', 'refunding'],
  ['account', 'trading_accounts', 'processing'],
  ['leverage_request', 'leverage_requests', 'processing'],
  ['correction', 'corrections', 'processing'],
]

export const nothingHangs: Invariant = {
  name: 'I12',
  rule: 'Every unfinished operation has a next attempt or an item in the inbox.',
  violations: (now) => sql`
    select o.id::text as record, o.kind || ' operation has no next try and no work item' as what from operations o
      where o.state in ('waiting', 'sending', 'unknown') and (o.next_try_at is null or o.parked_at is not null)
        and not exists (select from work_items w where w.kind = 'operation' and w.record = o.id and w.closed_at is null)
    union all
    select o.id::text, o.kind || ' operation was left alone since ' || greatest(o.next_try_at, o.lease_until) from operations o
      where o.state in ('waiting', 'sending', 'unknown') and o.parked_at is null
        and greatest(o.next_try_at, o.lease_until) < ${new Date(now.getTime() - purgedAfterMs)}
    union all
    ${join(
      waitsForStaff.map(
        ([kind, table, states]) => sql`select t.id::text, ${kind}::text || ' is ' || t.state || ' and has no work item'
          from ${raw(table)} t where t.state = any (${[...states]}::text[]) and not exists (select from work_items w
            where w.kind = ${kind} and w.record = t.id and w.closed_at is null)`,
      ),
      ' union all ',
    )}
    union all
    select w.id::text, 'withdrawal is approved and has no work item and no payout batch' from withdrawals w
      where w.state = 'approved' and not exists (select from work_items i
          where i.kind = 'withdrawal' and i.record = w.id and i.closed_at is null)
        and not exists (select from payout_batch_payments p where p.withdrawal_id = w.id and p.live)
    union all
    ${join(
      processing.map(
        ([
          kind,
          table,
          state,
        ]) => sql`select t.id::text, ${kind}::text || ' is ' || t.state || ' and nothing is under way'
          from ${raw(table)} t where t.state = ${state} and not exists (select from operations o
            where o.subject = ${kind} and o.record = t.id and o.kind <> 'mail' and o.state in ('waiting', 'sending', 'unknown'))
          and not exists (select from work_items w where w.closed_at is null and (w.kind, w.record) = (${kind}, t.id))
          and not exists (select from work_items w join operations o on o.id = w.record
            where w.closed_at is null and w.kind = 'operation' and o.record = t.id)`,
      ),
      ' union all ',
    )}`,
}
