/**
 * Decisions of staff on a client's request: never on one of their own, all or nothing, and a later decision names who
 * was first.
 */
import type { StateMachine, Transitions } from '#rules/state-machine.ts'
import { checkNotOwnRequest } from '#rules/withdrawals.ts'
import type { ClientId, IdOf } from '#rules/ids.ts'
import { applyTransition } from '../db/transition.ts'
import type { Transaction } from '../db/sql.ts'
import type { WorkItem } from '../db/work-items.ts'
import { requireStaff, type RequestContext } from '../http/handler.ts'
import { Problem } from '../http/problem.ts'
import { isConnected, type Dependencies, type Platform } from '../dependencies.ts'
import { assertNotOwnRequest, takeDecision } from './records.ts'
import { requestReason } from './standard-reasons.ts'

/** Returns the request of a decision. Throws `not-found`, and `own-request` for the decider's own email address. */
export function requestToDecide<Request>(
  context: Pick<RequestContext, 'caller'>,
  request: Request | null,
  emailOf: (request: Request) => string,
): Request {
  if (!request) throw new Problem('not-found')
  assertNotOwnRequest(requireStaff(context), emailOf(request))
  return request
}

/** Returns the text of a decision for the audit log: the reason of a rejection, the note of another action. */
export function decisionReason(body: { readonly note: string } | { readonly reason: string }): string {
  return 'note' in body ? body.note : body.reason
}

/** Returns why the reader may not decide on a request of their own; null for all others. */
export function ownRequest(context: Pick<RequestContext, 'caller'>, clientEmail: string): Problem | null {
  const refusal = checkNotOwnRequest(requireStaff(context).email, clientEmail)
  return refusal && new Problem(refusal)
}

/** Returns why one of these platforms is not available now, or null. */
export function absentPlatform(
  dependencies: Pick<Dependencies, 'config'>,
  ...platforms: readonly Platform[]
): Problem | null {
  const absent = platforms.find((platform) => !isConnected(dependencies, platform))
  return absent === undefined ? null : new Problem('mt4-not-connected', { values: { platform: absent } })
}

interface Decision<Name extends string> {
  readonly request: { readonly id: IdOf<Name>; readonly clientId?: ClientId }
  readonly action: string
  /** The version that the page showed. */
  readonly version: number
  /** The internal reason of a rejection, or the note of an approval; empty for none. */
  readonly reason: string
  /** The text for the client of a rejection, which the event stores in addition to the reason (ADR 160). */
  readonly clientReason?: string
  /** Columns written with the state. */
  readonly set: Readonly<Record<string, unknown>>
  /** The item that stays open after the decision; absent if it is closed. */
  readonly workItem?: WorkItem | null
  /** Runs the decision's checks in its transaction, and returns what its event stores of them. */
  readonly judge?: (tx: Transaction) => Promise<Readonly<Record<string, unknown>>>
}

/**
 * Performs the transition of a decision, closes the work item and runs the decision's effects, in one transaction.
 * Returns the new state and the next item. Throws the problems of `applyTransition`, and `decided-by`.
 */
export function decide<State extends string, Name extends string>(
  dependencies: Dependencies,
  context: Pick<RequestContext, 'auditContext' | 'caller'>,
  machine: StateMachine<State, Transitions<State>, Name>,
  { request, action, version, reason, clientReason, set, workItem = null, judge }: Decision<Name>,
  also?: (tx: Transaction) => Promise<unknown>,
) {
  return takeDecision(dependencies, context, machine.name, request.id, async (tx) => {
    const details = judge ? await judge(tx) : clientReason === undefined ? undefined : { clientReason }
    const after = await applyTransition(tx, machine, context.auditContext, request, action, {
      version,
      reason,
      details,
      set,
      workItem,
    })
    await also?.(tx)
    return after
  })
}

type RejectionContext = Pick<RequestContext, 'auditContext' | 'caller' | 'now'> & {
  readonly body: { readonly version: number; readonly reason: string; readonly clientReason?: string | undefined }
}

/** Rejects a request: its row keeps the text for the client, which `notify` sends, its event both texts (ADR 160). */
export function rejectRequest<State extends string, Name extends string>(
  dependencies: Dependencies,
  context: RejectionContext,
  machine: StateMachine<State, Transitions<State>, Name>,
  request: Decision<Name>['request'],
  notify: (tx: Transaction, clientReason: string) => Promise<unknown>,
) {
  const { version, reason } = context.body
  const clientReason = requestReason(context.body)
  const set = { reason: clientReason, decided_by: requireStaff(context).staffId, decided_at: context.now }
  const rejection = { request, action: 'reject', version, reason, clientReason, set }
  return decide(dependencies, context, machine, rejection, (tx) => notify(tx, clientReason))
}
