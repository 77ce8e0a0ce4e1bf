/** How staff decide on a client's request: never on one of their own, all of it or nothing, and the slower one is told who was faster. */
import type { StateMachine, Transitions } from '#rules/state-machine.ts'
import { notOwnRequest } from '#rules/withdrawals.ts'
import type { ClientId, IdOf } from '#rules/ids.ts'
import { applyTransition } from '../db/transition.ts'
import type { Transaction } from '../db/transaction.ts'
import type { WorkItem } from '../db/work-items.ts'
import { requireStaff, type RequestContext } from '../http/request-context.ts'
import { Problem } from '../http/problem.ts'
import type { Dependencies, Platform } from '../dependencies.ts'
import { assertNotOwnRequest, takeDecision } from './records.ts'

/**
 * Returns the request that a decision is about. Throws `not-found`, and `own-request` for the decider's own e-mail
 * address.
 */
export function requestToDecide<Request>(
  context: Pick<RequestContext, 'caller'>,
  request: Request | null,
  emailOf: (request: Request) => string,
): Request {
  if (!request) throw new Problem('not-found')
  assertNotOwnRequest(requireStaff(context), emailOf(request))
  return request
}

/** Returns why the reader may not decide on a request, where it is their own; null for everybody else's. */
export function ownRequest(context: Pick<RequestContext, 'caller'>, clientEmail: string): Problem | null {
  const refusal = notOwnRequest(requireStaff(context).email, clientEmail)
  return refusal && new Problem(refusal)
}

/** Returns whether the environment gives an address for a platform; what is asked of one without waits. */
export function isConnected(dependencies: Pick<Dependencies, 'config'>, platform: Platform): boolean {
  return (platform === 'MT4' ? dependencies.config.mt4 : dependencies.config.mt5) !== null
}

/** Returns why nothing can be asked of one of these platforms now, or null. */
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
  /** What the client reads of a rejection: the event keeps it beside the reason (ADR 160). */
  readonly told?: string
  /** Columns written with the state. */
  readonly set: Readonly<Record<string, unknown>>
  /** The item that stays open after it; absent where it closes. */
  readonly workItem?: WorkItem | null
  /** Judges the checks of the decision in its transaction, and answers what its event keeps of them. */
  readonly judge?: (tx: Transaction) => Promise<Readonly<Record<string, unknown>>>
}

/**
 * Performs the transition of a decision, closes the work item and does what belongs to it, in one transaction. Returns the
 * new state and the next item. Throws what `applyTransition` throws, and `decided-by`.
 */
export function decide<State extends string, Name extends string>(
  dependencies: Dependencies,
  context: Pick<RequestContext, 'auditContext' | 'caller'>,
  machine: StateMachine<State, Transitions<State>, Name>,
  { request: { id, clientId }, action, version, reason, told, set, workItem = null, judge }: Decision<Name>,
  also?: (tx: Transaction) => Promise<unknown>,
) {
  return takeDecision(dependencies, context, machine.name, id, async (tx) => {
    const why = reason === '' ? {} : { reason }
    const details = judge ? await judge(tx) : told === undefined ? null : { clientReason: told }
    const after = await applyTransition(tx, machine, context.auditContext, {
      id,
      action,
      version,
      ...(clientId === undefined ? {} : { clientId }),
      ...why,
      ...(details ? { details } : {}),
      set,
      workItem,
    })
    await also?.(tx)
    return after
  })
}
