/**
 * Finance decides on a card payment that was received and not credited: it is credited to the account again, or refunded
 * to the payer (ADR 346).
 */
import type { creditDeposit as creditEndpoint, refundDeposit as refundEndpoint } from '#contract/office/deposits.ts'
import type { AccountState } from '#rules/accounts.ts'
import type { ClientState } from '#rules/clients.ts'
import { depositMachine } from '#rules/deposits.ts'
import type { DepositId } from '#rules/ids.ts'
import { money } from '#rules/money.ts'
import { generationMax } from '#rules/references.ts'
import { checkTerms } from '../../checks/checked-request.ts'
import { decisionChecker } from '../../checks/pass-checks.ts'
import { requireRow, type Connection } from '../../db/sql.ts'
import { requireStaff, type Handler, type RequestContext } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { depositRefundKind, enqueueRefund } from '../../jobs/card-refund.ts'
import { dealsOfLeg, type LegDeals } from '../../jobs/decided-deals.ts'
import { isMoneyTaken, type CheckoutStatus } from '../../integrations/card-provider/payment-provider.ts'
import { isIntegrationError } from '../../integrations/errors.ts'
import { isMissing } from '../../ledger/missing-accounts.ts'
import { absentPlatform, decide, requestToDecide } from '../../office/decide.ts'
import type { Dependencies } from '../../dependencies.ts'
import { accountClosed } from '../accounts/queries.ts'
import { beginCredit } from './credit-deposit.ts'
import { alignUnallocated } from './money-back.ts'
import { depositById, depositTables, isCreditPosted, isRefundUnsettled, lockDeposit, type Deposit } from './queries.ts'
import { statusForDecision } from './settle-checkout.ts'
import { uncreditedChecked } from './uncredited-checks.ts'

type DecisionContext = RequestContext<typeof creditEndpoint | typeof refundEndpoint>

export const creditDeposit: Handler<typeof creditEndpoint> = async (dependencies, context) => {
  const { decision } = await decisionOn(dependencies, context)
  const { request: deposit, set } = decision
  const crediting = { ...decision, action: 'credit', set: { ...set, comment: '' } }
  return decide(dependencies, context, depositMachine, crediting, async (tx) => {
    const refusal = await creditProblem(dependencies, tx, deposit)
    if (refusal) throw refusal
    const generation = await nextGeneration(tx, deposit)
    const { feeMinor, refundedMinor } = deposit
    const received = deposit.receivedMinor ?? 0n
    // What was returned after two people had posted the credit is a discrepancy of its own.
    if (refundedMinor > 0n)
      await alignUnallocated(tx, (await lockDeposit(tx, deposit.id)) ?? deposit, received, context.now)
    await beginCredit(tx, dependencies.keys, deposit, received, feeMinor, context.now, generation)
  })
}

export const refundDeposit: Handler<typeof refundEndpoint> = async (dependencies, context) => {
  const { decision, status } = await decisionOn(dependencies, context)
  const { request: deposit } = decision
  if (status !== null && !isMoneyTaken(status)) throw new Problem('provider-payment-unknown')
  if (uncreditedChecked.isOpen(deposit)) await assertNotOnPlatform(dependencies, deposit)
  return decide(dependencies, context, depositMachine, { ...decision, action: 'refund' }, (tx) => {
    const { providerId, paymentId, receivedMinor, currency } = deposit
    if (providerId === null) throw new Problem('provider-payment-unknown')
    return enqueueRefund(tx, dependencies.keys, context.now, {
      kind: depositRefundKind,
      subject: depositMachine.name,
      request: deposit,
      checkout: { providerId, paymentId },
      amount: money(receivedMinor ?? 0n, currency),
    })
  })
}

/**
 * Returns why a payment cannot be credited: a part of it was returned, its account is not open or belongs to a closed
 * client, or its platform is not connected; or null. A credit that the platform executed and two people posted is only
 * settled: nothing is sent.
 */
export async function creditProblem(
  dependencies: Dependencies,
  connection: Connection,
  { id, platform, refundedMinor }: Deposit,
): Promise<Problem | null> {
  if (await isCreditPosted(connection, id)) return absentPlatform(dependencies, platform)
  if (refundedMinor > 0n) return new Problem('payment-partly-returned')
  const owner = await requireRow<{ state: ClientState; accountState: AccountState; closed: boolean }>(connection)`
    select c.state, a.state as "accountState", ${accountClosed} as closed
      from ${depositTables} where d.id = ${id}`
  if (owner.state === 'closed') return new Problem('owner-closed')
  if (owner.accountState !== 'approved' || owner.closed) return new Problem('account-not-approved')
  return absentPlatform(dependencies, platform)
}

/** Returns why nothing is decided: a refund of the payment is open at the provider, or ours is not settled; or null. */
export async function refundProblem(connection: Connection, id: DepositId, status: CheckoutStatus | null) {
  return status?.isRefundOpen || (await isRefundUnsettled(connection, id)) ? new Problem('refund-open') : null
}

/**
 * Throws unless the account has no credit of the payment: the platform may have executed a credit that it refused, and
 * the client would have both. A credit whose reversal the platform has executed does not count.
 */
async function assertNotOnPlatform(
  dependencies: Dependencies,
  { platform, login, reference: shown, requestedAt: createdAt }: Deposit,
): Promise<void> {
  const absent = absentPlatform(dependencies, platform)
  if (absent) throw absent
  const payload = { platform, login, leg: 'deposit-credit' } as const
  const found = await dealsOfLeg(dependencies, { shown, payload, createdAt }).catch(dealsOrProblem)
  const credit = found.attempts.find(({ decision }) => decision !== 'reversed')
  if (credit) throw new Problem('credit-on-platform', { values: { platform, reference: credit.comment ?? '' } })
  if (found.isUnclear) throw new Problem('deal-unreadable', { values: { platform, account: login } })
}

/** Returns no deals of an account that the platform does not have. */
function dealsOrProblem(error: unknown): Pick<LegDeals, 'attempts' | 'isUnclear'> {
  if (isMissing(error)) return { attempts: [], isUnclear: false }
  throw isIntegrationError(error) ? new Problem('platform-unavailable') : error
}

/** Returns the parts that both decisions have in common. Throws while a refund is open at the provider. */
async function decisionOn(dependencies: Dependencies, context: DecisionContext) {
  const found = await depositById(dependencies.pool, context.params.id)
  const request = requestToDecide<Deposit>(context, found, ({ clientEmail }) => clientEmail)
  const { version, note: reason } = context.body
  // The transition refuses a deposit in another state.
  const isOpen = uncreditedChecked.isOpen(request)
  const status = isOpen ? await statusForDecision(dependencies, request, context.now) : null
  const refunding = await refundProblem(dependencies.pool, request.id, status)
  if (refunding) throw refunding
  const terms = await checkTerms(dependencies, context.now)
  const judge = decisionChecker(context, uncreditedChecked, request, terms)
  return { status, decision: { request, version, reason, set: { decided_by: requireStaff(context).staffId }, judge } }
}

/** Returns how many credits of the deposit the platform has refused. A refusal is final for its reference. */
async function nextGeneration(connection: Connection, { id }: Deposit): Promise<number> {
  const { sent } = await requireRow<{ sent: number }>(connection)`
    select count(*)::int as sent from operations
      where subject = ${depositMachine.name} and record = ${id} and payload ->> 'leg' = 'deposit-credit'`
  if (sent > generationMax) throw new Problem('job-gone')
  return sent
}
