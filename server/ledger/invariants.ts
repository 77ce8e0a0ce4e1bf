/**
 * Invariants that must hold at any time, whatever crashed (requirements 34). Each is a statement whose rows are the
 * violations; the doctor, the nightly check and the tests use the same ones. 34.2's chain is verified by `verifyChain`;
 * those that need the platform's own list (part of 34.3 and 34.4) are checked by the reconciliation, and 34.5, 34.10,
 * 34.11, 34.13 and 34.14 need the records of a test driver.
 */
import { dealKinds, blockingKinds, unsettledStates } from '#rules/differences.ts'
import { stateMachines } from '#rules/state-machine-registry.ts'
import { verifyChain } from '../db/audit-chain.ts'
import { join, raw, rows, sql, type Connection, type Sql } from '../db/sql.ts'
import type { Invariant, Violation } from './invariant.ts'
import { nothingHangs } from './nothing-hangs.ts'

const sumsToZero: Invariant = {
  name: 'I1',
  rule: 'Every entry sums to zero in each currency, and every ledger account is the sum of its postings.',
  violations: () => sql`
    select entry_id::text as record, 'sums to ' || sum(minor) || ' ' || currency as what
      from postings group by entry_id, currency having sum(minor) <> 0
    union all
    select l.id::text, 'keeps ' || l.balance_minor || ', its postings sum to ' || coalesce(sum(p.minor), 0)
      from ledger_accounts l left join postings p on p.ledger_account = l.id
      group by l.id having l.balance_minor <> coalesce(sum(p.minor), 0)`,
}

const nothingRemoved: Invariant = {
  name: 'I2',
  rule: 'Postings and sealed events are never changed or removed.',
  violations: () => sql`
    select s.event_id::text as record, 'event ' || s.number || ' is missing' as what
      from event_seals s left join events e on e.id = s.event_id where e.id is null
    union all
    select p.id::text, 'posting without its entry' from postings p left join entries e on e.id = p.entry_id where e.id is null
    union all
    select coalesce(max(number), 0)::text, 'the seals have gaps: ' || count(*) || ' up to ' || max(number)
      from event_seals having count(*) <> coalesce(max(number), 0)`,
}

const appliedOnce: Invariant = {
  name: 'I3',
  rule: 'Each operation is applied at most once, with one deal ticket.',
  violations: () => sql`
    select min(id::text) as record, 'ticket ' || (result -> 'done' ->> 'ticket') || ' stands for ' || count(*) || ' operations' as what
      from operations where kind = 'balance' and state = 'done' and result -> 'done' ->> 'ticket' is not null
      group by split_part(target, ':', 1), result -> 'done' ->> 'ticket' having count(*) > 1
    union all
    select o.id::text, 'refused, and posted all the same' from operations o join entries e on e.ref = o.ref
      where o.kind = 'balance' and o.state <> 'done'`,
}

const ledgerAgrees: Invariant = {
  name: 'I4',
  rule: 'Each settled operation is posted to its account with its amount. Ledger and platform are reconciled as of the last reading.',
  violations: () => sql`
    select o.id::text as record, 'settled ' || (o.payload ->> 'minor') || ', posted ' || coalesce(-sum(p.minor), 0) as what
      from operations o
        left join entries e on e.ref = o.ref
        left join postings p on p.entry_id = e.id and exists (select from ledger_accounts l where l.id = p.ledger_account
          and l.kind = 'client' and l.trading_account::text = o.payload ->> 'accountId')
      where o.kind = 'balance' and o.state = 'done' group by o.id
      having coalesce(-sum(p.minor), 0) <> (o.payload ->> 'minor')::numeric
    union all
    select f.account_id::text, 'platform ' || f.balance_minor || ', ledger ' || coalesce(-l.balance_minor, 0)
      from platform_figures f join trading_accounts a on a.id = f.account_id
        left join ledger_accounts l on l.kind = 'client' and l.trading_account = f.account_id
      where f.balance_minor <> coalesce(-l.balance_minor, 0) and not exists (select from operations o
        where o.kind = 'balance' and o.target = a.platform || ':' || a.login and o.state in ('sending', 'unknown'))
        and not exists (select from differences d where d.account_id = a.id and d.kind = any (${[...dealKinds]}::text[])
          and d.state = any (${[...unsettledStates]}::text[]))`,
}

