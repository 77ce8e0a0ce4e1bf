/** Erasures and the runs of the daily job. */
import type { OfficeClient } from '#contract/office/clients.ts'
import { checkProposalDecider, proposalActions } from '#rules/actors.ts'
import type { ClientState } from '#rules/clients.ts'
import { erasureMachine, retentionEnd } from '#rules/retention.ts'
import { checkNotOwnRequest } from '#rules/withdrawals.ts'
import type { ClientId } from '#rules/ids.ts'
import { row, rows, type Connection } from '../../db/sql.ts'
import { requireStaff, type RequestContext } from '../../http/handler.ts'
import { problemsOf } from '../../http/problem.ts'
import { staffNames, availableActionsOf } from '../../office/records.ts'
import type { Dependencies } from '../../dependencies.ts'

interface ErasureRow extends Omit<
  NonNullable<OfficeClient['erasure']>,
  'keptUntil' | 'verbs' | 'askedBy' | 'decidedBy'
> {
  readonly id: string
  readonly askedBy: string | null
  readonly decidedBy: string | null
}

/** Returns the erasure of a client, requested, decided or done; null if none was ever requested. */
export function erasureOf(connection: Connection, clientId: ClientId): Promise<ErasureRow | null> {
  return row<ErasureRow>(connection)`
    select id, asked_for as "askedFor", state, reason, asked_by as "askedBy", asked_at as "askedAt",
        decided_by as "decidedBy", decided_at as "decidedAt", erased, version
      from erasures where id = ${clientId}`
}

/** Returns the erasure for the client's page, with the actions of this person. */
export async function erasureShown(
  dependencies: Pick<Dependencies, 'pool' | 'settings'>,
  context: RequestContext,
  client: { readonly id: ClientId; readonly email: string; readonly state: ClientState },
): Promise<OfficeClient['erasure']> {
  const erasure = await erasureOf(dependencies.pool, client.id)
  if (!erasure) return null
  const { staffId, email } = requireStaff(context)
  const own = checkNotOwnRequest(email, client.email)
  const by = await staffNames(dependencies.pool, [erasure], (one) => [one.askedBy, one.decidedBy])
  const ended = (await endedAt(dependencies.pool, client.id)) ?? erasure.askedAt
  return {
    ...erasure,
    askedBy: by(erasure.askedBy),
    decidedBy: by(erasure.decidedBy),
    keptUntil: retentionEnd({ state: client.state, endedAt: ended }, await dependencies.settings.get('retention')),
    verbs: availableActionsOf(context, {
      machine: erasureMachine,
      state: erasure.state,
      refusals: problemsOf(
        proposalActions,
        (action) => own ?? checkProposalDecider(action, erasure.askedBy === staffId),
      ),
    }),
  }
}

/** Returns when the relationship with a client ended by a decision; null while it lasts. */
async function endedAt(connection: Connection, clientId: ClientId): Promise<Date | null> {
  const found = await row<{ at: Date | null }>(connection)`
    select max(at) as at from events where kind = 'client' and record = ${clientId} and verb in ('close', 'reject')`
  return found?.at ?? null
}

const runsMax = 30

/** Returns what was deleted and when, newest first. */
export function lastRuns(connection: Connection) {
  return rows<{ id: string; at: Date; counts: Readonly<Record<string, number>>; isComplete: boolean }>(
    connection,
  )`select id, at, counts, failed = '{}' as "isComplete" from retention_runs order by id desc limit ${runsMax}`
}

/** Returns when the last complete deletion up to a time was made, or null. */
export async function lastRun(connection: Connection, until: Date): Promise<Date | null> {
  const found = await row<{ at: Date | null }>(connection)`
    select max(at) as at from retention_runs where at <= ${until} and failed = '{}'`
  return found?.at ?? null
}
