/**
 * The inbox items that a person may read or decide, as SQL derived from the state machines that guard the actions, so
 * that lists and counts need no second query (requirements 21.13).
 */
import { decidingRoles, staffRoles, type ActorIdentity, type StaffRole } from '#rules/actors.ts'
import type { StaffId } from '#rules/ids.ts'
import { stateMachines } from '#rules/state-machine-registry.ts'
import { availableActions, isForward } from '#rules/state-machine.ts'
import { rolesFor, can, canRead, permissions } from '#rules/permissions.ts'
import { workItemAreas, workItemKinds, type WorkItemKind } from '#rules/work-items.ts'
import { withdrawalMachine } from '#rules/withdrawals.ts'
import { literals, sql, type Sql } from '../db/sql.ts'
import { requireStaff, type RequestContext } from '../http/handler.ts'
import type { StaffCaller } from '../http/sessions.ts'
import type { Dependencies } from '../dependencies.ts'
import { mayRelease } from './batch-release.ts'

type DecidingRole = (typeof decidingRoles)[number]

/** Returns the kinds of items that these roles may read. */
export function readableKinds(roles: readonly StaffRole[]): WorkItemKind[] {
  return workItemKinds.filter((kind) => canRead(workItemAreas[kind], roles))
}

/** Returns the kinds in which these roles decide in any state. Read access is enough if no role decides. */
export function decidableKinds(roles: readonly StaffRole[]): WorkItemKind[] {
  const all = kindsOf(decidable(staffRoles))
  const own = kindsOf(decidable(roles))
  return readableKinds(roles).filter((kind) => can('assign', roles) && (own.has(kind) || !all.has(kind)))
}

function kindsOf(pairs: readonly string[]): ReadonlySet<string> {
  return new Set(pairs.map((pair) => pair.split(':')[0] ?? ''))
}

/** Items that are pending for an unusual reason, which is their state: the record itself is in another state. */
const unusual = {
  'account:refused': 'account:pending',
  'withdrawal:reversal': 'withdrawal:approved',
} as const

/** Actions of a last balance and its bank account: they do not make a client's own request a person's item. */
const ofLastBalances: readonly string[] = [
  'approveLastBalance',
  'rejectLastBalance',
  'approveWithPayout',
  'rejectWithPayout',
]

const decidableBy = new Map<string, readonly string[]>()

/** Returns the kinds and states in which this person's role has an action, as "withdrawal:second_approval". */
function decidable(roles: readonly StaffRole[]): readonly string[] {
  const key = roles.join()
  const found = decidableBy.get(key) ?? findDecidable(roles)
  decidableBy.set(key, found)
  return found
}

function findDecidable(roles: readonly StaffRole[]): string[] {
  const identity: ActorIdentity = { kind: 'staff', id: '' as StaffId, roles }
  const ofLives = stateMachines.flatMap((machine) =>
    machine.states
      .filter((state) => availableActions(machine, state, identity).some((action) => !ofLastBalances.includes(action)))
      .map((state) => `${machine.name}:${state}`),
  )
  const again = Object.entries(unusual).flatMap(([item, record]) => (ofLives.includes(record) ? [item] : []))
  return [...ofLives, ...again, ...(can('retryJob', roles) ? ['operation:*'] : [])]
}

/** Actions on a client's own request, which a last balance does not have. */
const ofOwnRequests: readonly string[] = ['approve', 'reject']

/**
 * Returns the roles that may take the main decision on an item or its record, which is the first in the transition
 * table that advances it, else the first that ends it; none if the person has one of them.
 */
