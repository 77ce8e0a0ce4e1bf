/** Debits without a record, and their settlement by two people of finance. */
import type * as office from '#contract/office/payout-stops.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { checkStop, payoutStopMachine, type PayoutStopState } from '#rules/payout-stops.ts'
import type { BankLineId, PayoutStopId } from '#rules/ids.ts'
import { applyTransition, type TransitionDetails } from '../../../db/transition.ts'
import { row, rows, sql, type Transaction } from '../../../db/sql.ts'
import { requireStaff, type RequestContext, type Handler } from '../../../http/handler.ts'
import { Problem, throwIfProblem } from '../../../http/problem.ts'
import { uuidOrNull } from '../../../db/ids.ts'
import { payoutStopWorkItem } from '../../../ledger/payout-stops.ts'
import { staffNames, availableActionsOf, takeDecision } from '../../../office/records.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { openRecovery } from '../../../recovery/open-recovery.ts'
import { workItemDueIn } from '../../../office/due-dates.ts'

const { name: kind } = payoutStopMachine

type ShownStop = ResponseOf<typeof office.listPayoutStops>['rows'][number]

interface PayoutStop extends Omit<ShownStop, 'amount' | 'explainedBy' | 'verbs'> {
  readonly id: PayoutStopId
  readonly amountMinor: bigint
  readonly lineId: BankLineId
  readonly importedBy: string | null
  readonly explainedBy: string | null
}

const columns = sql`s.id, s.version, s.state, s.reference, s.amount_minor as "amountMinor", s.currency,
  s.bank_line as "lineId", l.booked_on::text as "bookedOn", s.imported_by as "importedBy",
  s.explained_by as "explainedBy", s.explanation`
const tables = sql`payout_stops s join bank_lines l on l.id = s.bank_line`
const stopsShownMax = 100

export const listStops: Handler<typeof office.listPayoutStops> = async (dependencies, context) => {
  const found = await rows<PayoutStop>(dependencies.pool)`
    select ${columns} from ${tables} where s.state in ('open', 'explained')
      order by s.created_at, s.id limit ${stopsShownMax}`
  const by = await staffNames(dependencies.pool, found, ({ explainedBy }) => [explainedBy])
  return {
    rows: found.map((stop) => ({
      ...stop,
      amount: stop.amountMinor,
      explainedBy: by(stop.explainedBy),
      verbs: availableActionsOf(context as RequestContext, {
        machine: payoutStopMachine,
        state: stop.state,
        refusals: refusalsOf(context, stop),
      }),
    })),
  }
}

function refusalsOf(context: Pick<RequestContext, 'caller'>, stop: PayoutStop): Record<string, Problem | null> {
  const refusal = (action: string) => {
    const code = checkStop(action, stop.importedBy, stop.explainedBy, requireStaff(context).staffId)
    return code && new Problem(code)
  }
  return {
    explain: refusal('explain'),
    lift: refusal('lift'),
    reopen: refusal('reopen'),
    recover: refusal('recover'),
  }
}

type Deciding = Pick<RequestContext, 'auditContext' | 'caller' | 'now'> & {
  readonly params: { readonly id: string }
  readonly body: { readonly version: number }
}

function decideOn(
  dependencies: Dependencies,
  context: Deciding,
  action: 'explain' | 'lift' | 'reopen' | 'recover',
  step: (tx: Transaction, stop: PayoutStop) => Promise<TransitionDetails<PayoutStopState>>,
) {
  return takeDecision(dependencies, context, kind, context.params.id, async (tx) => {
    const stop = await row<PayoutStop>(tx)`
        select ${columns} from ${tables} where s.id = ${uuidOrNull(context.params.id)}::uuid for update of s`
    if (!stop) throw new Problem('not-found')
    throwIfProblem(checkStop(action, stop.importedBy, stop.explainedBy, requireStaff(context).staffId))
    const move = await step(tx, stop)
    return applyTransition(tx, payoutStopMachine, context.auditContext, stop, action, {
      version: context.body.version,
      details: { reference: stop.reference },
      ...move,
    })
  })
}

async function openWork(tx: Transaction, stop: PayoutStop, state: PayoutStopState, now: Date) {
  return { ...payoutStopWorkItem(stop), state, dueAt: await workItemDueIn(tx, 'payout_stop', now) }
}

export const explainStop: Handler<typeof office.explainPayoutStop> = (dependencies, context) => {
  const { reason } = context.body
  const set = { explanation: reason, explained_by: requireStaff(context).staffId, explained_at: context.now }
  return decideOn(dependencies, context, 'explain', async (tx, stop) => ({
    reason,
    set,
    workItem: await openWork(tx, stop, 'explained', context.now),
  }))
}

export const liftStop: Handler<typeof office.liftPayoutStop> = (dependencies, context) => {
  const { note } = context.body
  const set = { decided_by: requireStaff(context).staffId, decided_at: context.now }
  return decideOn(dependencies, context, 'lift', async () => ({
    reason: note,
    set,
    workItem: null,
  }))
}

export const reopenStop: Handler<typeof office.reopenPayoutStop> = (dependencies, context) => {
  const { reason } = context.body
  const set = { explanation: null, explained_by: null, explained_at: null }
  return decideOn(dependencies, context, 'reopen', async (tx, stop) => ({
    reason,
    set,
    workItem: await openWork(tx, stop, 'open', context.now),
  }))
}

/** Declares that our records have lost a payout: recovery begins with the day of the debit. */
export const recoverStop: Handler<typeof office.recoverPayoutStop> = (dependencies, context) => {
  const { reason } = context.body
  const set = { decided_by: requireStaff(context).staffId, decided_at: context.now }
  return decideOn(dependencies, context, 'recover', async (tx, { bookedOn }) => {
    await openRecovery(tx, { sign: 'batch', since: new Date(`${bookedOn}T00:00:00Z`), now: context.now })
    return { reason, set, workItem: null }
  })
}
