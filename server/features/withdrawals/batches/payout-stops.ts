/** Debits that no record knows, and the two people of finance who settle them. */
import type { AnswerOf } from '#contract/endpoint.ts'
import type {
  explainPayoutStop as explainEndpoint,
  liftPayoutStop as liftEndpoint,
  listPayoutStops as listEndpoint,
  recoverPayoutStop as recoverEndpoint,
  reopenPayoutStop as reopenEndpoint,
} from '#contract/office/payout-stops.ts'
import type { Currency } from '#rules/money.ts'
import { checkStop, payoutStopLife, type PayoutStopState } from '#rules/payout-stops.ts'
import { advance } from '../../../db/transition.ts'
import { row, rows, sql } from '../../../db/sql.ts'
import { transaction, type Transaction } from '../../../db/transaction.ts'
import { staffOf, type Call } from '../../../http/request-context.ts'
import { Problem, refuse } from '../../../http/problem.ts'
import type { Verb } from '../../../http/register-endpoint.ts'
import { uuidOrNull } from '../../../db/ids.ts'
import { payoutStopWork } from '../../../ledger/payout-stops.ts'
import { decidedAnswer, namingDecider, staffNames, verbsOf } from '../../../office/records.ts'
import type { Parts } from '../../../dependencies.ts'
import { openRecovery } from '../../../recovery/open-recovery.ts'
import { workDueIn } from '../../../office/due-dates.ts'

const { name: kind } = payoutStopLife

interface PayoutStop {
  readonly id: string
  readonly version: number
  readonly state: PayoutStopState
  readonly reference: string
  readonly amountMinor: bigint
  readonly currency: Currency
  readonly lineId: string
  readonly bookedOn: string
  readonly importedBy: string | null
  readonly explainedBy: string | null
  readonly explanation: string | null
  readonly createdAt: Date
}

const columns = sql`s.id, s.version, s.state, s.reference, s.amount_minor as "amountMinor", s.currency,
  s.bank_line as "lineId", l.booked_on::text as "bookedOn", s.imported_by as "importedBy",
  s.explained_by as "explainedBy", s.explanation, s.created_at as "createdAt"`
const tables = sql`payout_stops s join bank_lines l on l.id = s.bank_line`
const stopsShownMax = 100

export function listStops(parts: Parts): Verb<typeof listEndpoint> {
  return async (call): Promise<AnswerOf<typeof listEndpoint>> => {
    const found = await rows<PayoutStop>(
      parts.pool,
      sql`select ${columns} from ${tables} where s.state in ('open', 'explained')
          order by s.created_at, s.id limit ${stopsShownMax}`,
    )
    const names = await staffNames(
      parts.pool,
      found.flatMap(({ importedBy, explainedBy }) => [importedBy, explainedBy]),
    )
    const by = (id: string | null) => (id && names.get(id)) || null
    return {
      rows: found.map((stop) => ({
        id: stop.id,
        version: stop.version,
        state: stop.state,
        reference: stop.reference,
        amount: stop.amountMinor,
        currency: stop.currency,
        lineId: stop.lineId,
        bookedOn: stop.bookedOn,
        importedBy: by(stop.importedBy),
        explainedBy: by(stop.explainedBy),
        explanation: stop.explanation,
        createdAt: stop.createdAt,
        verbs: verbsOf(call as Call, { life: payoutStopLife, state: stop.state, refusals: refusalsOf(call, stop) }),
      })),
    }
  }
}

function refusalsOf(call: Pick<Call, 'caller'>, stop: PayoutStop): Record<string, Problem | null> {
  const refusal = (verb: string) => {
    const code = checkStop(verb, stop.importedBy, stop.explainedBy, staffOf(call).staffId)
    return code && new Problem(code)
  }
  return {
    explain: refusal('explain'),
    lift: refusal('lift'),
    reopen: refusal('reopen'),
    recover: refusal('recover'),
  }
}

type Deciding = Pick<Call, 'act' | 'caller' | 'now'> & {
  readonly params: { readonly id: string }
  readonly body: { readonly version: number }
}
type Step = Omit<Parameters<typeof advance>[3], 'id' | 'version'>

function decideOn(
  parts: Parts,
  call: Deciding,
  verb: 'explain' | 'lift' | 'reopen' | 'recover',
  step: (tx: Transaction, stop: PayoutStop) => Promise<Omit<Step, 'verb'>>,
) {
  return namingDecider(parts, kind, call.params.id, () =>
    transaction(parts.pool, async (tx) => {
      const stop = await row<PayoutStop>(
        tx,
        sql`select ${columns} from ${tables} where s.id = ${uuidOrNull(call.params.id)}::uuid for update of s`,
      )
      if (!stop) throw new Problem('not-found')
      refuse(checkStop(verb, stop.importedBy, stop.explainedBy, staffOf(call).staffId))
      const move = await step(tx, stop)
      const after = await advance(tx, payoutStopLife, call.act, {
        id: stop.id,
        verb,
        version: call.body.version,
        details: { reference: stop.reference },
        ...move,
      })
      return decidedAnswer(tx, call, kind, stop.id, after)
    }),
  )
}

export function explainStop(parts: Parts): Verb<typeof explainEndpoint> {
  return (call) => {
    const { reason } = call.body
    const set = { explanation: reason, explained_by: staffOf(call).staffId, explained_at: call.now }
    return decideOn(parts, call, 'explain', async (tx, stop) => ({
      reason,
      set,
      work: { ...payoutStopWork(stop), state: 'explained', dueAt: await workDueIn(tx, 'payout_stop', call.now) },
    }))
  }
}

export function liftStop(parts: Parts): Verb<typeof liftEndpoint> {
  return (call) => {
    const { note } = call.body
    const set = { decided_by: staffOf(call).staffId, decided_at: call.now }
    return decideOn(parts, call, 'lift', async () => ({ ...(note ? { reason: note } : {}), set, work: null }))
  }
}

export function reopenStop(parts: Parts): Verb<typeof reopenEndpoint> {
  return (call) => {
    const { reason } = call.body
    const set = { explanation: null, explained_by: null, explained_at: null }
    return decideOn(parts, call, 'reopen', async (tx, stop) => ({
      reason,
      set,
      work: { ...payoutStopWork(stop), state: 'open', dueAt: await workDueIn(tx, 'payout_stop', call.now) },
    }))
  }
}

/** Our records have lost a payout: the world is ahead from the day of the debit on. */
export function recoverStop(parts: Parts): Verb<typeof recoverEndpoint> {
  return (call) => {
    const { reason } = call.body
    const set = { decided_by: staffOf(call).staffId, decided_at: call.now }
    return decideOn(parts, call, 'recover', async (tx, { bookedOn }) => {
      await openRecovery(tx, { sign: 'batch', since: new Date(`${bookedOn}T00:00:00Z`), now: call.now })
      return { reason, set, work: null }
    })
  }
}
