/** Two people in finance settle a debit without a record. */
import type * as office from '#contract/office/payout-stops.ts'
import { dayIn, dayOf, instantIn, workingDaysAfter } from '#rules/dates.ts'
import { checkStop, payoutStopMachine, type PayoutStopState } from '#rules/payout-stops.ts'
import { applyTransition, type TransitionDetails } from '../../../db/transition.ts'
import type { Transaction } from '../../../db/sql.ts'
import { requireStaff, type RequestContext, type Handler } from '../../../http/handler.ts'
import { requireFound, throwIfProblem } from '../../../http/problem.ts'
import { payoutStopWorkItem } from '../../../ledger/payout-stops.ts'
import { knownUntil } from '../../../ledger/platform-deals.ts'
import { takeDecision } from '../../../office/records.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { openRecovery } from '../../../recovery/open-recovery.ts'
import { workItemDueIn } from '../../../office/due-dates.ts'
import { lockStop, type PayoutStop } from './payout-stops.ts'

type DecisionContext = Pick<RequestContext, 'auditContext' | 'caller' | 'now'> & {
  readonly params: { readonly id: string }
  readonly body: { readonly version: number }
}

function decideStop(
  dependencies: Dependencies,
  context: DecisionContext,
  action: 'explain' | 'lift' | 'reopen' | 'recover',
  step: (tx: Transaction, stop: PayoutStop) => Promise<TransitionDetails<PayoutStopState>>,
) {
  return takeDecision(dependencies, context, payoutStopMachine.name, context.params.id, async (tx) => {
    const stop = requireFound(await lockStop(tx, context.params.id))
    throwIfProblem(checkStop(action, stop.importedBy, stop.explainedBy, requireStaff(context).staffId))
    const move = await step(tx, stop)
    return applyTransition(tx, payoutStopMachine, context.auditContext, stop, action, {
      version: context.body.version,
      details: { reference: stop.reference },
      ...move,
    })
  })
}

async function buildStopWorkItem(tx: Transaction, stop: PayoutStop, state: PayoutStopState, now: Date) {
  return { ...payoutStopWorkItem(stop), state, dueAt: await workItemDueIn(tx, 'payout_stop', now) }
}

export const explainStop: Handler<typeof office.explainPayoutStop> = (dependencies, context) => {
  const { reason } = context.body
  const set = { explanation: reason, explained_by: requireStaff(context).staffId, explained_at: context.now }
  return decideStop(dependencies, context, 'explain', async (tx, stop) => ({
    reason,
    set,
    workItem: await buildStopWorkItem(tx, stop, 'explained', context.now),
  }))
}

export const liftStop: Handler<typeof office.liftPayoutStop> = (dependencies, context) => {
  const { note } = context.body
  const set = { decided_by: requireStaff(context).staffId, decided_at: context.now }
  return decideStop(dependencies, context, 'lift', async () => ({ reason: note, set, workItem: null }))
}

export const reopenStop: Handler<typeof office.reopenPayoutStop> = (dependencies, context) => {
  const { reason } = context.body
  const set = { explanation: null, explained_by: null, explained_at: null }
  return decideStop(dependencies, context, 'reopen', async (tx, stop) => ({
    reason,
    set,
    workItem: await buildStopWorkItem(tx, stop, 'open', context.now),
  }))
}

/**
 * Declares that our records have lost a payout: recovery begins when they were last known to be complete before the
 * banking days that a payout takes until its debit.
 */
export const recoverStop: Handler<typeof office.recoverPayoutStop> = (dependencies, context) => {
  const { reason } = context.body
  const set = { decided_by: requireStaff(context).staffId, decided_at: context.now }
  return decideStop(dependencies, context, 'recover', async (tx, { bookedOn }) => {
    const since = await knownUntil(tx, await earliestRelease(dependencies, bookedOn))
    await openRecovery(tx, { sign: 'batch', since, now: context.now })
    return { reason, set, workItem: null }
  })
}

/**
 * Returns the start of the day, in the firm's time zone, on which a payout with a debit of this day may have been
 * released.
 */
async function earliestRelease({ settings }: Dependencies, bookedOn: string): Promise<Date> {
  const { timeZone } = await settings.get('firm')
  const { recoveryBankingDays } = await settings.get('payouts')
  const { holidays } = await settings.get('sla')
  const booked = dayOf(bookedOn)
  if (!booked) throw new Error(`the transaction has no valid day: ${bookedOn}`)
  const released = workingDaysAfter(instantIn(booked, 0, timeZone), -recoveryBankingDays, timeZone, holidays)
  return instantIn(dayIn(released, timeZone), 0, timeZone)
}
