/**
 * Finance decides on a card payment that was received and not credited: it is credited to the account again, or refunded
 * to the payer (ADR 346).
 */
import type { creditDeposit as creditEndpoint, refundDeposit as refundEndpoint } from '#contract/office/deposits.ts'
import { depositMachine } from '#rules/deposits.ts'
import { money } from '#rules/money.ts'
import { generationMax } from '#rules/references.ts'
import { decisionChecker, prepareChecks } from '../../checks/pass-checks.ts'
import { requireRow, type Connection } from '../../db/sql.ts'
import { requireStaff, type Handler, type RequestContext } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { enqueueRefund } from '../../jobs/card-refund.ts'
import { absentPlatform, decide, requestToDecide } from '../../office/decide.ts'
import type { Dependencies } from '../../dependencies.ts'
import { beginCredit } from './credit-deposit.ts'
import { depositById, type Deposit } from './queries.ts'
import { uncreditedChecked } from './uncredited-checks.ts'

type DecisionContext = RequestContext<typeof creditEndpoint | typeof refundEndpoint>

export const creditDeposit: Handler<typeof creditEndpoint> = async (dependencies, context) => {
  const { set, ...decision } = await decisionOn(dependencies, context)
  const { request: deposit } = decision
  const crediting = { ...decision, action: 'credit', set: { ...set, comment: '' } }
  return decide(dependencies, context, depositMachine, crediting, async (tx) => {
    const refusal = creditProblem(dependencies, deposit)
    if (refusal) throw refusal
    const generation = await nextGeneration(tx, deposit)
    const { receivedMinor, feeMinor } = deposit
    await beginCredit(tx, dependencies.keys, deposit, receivedMinor ?? 0n, feeMinor, context.now, generation)
  })
}

export const refundDeposit: Handler<typeof refundEndpoint> = async (dependencies, context) => {
  const decision = await decisionOn(dependencies, context)
  const { request: deposit } = decision
  return decide(dependencies, context, depositMachine, { ...decision, action: 'refund' }, (tx) => {
    const { providerId, paymentId, receivedMinor, currency } = deposit
    if (providerId === null) throw new Problem('provider-payment-unknown')
    return enqueueRefund(tx, dependencies.keys, context.now, {
      subject: depositMachine.name,
      request: deposit,
      checkout: { providerId, paymentId },
      amount: money(receivedMinor ?? 0n, currency),
    })
  })
}

/** Returns why a payment cannot be credited: its platform is not connected, or a part of it was returned, or null. */
export function creditProblem(dependencies: Dependencies, { platform, refundedMinor }: Deposit): Problem | null {
  if (refundedMinor > 0n) return new Problem('payment-partly-returned')
  return absentPlatform(dependencies, platform)
}

/** Returns the parts that both decisions have in common. */
async function decisionOn(dependencies: Dependencies, context: DecisionContext) {
  const found = await depositById(dependencies.pool, context.params.id)
  const request = requestToDecide<Deposit>(context, found, ({ clientEmail }) => clientEmail)
  const { version, note: reason } = context.body
  const terms = await prepareChecks(dependencies, uncreditedChecked, request, context.now)
  const judge = decisionChecker(context, uncreditedChecked, request, terms)
  return { request, version, reason, set: { decided_by: requireStaff(context).staffId }, judge }
}

/** Returns how many credits of the deposit the platform has refused. A refusal is final for its reference. */
async function nextGeneration(connection: Connection, { id }: Deposit): Promise<number> {
  const { sent } = await requireRow<{ sent: number }>(connection)`
    select count(*)::int as sent from operations
      where subject = ${depositMachine.name} and record = ${id} and payload ->> 'leg' = 'deposit-credit'`
  if (sent > generationMax) throw new Problem('job-gone')
  return sent
}
