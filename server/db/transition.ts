/**
 * Performs state transitions: guarded UPDATE, audit event and work item in the caller's transaction. Throws
 * `decided-meanwhile` if the state has changed (docs/architecture.md, rule 7).
 */
import { isForward, transitionError, targetStates, type StateMachine, type Transitions } from '#rules/state-machine.ts'
import type { ClientId, IdOf } from '#rules/ids.ts'
import { Problem } from '../http/problem.ts'
import { assertTransitionNotStopped } from '../recovery/stopped-money.ts'
import { recordEvent, type AuditContext } from './events.ts'
import { join, raw, row, sql, type Sql, type Transaction } from './sql.ts'
import { closeWorkItem, openWorkItem, type WorkItem } from './work-items.ts'

/** The record of a transition: its row, or its id with the client whose timeline shows the event. */
interface TransitionRecord<Name extends string> {
  readonly id: IdOf<Name>
  readonly clientId?: ClientId | null | undefined
}

export interface TransitionDetails<State extends string> {
  /** Required if the transition table has several target states. */
  readonly to?: State | undefined
  /** Empty for none. */
  readonly reason?: string | undefined
  /** Columns written with the state; keys are column names of the source code, never user input. */
  readonly set?: Readonly<Record<string, unknown>>
  readonly details?: Readonly<Record<string, unknown>> | undefined
  /** The version that the page showed; another one in the table means that the page is stale. */
  readonly version?: number | undefined
  /** The record's inbox item from now on; null closes it; if absent it is unchanged. */
  readonly workItem?: WorkItem | null
}

/** A row that was just written: its first event, and its inbox item. */
interface NewRecord<State extends string> {
  /** The initial state, if it is not the machine's first state. */
  readonly state?: State
  readonly reason?: string
  readonly details?: Readonly<Record<string, unknown>>
  /** Absent if it needs no decision. */
  readonly workItem?: Pick<WorkItem, 'dueAt' | 'summary'> | undefined
}

/** Records the creation of a record, in the transaction that wrote its row. */
export async function recordCreation<State extends string, Name extends string>(
  tx: Transaction,
  { name, first }: StateMachine<State, Transitions<State>, Name>,
  auditContext: AuditContext,
  { id, clientId }: TransitionRecord<Name>,
  action: string,
  { state = first, workItem, ...more }: NewRecord<State>,
): Promise<void> {
  await recordEvent(tx, auditContext, { kind: name, action, record: id, to: state, clientId, ...more })
  if (!workItem) return
  const { dueAt, summary } = workItem
  await openWorkItem(tx, name, id, auditContext.now, { state, dueAt, summary, clientId })
}

interface RecordState<State extends string> {
  id: string
  state: State
  version: number
  /** Lost and not confirmed again by the client since (requirements 20.16): it may only be rejected. */
  awaitsClient: boolean
}

/**
 * Performs a transition and returns the record's new state. Throws `wrong-role`, `decided-meanwhile` (409, with the
 * current state), `stale-page`, `not-found`, `awaits-client`, or `money-stopped` while recovery is open.
 */
export async function applyTransition<State extends string, Name extends string>(
  tx: Transaction,
  machine: StateMachine<State, Transitions<State>, Name>,
  auditContext: AuditContext,
  { id, clientId }: TransitionRecord<Name>,
  action: string,
  request: TransitionDetails<State> = {},
): Promise<{ state: State; version: number }> {
  const step = machine.transitions[action]
  if (!step) throw new Error(`${machine.name} has no action ${action}`)
  const targets = targetStates(machine, action)
  const to = request.to ?? (targets.length === 1 ? targets[0] : undefined)
  if (to === undefined || !targets.includes(to))
    throw new Error(`${machine.name}.${action} does not lead to ${String(to)}`)
  if (transitionError(machine, action, step.from[0] as State, auditContext.identity) === 'wrong-role')
    throw new Problem('wrong-role')
  await assertTransitionNotStopped(tx, { machine: machine.name, action, record: id }, auditContext.identity)

  const table = raw(machine.table)
  const before = await row<RecordState<State>>(tx)`
    select t.id, t.state, t.version, exists (select from recovery_confirmations c where c.kind = ${machine.name}
          and c.record = t.id and c.confirmed_at is null) as "awaitsClient"
      from ${table} t where t.id = ${id} for update of t`
  if (!before) throw new Problem('not-found')
  if (before.awaitsClient && auditContext.identity.kind === 'staff' && isForward(machine, action))
    throw new Problem('awaits-client')
  const version = request.version === undefined ? sql`` : sql`and version = ${request.version}`
  const after = await row<Omit<RecordState<State>, 'awaitsClient'>>(tx)`
    update ${table} set state = ${to}, version = version + 1${columns(request.set)}
      where id = ${id} and state = any (${[...step.from]}::text[]) ${version}
      returning id, state, version`
  if (!after) {
    if (step.from.includes(before.state)) throw new Problem('stale-page')
    throw new Problem('decided-meanwhile', { values: { state: before.state, record: machine.name } })
  }
  await recordEvent(tx, auditContext, {
    kind: machine.name,
    action,
    record: id,
    from: before.state,
    to: after.state,
    clientId,
    ...(request.reason ? { reason: request.reason } : {}),
    ...(request.details ? { details: request.details } : {}),
  })
  if (request.workItem === null) await closeWorkItem(tx, machine.name, id, auditContext)
  else if (request.workItem) await openWorkItem(tx, machine.name, id, auditContext.now, request.workItem)
  return { state: after.state, version: after.version }
}

function columns(set: Readonly<Record<string, unknown>> | undefined): Sql {
  const entries = Object.entries(set ?? {})
  if (entries.length === 0) return sql``
  return sql`, ${join(
    entries.map(([column, value]) => sql`${raw(column)} = ${value}`),
    ', ',
  )}`
}
