/**
 * Common fields of all back-office records: client, work item, viewers, refused actions and timeline
 * (contract/office/decisions.ts).
 */
import type { Absence, Check, ClientBrief } from '#contract/office/briefs.ts'
import type { OfficeEvent, ActionResponse } from '#contract/office/decisions.ts'
import type { ProblemCode } from '#contract/problems.ts'
import type { Language } from '#rules/choices.ts'
import { countryOf } from '#rules/countries.ts'
import { hasPendingChecks } from '#rules/checks/pending-checks.ts'
import { isForward, transitionError, type StateMachine } from '#rules/state-machine.ts'
import { checkNotOwnRequest } from '#rules/withdrawals.ts'
import type { WorkItemKind } from '#rules/work-items.ts'
import type { StaffId } from '#rules/ids.ts'
import { recordsOverriddenBy } from '../checks/overrides.ts'
import { pipelinedRows } from '../db/pipelined-reader.ts'
import { row, rows, sql, type Connection, transaction, type Transaction } from '../db/sql.ts'
import { requireStaff, type RequestContext } from '../http/handler.ts'
import { Problem, throwIfProblem, problemText } from '../http/problem.ts'
import type { StaffCaller } from '../http/sessions.ts'
import type { Dependencies } from '../dependencies.ts'
import { awaitsClient } from '../recovery/requests-to-confirm.ts'
import { stoppedActions } from '../recovery/stopped-money.ts'
import { reasonText } from '../i18n/format.ts'
import { absenceOn, firmDay } from './absences.ts'
import { decidableKinds, deciderOf, isMine, rolesRequired } from './work-item-access.ts'
import { timelineOf } from './timeline.ts'

type Brief = { readonly id: string; readonly name: string }

/** Returns the clients of a page of rows, by id, in one statement or none; null stays null. */
export async function clientBriefs({ pool, settings }: Dependencies, ids: readonly (string | null)[]) {
  const wanted = [...new Set(ids)].filter((id) => id !== null)
  if (wanted.length === 0) return () => null
  const { changes } = await settings.get('countries')
  const found = await pipelinedRows<Omit<ClientBrief, 'riskLevel'>>(
    pool,
    sql`select c.id, c.number::text as number, c.name || ' ' || c.surname as name, c.email::text as email, c.state as status,
          c.client_status as "clientStatus", c.country, c.registered_at as since, c.language,
          array(select f.flag from client_flags f where f.client_id = c.id) as flags
        from clients c where c.id = any (${wanted}::uuid[])`,
  )
  return byId(found.map((one) => ({ ...one, riskLevel: countryOf(one.country, changes)?.level ?? 5 })))
}

/** Returns the clients of rows in the same way. */
export function clientsOf(dependencies: Dependencies, of: readonly { readonly clientId: string | null }[]) {
  return clientBriefs(
    dependencies,
    of.map(({ clientId }) => clientId),
  )
}

function byId<One extends Brief>(found: readonly One[]): (id: string | null) => One | null {
  const known = new Map(found.map((one) => [one.id, one]))
  return (id) => (id !== null && known.get(id)) || null
}

/** Returns the client of a record. */
export async function clientBrief(dependencies: Dependencies, id: string): Promise<ClientBrief> {
  const found = (await clientBriefs(dependencies, [id]))(id)
  if (!found) throw new Error(`client ${id} not found`)
  return found
}

/** Returns the names of the staff whom rows name, by id; null stays null. */
export async function staffNames<One>(
  connection: Connection,
  of: readonly One[],
  idsOf: (one: One) => readonly (string | null)[],
): Promise<(id: string | null) => Brief | null> {
  const wanted = [...new Set(of.flatMap(idsOf).filter((id) => id !== null))]
  if (wanted.length === 0) return () => null
  return byId(await rows<Brief>(connection)`select id, name from staff where id = any (${wanted}::uuid[])`)
}

type Shown = string | number | bigint | null

/** Returns one check shown with a decision; both values are shown side by side if they differ. */
export function pageCheck(code: string, verdict: Check['verdict'], ours: Shown = null, theirs: Shown = null): Check {
  const text = (value: Shown) => (value === null ? null : String(value))
  return { code, verdict, ours: text(ours), theirs: text(theirs), note: null }
}

