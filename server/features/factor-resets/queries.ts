/** Requests to reset a client's 2FA, as the client's page shows them. */
import type { OfficeClient } from '#contract/office/clients.ts'
import { checkProposalDecider, proposalActions, type ProposalAction } from '#rules/actors.ts'
import type { Language } from '#rules/choices.ts'
import {
  checkFactorReset,
  checkFactorResetApproval,
  factorResetMachine,
  type FactorResetState,
} from '#rules/factor-resets.ts'
import { checkNotOwnRequest } from '#rules/withdrawals.ts'
import type { ClientId, FactorResetId, StaffId } from '#rules/ids.ts'
import { uuidOrNull } from '../../db/ids.ts'
import { row, type Connection, type Transaction } from '../../db/sql.ts'
import { requireStaff, type RequestContext } from '../../http/handler.ts'
import { problemsOf, requireFound } from '../../http/problem.ts'
import { staffNames, availableActionsOf } from '../../office/records.ts'

interface FactorResetRow {
  readonly id: FactorResetId
  readonly state: FactorResetState
  readonly reason: string
  readonly askedBy: string
  readonly askedAt: Date
  readonly version: number
  /** When the client set up the second factor; null if it is off. */
  readonly factorConfirmedAt: Date | null
}

/** Returns the last request for a client, or null. */
export function factorResetOf(connection: Connection, clientId: ClientId): Promise<FactorResetRow | null> {
  return row<FactorResetRow>(connection)`
    select r.id, r.state, r.reason, r.asked_by as "askedBy", r.asked_at as "askedAt", r.version,
        c.factor_confirmed_at as "factorConfirmedAt"
      from factor_resets r join clients c on c.id = r.id where r.id = ${clientId}`
}

export interface FactorSubject {
  readonly id: ClientId
  readonly secondFactor: boolean
  readonly hasQuestion: boolean
}

export interface LockedSubject extends FactorSubject {
  readonly email: string
  readonly language: Language
}

/** Returns the client of a 2FA reset, locked until the transaction ends. Throws `not-found`. */
export async function lockSubject(tx: Transaction, id: ClientId | FactorResetId): Promise<LockedSubject> {
  return requireFound(
    await row<LockedSubject>(tx)`
      select id, email::text as email, language, factor_confirmed_at is not null as "secondFactor",
          security_answer_hash is not null as "hasQuestion"
        from clients where id = ${uuidOrNull(id)}::uuid for update`,
  )
}

/** Returns why this person cannot request it now, or null. */
export async function factorResetProblem(connection: Connection, client: FactorSubject, staffId: StaffId, now: Date) {
  const reset = await factorResetOf(connection, client.id)
  const { secondFactor, hasQuestion } = client
  const answeredAt = await lastCorrectAnswerAt(connection, client.id, staffId)
  return checkFactorReset({ secondFactor, hasQuestion, isAsked: reset?.state === 'pending', answeredAt, now })
}

/** Returns when this person last checked a correct security answer of the client, or null. */
export async function lastCorrectAnswerAt(
  connection: Connection,
  clientId: ClientId,
  staffId: StaffId,
): Promise<Date | null> {
  const answered = await row<{ at: Date | null }>(connection)`
    select max(at) as at from events where client_id = ${clientId} and verb = 'securityAnswerRight'
      and actor = 'staff' and actor_id = ${staffId}`
  return answered?.at ?? null
}

/** Returns the pending request with the actions of this person, or null. */
export async function factorResetResponse(
  connection: Connection,
  context: RequestContext,
  client: { readonly id: ClientId; readonly email: string },
): Promise<OfficeClient['factorReset']> {
  const reset = await factorResetOf(connection, client.id)
  if (reset?.state !== 'pending') return null
  const { staffId, email } = requireStaff(context)
  const own = checkNotOwnRequest(email, client.email)
  const by = await staffNames(connection, [reset], ({ askedBy }) => [askedBy])
  const { version, reason, askedAt, factorConfirmedAt } = reset
  const refusalOf = (action: ProposalAction) =>
    own ??
    checkProposalDecider(action, reset.askedBy === staffId) ??
    (action === 'approve' ? checkFactorResetApproval(askedAt, factorConfirmedAt) : null)
  return {
    version,
    reason,
    askedAt,
    askedBy: by(reset.askedBy) ?? { id: reset.askedBy, name: '' },
    verbs: availableActionsOf(context, {
      machine: factorResetMachine,
      state: reset.state,
      refusals: problemsOf(proposalActions, refusalOf),
    }),
  }
}