const effectsOnce: Invariant = {
  name: 'I6',
  rule: 'Each side effect occurs once per request: one settled event and one email of each type.',
  violations: () => sql`
    select record::text, kind || '.' || verb || ' happened ' || count(*) || ' times' as what from events
      where (kind, verb) in (('withdrawal', 'debited'), ('withdrawal', 'pay'), ('withdrawal', 'confirm'), ('withdrawal', 'return'), ('withdrawal', 'reverse'),
        ('deposit', 'credited'), ('transfer', 'transferred'), ('transfer', 'approve'), ('correction', 'applied'))
      group by kind, record, verb having count(*) > 1
    union all
    select record::text, 'mail ' || (payload ->> 'kind') || ' was written ' || count(*) || ' times' from operations
      where kind = 'mail' and subject in ('withdrawal', 'transfer') group by record, payload ->> 'kind' having count(*) > 1`,
}

const reservedIsOpen: Invariant = {
  name: 'I7',
  rule: 'The reserved amount equals the sum of all undecided requests.',
  violations: () => sql`
    with asked as (
      select id, 'withdrawal' as subject, account_id, amount_minor, state in ('pending', 'second_approval', 'processing') as must,
          state in ('approved', 'paid', 'returned', 'rejected', 'cancelled') as never from withdrawals
      union all
      select id, 'transfer', source_account, amount_minor, state = 'pending', state in ('approved', 'rejected', 'cancelled')
        from transfers)
    select a.id::text as record, a.subject || ' asks for ' || a.amount_minor || ', set aside is ' || coalesce(r.amount_minor, 0) as what
      from asked a left join reservations r on r.subject = a.subject and r.record = a.id and r.released_at is null
      where (a.must and (r.amount_minor is distinct from a.amount_minor or r.account_id is distinct from a.account_id))
        or (a.never and r.id is not null)
    union all
    select r.id::text, 'set aside for a ' || r.subject || ' that does not exist' from reservations r
      where r.released_at is null and not exists (select from asked a where a.subject = r.subject and a.id = r.record)`,
}

/** Returns all transitions of all state machines as rows. */
function transitions(): Sql {
  const all = stateMachines.flatMap((machine) =>
    Object.entries(machine.transitions).flatMap(([action, step]) =>
      step.from.flatMap((from) => [step.to].flat().map((to) => ({ kind: machine.name, verb: action, from, to }))),
    ),
  )
  const column = (name: 'kind' | 'verb' | 'from' | 'to') => all.map((step) => step[name])
  return sql`select * from unnest(${column('kind')}::text[], ${column('verb')}::text[], ${column('from')}::text[],
    ${column('to')}::text[]) as step (kind, verb, from_state, to_state)`
}

const statesReached: Invariant = {
  name: 'I8',
  rule: 'Every state was reached by allowed transitions.',
  violations: () => sql`
    with step as (${transitions()}),
      walked as (select id, kind, record, verb, from_state, to_state,
          lag(to_state) over (partition by kind, record order by id) as before,
          row_number() over (partition by kind, record order by id desc) as back
        from events where to_state is not null and kind = any (${stateMachines.map((machine) => machine.name)}::text[])),
      stored as (${join(
        stateMachines.map(
          (machine) => sql`select ${machine.name}::text as kind, id as record, state from ${raw(machine.table)}`,
        ),
        ' union all ',
      )})
    select w.record::text, w.kind || '.' || w.verb || ' led from ' || w.from_state || ' to ' || w.to_state as what from walked w
      where w.from_state is not null
        and not exists (select from step s where (s.kind, s.verb, s.from_state, s.to_state) = (w.kind, w.verb, w.from_state, w.to_state))
    union all
    select w.record::text, w.kind || '.' || w.verb || ' began at ' || w.from_state || ', the step before ended at ' || w.before
      from walked w where w.from_state is not null and w.before is not null and w.before <> w.from_state
    union all
    select w.record::text, w.kind || ' is ' || s.state || ', its events end at ' || w.to_state
      from walked w join stored s on s.kind = w.kind and s.record = w.record where w.back = 1 and w.to_state <> s.state`,
}

