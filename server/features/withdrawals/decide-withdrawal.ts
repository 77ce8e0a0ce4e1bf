/**
 * Staff decide on a withdrawal; checks run under the locks (requirements 9.5, 9.7). From the threshold on `approve`
 * leads to `second_approval` and `confirm` to `processing`; below it `approve` leads to `processing`. The UPDATE is in
 * db/transition.ts. The last approval enqueues the debit, which `sendClaimed` (jobs/drive-claimed.ts) sends to the
 * platform by the `send` of jobs/balance.ts. `withdrawal-debit` in ./jobs.ts posts its result, changes the state to
 * `approved` and writes the mail. From then on a payout batch pays it (batches/).
 */
import type * as office from '#contract/office/withdrawals.ts'
import type {
  approveLastBalance as approveLastEndpoint,
  rejectLastBalance as rejectLastEndpoint,
} from '#contract/office/last-balance.ts'
import { money, negate } from '#rules/money.ts'
import { stateAfterApproval, checkDifferentApprover, sameBankSince, withdrawalMachine } from '#rules/withdrawals.ts'
import type { WithdrawalId } from '#rules/ids.ts'
import type { DecisionTerms } from '../../checks/checked-request.ts'
import { assertChecksPass, prepareChecks } from '../../checks/pass-checks.ts'
import { applyTransition } from '../../db/transition.ts'
import { requireStaff, type RequestContext, type Handler } from '../../http/handler.ts'
import { Problem, throwIfProblem } from '../../http/problem.ts'
import { enqueueBalance } from '../../jobs/balance.ts'
import { cancelUnsent } from '../../jobs/cancel-unsent.ts'
import type { Keys } from '../../crypto/keys.ts'
import { release } from '../../ledger/reservations.ts'
import { decide, requestToDecide } from '../../office/decide.ts'
import { takeDecision } from '../../office/records.ts'
import type { Dependencies } from '../../dependencies.ts'
import { workItemDueAt } from '../../office/due-dates.ts'
import { sumRequestedToBank, withdrawalById, withdrawalWorkItem, type Withdrawal } from './queries.ts'
import { notifyWithdrawal } from './notify-withdrawal.ts'
import { withdrawalChecked } from './withdrawal-checks.ts'
import { requestReason } from '../../office/standard-reasons.ts'
import { bankDetailsMachine, type BankDetailsState } from '#rules/bank-details.ts'
import { type Transaction, requireRow } from '../../db/sql.ts'

type ApprovalContext = RequestContext<
  typeof office.approveWithdrawal | typeof approveLastEndpoint | typeof office.confirmWithdrawal
>

const kind = withdrawalMachine.name

export const approveWithdrawal: Handler<typeof office.approveWithdrawal> = async (dependencies, context) => {
  const withdrawal = await withdrawalForDecision(dependencies, context, context.params.id)
  if (withdrawal.enteredBy !== null) throw wrongStateProblem(withdrawal)
  return approveFirst(dependencies, context, withdrawal, 'approve')
}

/** Approves a last balance with its bank account; `approveBank` runs in the same transaction. */
export const approveLastBalance: Handler<typeof approveLastEndpoint> = async (dependencies, context) => {
  const withdrawal = await withdrawalForDecision(dependencies, context, context.params.id)
  if (withdrawal.enteredBy === null) throw wrongStateProblem(withdrawal)
  throwIfProblem(checkDifferentApprover(withdrawal.enteredBy, requireStaff(context).staffId))
  return approveFirst(dependencies, context, withdrawal, 'approveLastBalance', (tx) =>
    approveBank(tx, context, withdrawal),
  )
}

/** Returns the problem for a withdrawal that another action decides: last balances have actions of their own. */
function wrongStateProblem({ state }: Withdrawal): Problem {
  return new Problem('wrong-state', { values: { state } })
}