interface RecordStatus {
  readonly id: string
  readonly version: number
  readonly createdAt: Date
  readonly decidedAt: Date | null
  readonly decidedBy: string | null
  readonly reason: string | null
  readonly machine: Pick<StateMachine, 'name' | 'transitions'>
  readonly state: string
  /** Problems that the transition table cannot know: dual approval, one's own request, amounts. By action. */
  readonly refusals?: Readonly<Record<string, Problem | null>>
  /** Actions that are stopped until recovery ends. */
  readonly stopped?: ReadonlySet<string>
  /** True if its client must confirm it again before it continues (requirements 20.16). */
  readonly awaitsClient?: boolean
  /** True if the reader overrode one of its blocks (requirements 19.4). */
  readonly isOverridden?: boolean
  /** True for the withdrawal of a last balance, which other roles decide than a client's own. */
  readonly isLastBalance?: boolean
}

/** Returns the common fields of a record; those with checks add their own. */
export async function recordFieldsOf(context: RequestContext, dependencies: Dependencies, status: RecordStatus) {
  const { pool: connection } = dependencies
  const staff = requireStaff(context)
  const timeline = await timelineOf(connection, [status.machine.name], status.id, context.language)
  const item = await shownItem(dependencies, context, status.machine.name as WorkItemKind, status.id)
  return {
    id: status.id,
    version: status.version,
    createdAt: status.createdAt,
    ...(await decisionOf(connection, status, timeline)),
    reason: reasonText(status.reason, context.language),
    item,
    // Viewers are shown because one of them might decide first.
    viewers: item === null ? [] : await viewersOf(connection, status.id, staff, context.now),
    verbs: availableActionsOf(context, {
      ...status,
      stopped: await stoppedActions(connection, status.machine.name, status.id),
      awaitsClient: await awaitsClient(connection, status.machine.name, status.id),
      isOverridden: (await recordsOverriddenBy(connection, staff.staffId, status.machine.name, [status.id])).has(
        status.id,
      ),
    }),
    requiredRoles: rolesRequired(
      { kind: status.machine.name, state: status.state },
      staff.roles,
      status.isLastBalance ?? false,
    ),
    timeline,
    checks: [] as Check[],
  }
}

const noPerson = { decidedAt: null, decidedBy: null }

/**
 * Returns which staff member brought a record to its state, and when. An operation that the platform executed is the
 * decision of its approver; rejections by integrations, cancellations by the client and expiries have no decider.
 */
async function decisionOf(connection: Connection, status: RecordStatus, timeline: readonly OfficeEvent[]) {
  const reached = timeline.find(({ from, to }) => from !== null && to === status.state)
  if (reached?.actor.kind === 'staff' && reached.actor.id !== null && reached.actor.name !== null)
    return { decidedAt: reached.at, decidedBy: { id: reached.actor.id, name: reached.actor.name } }
  if (reached && reached.actor.kind !== 'staff' && status.state !== 'approved') return noPerson
  const by = await staffNames(connection, [status.decidedBy], (id) => [id])
  return { decidedAt: status.decidedAt, decidedBy: by(status.decidedBy) }
}

interface ItemRow {
  id: string
  dueAt: Date
  assigneeId: StaffId | null
  assigneeName: string | null
  absence: Absence | null
}

/** Returns the open inbox item of a record with the absence of its assignee, or null. */
export async function shownItem(
  dependencies: Dependencies,
  context: Pick<RequestContext, 'caller' | 'now'>,
  kind: WorkItemKind,
  recordId: string,
) {
  const found = await row<ItemRow>(dependencies.pool)`
    select w.id, w.due_at as "dueAt", s.id as "assigneeId", s.name as "assigneeName",
        ${absenceOn(await firmDay(dependencies, context.now))}
      from work_items w left join staff s on s.id = w.assignee
      where w.kind = ${kind} and w.record = ${recordId} and w.closed_at is null`
  if (!found) return null
  const { id, dueAt, assigneeId, assigneeName: name, absence } = found
  const assignable = decidableKinds(requireStaff(context).roles).includes(kind)
  return { id, dueAt, assignee: assigneeId && name ? { id: assigneeId, name, absence } : null, assignable }
}

const viewingForMs = 30_000

/** Returns the colleagues who view the same record now. */
export async function viewersOf(connection: Connection, recordId: string, staff: StaffCaller, now: Date) {
  return rows<{ id: string; name: string }>(connection)`
    select s.id, s.name from viewing v join staff s on s.id = v.staff_id
      where v.item = ${recordId} and v.staff_id <> ${staff.staffId} and v.seen_at > ${new Date(now.getTime() - viewingForMs)}`
}

