/**
 * The one way to move a state: a guarded UPDATE, one event that keeps the real verb, and the inbox kept in step, all in
 * the caller's transaction. No row back means that somebody already decided (house, rule 4).
 */
import { isForward, refusal, targets, type Lifecycle } from '#rules/state-machine.ts'
import { Problem } from '../http/problem.ts'
import { refuseStoppedStep } from '../recovery/stopped-money.ts'
import { record, type Act } from './events.ts'
import { join, raw, row, sql, type Sql } from './sql.ts'
import type { Transaction } from './transaction.ts'
import { closeWork, openWork, type Work } from './work-items.ts'

interface Move<State extends string> {
  readonly id: string
  readonly verb: string
  /** Needed where the step's table leaves several ways open. */
  readonly to?: State
  readonly clientId?: string
  readonly reason?: string
  /** Columns written with the state; keys are column names of the source code, never of a person. */
  readonly set?: Readonly<Record<string, unknown>>
  readonly details?: Readonly<Record<string, unknown>>
  /** The version that the page showed; another one in the table is a stale page. */
  readonly version?: number
  /** The inbox item that stands for the record from now on; null closes it; absent leaves it as it is. */
  readonly work?: Work | null
}

interface Stood<State extends string> {
  id: string
  state: State
  version: number
  /** Lost and not confirmed again by the client since (mechanics section 13): it may only be rejected. */
  awaitsClient: boolean
}

/**
 * Moves a record and answers where it stands now. Throws `wrong-role`, `decided-meanwhile` (409, with the state it is
 * in), `stale-page`, `not-found`, `awaits-client`, or `money-stopped` while recovery is open.
 */
export async function advance<State extends string>(
  tx: Transaction,
  life: Lifecycle<State>,
  act: Act,
  move: Move<State>,
): Promise<{ state: State; version: number }> {
  const step = life.steps[move.verb]
  if (!step) throw new Error(`${life.name} has no verb ${move.verb}`)
  const ways = targets(life, move.verb)
  const to = move.to ?? (ways.length === 1 ? ways[0] : undefined)
  if (to === undefined || !ways.includes(to))
    throw new Error(`${life.name}.${move.verb} does not lead to ${String(to)}`)
  if (refusal(life, move.verb, step.from[0] as State, act.acting) === 'wrong-role') throw new Problem('wrong-role')
  await refuseStoppedStep(tx, { life: life.name, verb: move.verb, record: move.id }, act.acting)

  const table = raw(life.table)
  const before = await row<Stood<State>>(
    tx,
    sql`select t.id, t.state, t.version, exists (select from recovery_confirmations c where c.kind = ${life.name}
            and c.record = t.id and c.confirmed_at is null) as "awaitsClient"
        from ${table} t where t.id = ${move.id} for update of t`,
  )
  if (!before) throw new Problem('not-found')
  if (before.awaitsClient && act.acting.kind === 'staff' && isForward(life, move.verb))
    throw new Problem('awaits-client')
  const version = move.version === undefined ? sql`` : sql`and version = ${move.version}`
  const after = await row<Stood<State>>(
    tx,
    sql`update ${table} set state = ${to}, version = version + 1${columns(move.set)}
        where id = ${move.id} and state = any (${[...step.from]}::text[]) ${version}
        returning id, state, version`,
  )
  if (!after) {
    if (step.from.includes(before.state)) throw new Problem('stale-page')
    throw new Problem('decided-meanwhile', { values: { state: before.state } })
  }
  await record(tx, act, {
    kind: life.name,
    verb: move.verb,
    record: move.id,
    from: before.state,
    to: after.state,
    ...(move.clientId === undefined ? {} : { clientId: move.clientId }),
    ...(move.reason === undefined ? {} : { reason: move.reason }),
    ...(move.details === undefined ? {} : { details: move.details }),
  })
  if (move.work === null) await closeWork(tx, life.name, move.id, act.now)
  else if (move.work) await openWork(tx, life.name, move.id, move.work, act.now)
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