/** Gives the first approval: the withdrawal goes to the platform or to a second person. */
async function approveFirst(
  dependencies: Dependencies,
  context: ApprovalContext,
  withdrawal: Withdrawal,
  action: 'approve' | 'approveLastBalance',
  also?: (tx: Transaction) => Promise<void>,
) {
  const staff = requireStaff(context)
  const terms = await prepareChecks(dependencies, firstChecked, withdrawal, context.now)
  const threshold = money(terms.thresholds[withdrawal.currency], withdrawal.currency)
  return takeDecision(dependencies, context, kind, withdrawal.id, async (tx) => {
    const details = await assertApprovalChecksPass(tx, context, firstChecked, withdrawal, terms)
    const before = await sumRequestedToBank(tx, withdrawal.id, sameBankSince(withdrawal.requestedAt))
    const to = stateAfterApproval(money(before + withdrawal.amountMinor, withdrawal.currency), threshold)
    const after = await applyTransition(tx, withdrawalMachine, context.auditContext, withdrawal, action, {
      to,
      version: context.body.version,
      reason: context.body.note,
      details,
      set: {
        approved_by: staff.staffId,
        first_approved_at: context.now,
        approval_note: context.body.note,
        threshold_minor: threshold.minor,
      },
      workItem:
        to === 'processing'
          ? null
          : {
              ...withdrawalWorkItem(withdrawal),
              state: 'second_approval',
              dueAt: await workItemDueAt(dependencies, 'withdrawal', context.now),
            },
    })
    await also?.(tx)
    if (to === 'processing') await enqueueDebit(tx, dependencies.keys, withdrawal, context.now)
    return after
  })
}

/** Gives the second approval, never by the first approver: the withdrawal goes to the platform. */
export const confirmWithdrawal: Handler<typeof office.confirmWithdrawal> = async (dependencies, context) => {
  const staff = requireStaff(context)
  const withdrawal = await withdrawalForDecision(dependencies, context, context.params.id)
  throwIfProblem(
    checkDifferentApprover(withdrawal.approvedBy, staff.staffId) ??
      checkDifferentApprover(withdrawal.enteredBy, staff.staffId),
  )
  const terms = await prepareChecks(dependencies, secondChecked, withdrawal, context.now)
  const { version, note } = context.body
  const set = { confirmed_by: staff.staffId, confirmed_at: context.now }
  const judge = (tx: Transaction) => assertApprovalChecksPass(tx, context, secondChecked, withdrawal, terms)
  const confirmation = { request: withdrawal, action: 'confirm', version, reason: note, set, judge }
  return decide(dependencies, context, withdrawalMachine, confirmation, (tx) =>
    enqueueDebit(tx, dependencies.keys, withdrawal, context.now),
  )
}

const firstChecked = withdrawalChecked('approve')
const secondChecked = withdrawalChecked('confirm')

/** Runs the checks under the locks. `applyTransition` reports a withdrawal in another state. */
async function assertApprovalChecksPass(
  tx: Transaction,
  context: ApprovalContext,
  checked: typeof firstChecked,
  withdrawal: Withdrawal,
  terms: DecisionTerms,
): Promise<{ checks?: unknown }> {
  await checked.lock(tx, withdrawal)
  const locked = await withdrawalById(tx, withdrawal.id)
  if (locked?.state !== withdrawal.state || locked.version !== context.body.version) return {}
  const open = checked === firstChecked ? 'pending' : 'second_approval'
  if (locked.state !== open) return {}
  if (checked === secondChecked)
    throwIfProblem(checkDifferentApprover(locked.approvedBy, requireStaff(context).staffId))
  const { acknowledged, note } = context.body
  return assertChecksPass(tx, context, checked, locked, terms, { acknowledged, reason: note })
}

/** Rejects with an internal reason and the client's text (ADR 160); the reserved amount is available again. */
export const rejectWithdrawal: Handler<typeof office.rejectWithdrawal> = async (dependencies, context) => {
  const withdrawal = await withdrawalForDecision(dependencies, context, context.params.id)
  if (withdrawal.enteredBy !== null) throw wrongStateProblem(withdrawal)
  return rejectRequest(dependencies, context, withdrawal, 'reject')
}