/** Returns all staff actions on the record, each with the reason why it is refused now, or null. */
export function availableActionsOf(
  context: RequestContext,
  status: Pick<RecordStatus, 'machine' | 'state' | 'refusals' | 'stopped' | 'awaitsClient' | 'isOverridden'>,
): ActionResponse[] {
  const { identity } = context.auditContext
  const ownOverride =
    status.isOverridden && hasPendingChecks(status.machine.name, status.state) ? new Problem('own-override') : null
  const staffVerbs = Object.entries(status.machine.transitions).filter(([, step]) =>
    step.by.some((actor) => !['client', 'external', 'clock', 'recovery'].includes(actor)),
  )
  return staffVerbs.map(([action]) => {
    const code = transitionError(status.machine as StateMachine, action, status.state, identity)
    if (code === null && status.stopped?.has(action))
      return { verb: action, refusal: problemWithText('money-stopped-office', context.language) }
    const waits =
      status.awaitsClient && isForward(status.machine as StateMachine, action) ? new Problem('awaits-client') : null
    const refused = status.refusals?.[action] ?? null
    // An action of another kind of record is never offered.
    const special =
      code === null ? (waits ?? (refused?.code === 'wrong-state' ? refused : (ownOverride ?? refused))) : null
    if (special) return { verb: action, refusal: problemWithText(special.code, context.language, special.facts.values) }
    const refusal = code && problemWithText(code, context.language, { state: status.state })
    return { verb: action, refusal }
  })
}

function problemWithText(code: ProblemCode, language: Language, values?: Readonly<Record<string, string | number>>) {
  return { code, text: problemText(code, language, values) }
}

/** Throws if the request's client has the decider's own email address (requirements 27.10). */
export function assertNotOwnRequest(staff: StaffCaller, clientEmail: string): void {
  throwIfProblem(checkNotOwnRequest(staff.email, clientEmail))
}

/** Returns the response of a decision: the record's state, and the next item of the same queue for this person. */
export async function decidedAnswer(
  tx: Transaction,
  dependencies: Pick<Dependencies, 'settings'>,
  context: Pick<RequestContext, 'caller' | 'auditContext'>,
  kind: string,
  recordId: string,
  after: { state: string; version: number },
) {
  const next = await row<{ kind: WorkItemKind; id: string }>(tx)`select kind, record as id from work_items w
      where closed_at is null and kind = ${kind} and record <> ${recordId}
        and (snoozed_until is null or snoozed_until <= ${context.auditContext.now}) and ${isMine(await deciderOf(dependencies, context))}
      order by due_at, id limit 1`
  return { state: after.state, version: after.version, nextItem: next }
}

/**
 * Throws `own-override` if the decider overrode a block on a request that its checks could still stop before this
 * decision: an override is an act of a person who takes no other decision on that request (requirements 19.4). Called
 * after the decision, which locked the record, so that an override given at the same moment is seen.
 */
async function assertNotOverridden(tx: Transaction, { staffId }: StaffCaller, kind: string, id: string) {
  const found = await row<{ before: string | null }>(tx)`
    select e.from_state as before from events e
      where e.kind = ${kind} and e.record = ${id} and e.from_state is not null and exists (select from check_overrides o
        where o.kind = e.kind and o.record = e.record and o.by_staff = ${staffId})
      order by e.id desc limit 1`
  if (found?.before && hasPendingChecks(kind, found.before)) throw new Problem('own-override')
}

/**
 * Decides in one transaction: returns the record's new state, or names who was first. Throws `own-override` for the
 * person who overrode one of its blocks.
 */
export function takeDecision(
  dependencies: Dependencies,
  context: Pick<RequestContext, 'caller' | 'auditContext'>,
  kind: string,
  recordId: string,
  work: (tx: Transaction) => Promise<{ state: string; version: number }>,
) {
  return namingDecider(dependencies, kind, recordId, () =>
    transaction(dependencies.pool, async (tx) => {
      const after = await work(tx)
      await assertNotOverridden(tx, requireStaff(context), kind, recordId)
      return decidedAnswer(tx, dependencies, context, kind, recordId, after)
    }),
  )
}

/** Replaces "decided meanwhile" with the name of the other clerk (requirements 28.12). */
export async function namingDecider<T>(
  dependencies: Dependencies,
  kind: string,
  recordId: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'decided-meanwhile') throw error
    const last = await row<{ name: string | null }>(dependencies.pool)`
      select s.name from events e left join staff s on e.actor = 'staff' and s.id = e.actor_id
        where e.kind = ${kind} and e.record = ${recordId} order by e.id desc limit 1`
    if (!last?.name) throw error
    throw new Problem('decided-by', { values: { ...error.facts.values, name: last.name } })
  }
}