const dualApproval: Invariant = {
  name: 'I9',
  rule: 'Decisions under dual approval were made by two people other than the requester.',
  violations: () => sql`
    select w.id::text as record, 'withdrawal over its threshold without two people' as what from withdrawals w
      where w.state in ('processing', 'approved', 'paid', 'returned')
        and (w.amount_minor >= w.threshold_minor or exists (select from events e where e.kind = 'withdrawal' and e.record = w.id
          and e.from_state = 'second_approval' and e.to_state = 'processing'))
        and (w.confirmed_by is null or w.confirmed_by is not distinct from w.approved_by)
    union all
    select id::text, 'withdrawal reversed by one person' from withdrawals
      where state = 'returned' and paid_at is null and reversal_asked_by is not null
        and (reversed_by is null or reversed_by = reversal_asked_by)
    union all
    select w.id::text, 'withdrawal decided by the client' from withdrawals w join clients c on c.id = w.client_id
        join staff s on s.id in (w.approved_by, w.confirmed_by) where s.email = c.email
    union all
    select id::text, 'correction decided by who asked' from corrections where decided_by = asked_by
    union all
    select id::text, 'difference decided by who proposed it' from differences where decided_by = proposed_by
    union all
    select id::text, 'difference that holds an account explained by one person' from differences
      where state = 'explained' and kind = any (${[...blockingKinds]}::text[]) and (proposed_by is null or decided_by is null)
    union all
    select id::text, 'firm money decided by who proposed it' from firm_money_moves where decided_by = asked_by
    union all
    select id::text, 'card settlement confirmed by who proposed it' from bank_lines
      where settlement_confirmed_by = settlement_asked_by
    union all
    select id::text, 'setting change decided by who asked' from setting_changes where state = 'approved' and decided_by = asked_by
    union all
    select id::text, 'change of roles decided by who asked' from staff_changes
      where state = 'approved' and (decided_by = asked_by or decided_by = staff_id)
    union all
    select id::text, 'reset of a second factor decided by who asked' from factor_resets where decided_by = asked_by
    union all
    select id::text, 'erasure decided by who asked' from erasures where decided_by = asked_by
    union all
    select id::text, 'another address approved by who asked' from profile_changes
      where state in ('confirming', 'approved') and decided_by = asked_by
    union all
    select id::text, 'payout batch released by who created it, or confirmed by who released it' from payout_batches
      where released_by = created_by or confirmed_by = released_by
    union all
    select id::text, 'released payout batch voided by one person' from payout_batches
      where state = 'void' and released_at is not null and (void_asked_by is null or voided_by is null or voided_by = void_asked_by)
    union all
    select w.id::text, 'withdrawal is paid without a batch that was confirmed as sent' from withdrawals w
      where (w.state = 'paid' or w.paid_at is not null) and not exists (select from payout_batch_payments p
        join payout_batches b on b.id = p.batch_id where p.withdrawal_id = w.id and p.live
          and b.state in ('sent', 'partly_returned', 'closed'))
        -- What recovery read at the bank was paid in a batch that our records have lost.
        and not exists (select from events e where e.kind = 'withdrawal' and e.record = w.id
          and e.verb in ('adopt', 'adoptPaid', 'adoptReturned'))
    union all
    select l.id::text, 'bank line confirmed by who typed or imported it' from bank_lines l
      left join statement_imports i on i.id = l.import_id where l.confirmed_by in (l.typed_by, i.imported_by)`,
}

const unallocatedIsUncredited: Invariant = {
  name: 'I15',
  rule: 'The unallocated receipts hold a card payment until it is credited, less what was returned of one that is not to be credited.',
  violations: () => sql`
    with held as (select d.id, d.state,
        case when d.state = 'processing' then d.received_minor
          when d.state in ('uncredited', 'refunding') then d.received_minor - d.refunded_minor else 0 end as due,
        (select coalesce(-sum(p.minor), 0) from entries e join postings p on p.entry_id = e.id
          join ledger_accounts l on l.id = p.ledger_account and l.kind = 'arrived_unmatched'
          where e.subject = 'deposit' and e.record = d.id) as held
      from deposits d where d.provider is not null
        and d.state in ('processing', 'uncredited', 'refunding', 'approved', 'refunded'))
    select id::text as record, 'deposit is ' || state || ': the unallocated receipts hold ' || held || ', not ' || due as what
      from held where held is distinct from due`,
}

export const invariants: readonly Invariant[] = [
  sumsToZero,
  nothingRemoved,
  appliedOnce,
  ledgerAgrees,
  effectsOnce,
  reservedIsOpen,
  statesReached,
  dualApproval,
  nothingHangs,
  unallocatedIsUncredited,
]

const shownMax = 50

/** Checks one invariant, or all of them; no rows means that all hold. Returns at most 50 violations of each. */
export async function brokenInvariants(connection: Connection, now: Date, only?: string): Promise<Violation[]> {
  const found: Violation[] = []
  for (const invariant of invariants) {
    if (only !== undefined && invariant.name !== only) continue
    const violations = await rows<{ record: string; what: string }>(connection)`
      select record, what from (${invariant.violations(now)}) as found limit ${shownMax}`
    for (const { record, what } of violations) found.push({ invariant: invariant.name, record, what })
  }
  if (only !== undefined && only !== 'I2') return found
  return [...found, ...(await brokenChain(connection))]
}

async function brokenChain(connection: Connection): Promise<Violation[]> {
  const verified = await verifyChain(connection)
  if (verified.whole) return []
  return [
    {
      invariant: 'I2',
      record: String(verified.eventId),
      what: `event ${verified.number} of the chain: ${verified.wrong}`,
    },
  ]
}