export function rolesRequired(
  { kind, state }: { readonly kind: string; readonly state: string },
  roles: readonly StaffRole[],
  isLastBalance: boolean,
): DecidingRole[] {
  const recordState = (unusual as Readonly<Record<string, string>>)[`${kind}:${state}`]?.split(':')[1] ?? state
  const others = isLastBalance ? ofOwnRequests : ofLastBalances
  const machine = stateMachines.find(({ name }) => name === kind)
  const may = (by: readonly string[]) => decidingRoles.filter((role) => by.includes(role))
  const actions = machine ? Object.keys(machine.transitions).filter((action) => !others.includes(action)) : []
  const main = [true, false]
    .flatMap((forward) => actions.filter((action) => machine && isForward(machine, action) === forward))
    .flatMap((action) => machine?.transitions[action] ?? [])
    .map(({ from, by }) => (from.includes(recordState) ? may(by) : []))
    .find((some) => some.length > 0)
  const needed =
    main ?? (kind === 'operation' ? may(permissions.retryJob).filter((role) => role !== 'administrator') : [])
  return roles.some((role) => role === 'administrator' || needed.some((one) => one === role)) ? [] : needed
}

/** A person with the firm's setting that restricts who releases a payout batch. */
export interface Decider extends StaffCaller {
  readonly byUninvolved: boolean
}

/** Returns the caller as a decider. */
export async function deciderOf(
  { settings }: Pick<Dependencies, 'settings'>,
  context: Pick<RequestContext, 'caller'>,
): Promise<Decider> {
  const { byUninvolved } = await settings.get('payouts')
  return { ...requireStaff(context), byUninvolved }
}

/**
 * Returns the condition that this person may decide item `w`: the role fits, the client is not the person, the person
 * overrode none of its blocks, and another person took the earlier step (dual approval).
 */
export function isMine(staff: Decider): Sql {
  const pairs = literals(decidable(staff.roles))
  const me = staff.staffId
  const approvesLast = rolesFor(withdrawalMachine, 'approveLastBalance').some((role) => staff.roles.includes(role))
  return sql`(case
      when w.kind = 'withdrawal' and w.state = 'pending'
        and exists (select from withdrawals where id = w.record and entered_by is not null) then ${approvesLast}::boolean
      when w.kind = 'bank_details'
        and exists (select from withdrawals where bank_id = w.record and entered_by is not null) then false
      else (w.kind || ':' || w.state) = any (${pairs}) or (w.kind || ':*') = any (${pairs}) end)
    and (w.client_id is null or w.client_id is distinct from (select id from clients where email = ${staff.email}::citext))
    and not exists (select from check_overrides o where o.kind = w.kind and o.record = w.record and o.by_staff = ${me})
    and not coalesce(case w.kind
      when 'withdrawal' then (select coalesce(entered_by = ${me}, false) or case w.state when 'second_approval' then approved_by
        when 'reversal' then reversal_asked_by end = ${me} from withdrawals where id = w.record)
      when 'bank_line' then (select case w.state when 'second_approval' then coalesce(l.typed_by, i.imported_by)
          when 'settlement_proposed' then l.settlement_asked_by end = ${me} from bank_lines l
        left join statement_imports i on i.id = l.import_id where l.id = w.record)
      when 'payout_batch' then (select case w.state when 'created' then not (${mayRelease(staff.byUninvolved)})
          when 'released' then b.released_by = ${me} else b.void_asked_by = ${me} end
        from payout_batches b join staff s on s.id = ${me} where b.id = w.record)
      when 'payout_stop' then (select imported_by = ${me} or (s.state = 'explained' and explained_by = ${me})
        from payout_stops s where s.id = w.record)
      when 'profile_change' then (select asked_by = ${me} from profile_changes where id = w.record)
      when 'correction' then (select asked_by = ${me} from corrections where id = w.record)
      when 'difference' then w.state = 'proposed' and (select proposed_by = ${me} from differences where id = w.record)
      when 'firm_money' then (select asked_by = ${me} from firm_money_moves where id = w.record)
      when 'setting_change' then (select asked_by = ${me} from setting_changes where id = w.record)
      when 'factor_reset' then (select asked_by = ${me} from factor_resets where id = w.record)
      when 'recovery_item' then (select proposed_by = ${me} from recovery_items where id = w.record)
      when 'erasure' then (select asked_by = ${me} from erasures where id = w.record)
      when 'staff_change' then (select asked_by = ${me} or staff_id = ${me} from staff_changes where id = w.record)
    end, false)`
}
