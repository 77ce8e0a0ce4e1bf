/** Debits without a record, which stop payouts. */
import type * as office from '#contract/office/payout-stops.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { checkStop, payoutStopMachine } from '#rules/payout-stops.ts'
import type { BankLineId, PayoutStopId } from '#rules/ids.ts'
import { row, rows, sql, type Transaction } from '../../../db/sql.ts'
import { requireStaff, type RequestContext, type Handler } from '../../../http/handler.ts'
import { type Problem, problemsOf } from '../../../http/problem.ts'
import { uuidOrNull } from '../../../db/ids.ts'
import { staffNames, availableActionsOf } from '../../../office/records.ts'

type ShownStop = ResponseOf<typeof office.listPayoutStops>['rows'][number]

export interface PayoutStop extends Omit<ShownStop, 'amount' | 'explainedBy' | 'verbs'> {
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

/** Returns one debit with its row locked until the transaction ends. */
export function lockStop(tx: Transaction, id: string) {
  return row<PayoutStop>(tx)`
    select ${columns} from ${tables} where s.id = ${uuidOrNull(id)}::uuid for update of s`
}

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
  return problemsOf(['explain', 'lift', 'reopen', 'recover'], (action) =>
    checkStop(action, stop.importedBy, stop.explainedBy, requireStaff(context).staffId),
  )
}