/** Rejects a last balance in the same way, together with its bank account. */
export const rejectLastBalance: Handler<typeof rejectLastEndpoint> = async (dependencies, context) => {
  const withdrawal = await withdrawalForDecision(dependencies, context, context.params.id)
  if (withdrawal.enteredBy === null) throw wrongStateProblem(withdrawal)
  return rejectRequest(dependencies, context, withdrawal, 'rejectLastBalance', (tx) =>
    rejectBank(tx, context, withdrawal),
  )
}

function rejectRequest(
  dependencies: Dependencies,
  context: RequestContext<typeof office.rejectWithdrawal | typeof rejectLastEndpoint>,
  withdrawal: Withdrawal,
  action: 'reject' | 'rejectLastBalance',
  also?: (tx: Transaction) => Promise<void>,
) {
  const { version, reason } = context.body
  const clientReason = requestReason(context.body)
  const set = { comment: clientReason, rejected_at: context.now }
  return decide(
    dependencies,
    context,
    withdrawalMachine,
    { request: withdrawal, action, version, reason, clientReason, set },
    async (tx) => {
      if (withdrawal.state === 'processing' && !(await cancelUnsent(tx, withdrawal.id, context.now)))
        throw new Problem('debit-sent')
      await release(tx, 'withdrawal', withdrawal.id, context.now)
      await also?.(tx)
      await notifyWithdrawal(tx, { ...withdrawal, comment: clientReason }, 'withdrawal-rejected', context.auditContext)
    },
  )
}

/** Returns the withdrawal to decide on; throws for one's own. */
export async function withdrawalForDecision(
  dependencies: Dependencies,
  context: Pick<RequestContext, 'caller'>,
  id: WithdrawalId,
): Promise<Withdrawal> {
  return requestToDecide(context, await withdrawalById(dependencies.pool, id), ({ clientEmail }) => clientEmail)
}

async function enqueueDebit(
  tx: Transaction,
  keys: Pick<Keys, 'reference'>,
  withdrawal: Withdrawal,
  now: Date,
): Promise<void> {
  const amount = negate(money(withdrawal.amountMinor, withdrawal.currency))
  const order = { request: withdrawal, subject: kind, leg: 'withdrawal-debit', amount } as const
  await enqueueBalance(tx, keys, now, order)
}

type DecisionContext = Pick<RequestContext, 'auditContext' | 'caller' | 'now'>

async function lockBank(tx: Transaction, { bankId, proofFile }: Withdrawal) {
  const found = await requireRow<{ state: BankDetailsState; proof: string | null }>(tx)`
    select state, (select state from files where id = ${proofFile}::uuid) as proof from bank_details
      where id = ${bankId} for update`
  return found
}

/** Throws `file-not-scanned`, `bank-not-approved` if it was rejected, or `stale-page` if it has changed. */
async function approveBank(tx: Transaction, context: DecisionContext, withdrawal: Withdrawal): Promise<void> {
  const { state, proof } = await lockBank(tx, withdrawal)
  if (proof !== null && proof !== 'clean') throw new Problem('file-not-scanned')
  if (state === 'rejected') throw new Problem('bank-not-approved')
  if (state !== 'pending') return
  const of = { id: withdrawal.bankId, clientId: withdrawal.clientId }
  await applyTransition(tx, bankDetailsMachine, context.auditContext, of, 'approveWithPayout', {
    version: withdrawal.bank.version,
    set: { reason: null, decided_by: requireStaff(context).staffId, decided_at: context.now },
    workItem: null,
  })
}

/** Rejects the bank account of a rejected last balance, unless it was decided before. */
async function rejectBank(tx: Transaction, context: DecisionContext, withdrawal: Withdrawal): Promise<void> {
  const { state } = await lockBank(tx, withdrawal)
  if (state !== 'pending') return
  const of = { id: withdrawal.bankId, clientId: withdrawal.clientId }
  await applyTransition(tx, bankDetailsMachine, context.auditContext, of, 'rejectWithPayout', {
    set: { decided_by: requireStaff(context).staffId, decided_at: context.now },
    workItem: null,
  })
}
