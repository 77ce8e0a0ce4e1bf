/** Staff decide on a withdrawal: four eyes at or over the threshold, checks judged under the locks (mechanics section 3). */
import type {
  approveWithdrawal as approveEndpoint,
  confirmWithdrawal as confirmEndpoint,
  rejectWithdrawal as rejectEndpoint,
} from '#contract/office/withdrawals.ts'
import type {
  approveLastBalance as approveLastEndpoint,
  rejectLastBalance as rejectLastEndpoint,
} from '#contract/office/last-balance.ts'
import { requestReason } from '#contract/office/rejection-reasons.ts'
import { money, negate } from '#rules/money.ts'
import { afterFirstApproval, differentPerson, sameBankSince, withdrawalLife } from '#rules/withdrawals.ts'
import type { CheckTerms } from '../../checks/checked-request.ts'
import { passChecks, prepareChecks } from '../../checks/pass-checks.ts'
import { advance } from '../../db/transition.ts'
import { transaction, type Transaction } from '../../db/transaction.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import { Problem, refuse } from '../../http/problem.ts'
import type { Verb } from '../../http/register-endpoint.ts'
import { enqueueBalance } from '../../jobs/balance.ts'
import { takeBackUnsent } from '../../jobs/take-back-unsent.ts'
import type { Keys } from '../../crypto/keys.ts'
import { release } from '../../ledger/reservations.ts'
import { decide, requestToDecide } from '../../office/decide.ts'
import { decidedAnswer, namingDecider } from '../../office/records.ts'
import type { Parts } from '../../dependencies.ts'
import { workDueAt } from '../../office/due-dates.ts'
import { askedToBank, withdrawalById, type Withdrawal } from './queries.ts'
import { approveBank, rejectBank } from './last-balance-bank.ts'
import { tellOfWithdrawal } from './notify-withdrawal.ts'
import { withdrawalChecked } from './withdrawal-checks.ts'
import { workOf } from './withdrawal-work.ts'

type Approving = Call<typeof approveEndpoint | typeof approveLastEndpoint | typeof confirmEndpoint>

const kind = withdrawalLife.name

export function approveWithdrawal(parts: Parts): Verb<typeof approveEndpoint> {
  return async (call) => {
    const withdrawal = await forDecision(parts, call, call.params.id)
    if (withdrawal.enteredBy !== null) throw otherWay(withdrawal)
    return firstApproval(parts, call, withdrawal, 'approve')
  }
}

/** The last balance with its bank account; `approveBank` runs in the same transaction. */
export function approveLastBalance(parts: Parts): Verb<typeof approveLastEndpoint> {
  return async (call) => {
    const withdrawal = await forDecision(parts, call, call.params.id)
    if (withdrawal.enteredBy === null) throw otherWay(withdrawal)
    refuse(differentPerson(withdrawal.enteredBy, staffOf(call).staffId))
    return firstApproval(parts, call, withdrawal, 'approveLastBalance', (tx) => approveBank(tx, call, withdrawal))
  }
}

/** What clients requested and what finance entered are decided by verbs of their own. */
function otherWay({ state }: Withdrawal): Problem {
  return new Problem('wrong-state', { values: { state } })
}

/** First approval: to the platform, or to a second person. */
async function firstApproval(
  parts: Parts,
  call: Approving,
  withdrawal: Withdrawal,
  verb: 'approve' | 'approveLastBalance',
  also?: (tx: Transaction) => Promise<void>,
) {
  const staff = staffOf(call)
  const terms = await prepareChecks(parts, firstChecked, withdrawal, call.now)
  const threshold = money(terms.thresholds[withdrawal.currency], withdrawal.currency)
  return namingDecider(parts, kind, withdrawal.id, () =>
    transaction(parts.pool, async (tx) => {
      const details = await judged(tx, call, firstChecked, withdrawal, terms)
      const before = await askedToBank(tx, withdrawal.id, sameBankSince(withdrawal.requestedAt))
      const to = afterFirstApproval(money(before + withdrawal.amountMinor, withdrawal.currency), threshold)
      const after = await advance(tx, withdrawalLife, call.act, {
        id: withdrawal.id,
        verb,
        to,
        version: call.body.version,
        clientId: withdrawal.clientId,
        ...(call.body.note ? { reason: call.body.note } : {}),
        ...details,
        set: {
          approved_by: staff.staffId,
          first_approved_at: call.now,
          approval_note: call.body.note,
          threshold_minor: threshold.minor,
        },
        work:
          to === 'processing'
            ? null
            : {
                ...workOf(withdrawal),
                state: 'second_approval',
                dueAt: await workDueAt(parts, 'withdrawal', call.now),
              },
      })
      await also?.(tx)
      if (to === 'processing') await debit(tx, parts.keys, withdrawal, call.now)
      return decidedAnswer(tx, call, kind, withdrawal.id, after)
    }),
  )
}

/** Second approval, never by the first approver: to the platform. */
export function confirmWithdrawal(parts: Parts): Verb<typeof confirmEndpoint> {
  return async (call) => {
    const staff = staffOf(call)
    const withdrawal = await forDecision(parts, call, call.params.id)
    refuse(
      differentPerson(withdrawal.approvedBy, staff.staffId) ?? differentPerson(withdrawal.enteredBy, staff.staffId),
    )
    const terms = await prepareChecks(parts, secondChecked, withdrawal, call.now)
    return namingDecider(parts, kind, withdrawal.id, () =>
      transaction(parts.pool, async (tx) => {
        const details = await judged(tx, call, secondChecked, withdrawal, terms)
        const after = await advance(tx, withdrawalLife, call.act, {
          id: withdrawal.id,
          verb: 'confirm',
          version: call.body.version,
          clientId: withdrawal.clientId,
          ...(call.body.note ? { reason: call.body.note } : {}),
          ...details,
          set: { confirmed_by: staff.staffId, confirmed_at: call.now },
          work: null,
        })
        await debit(tx, parts.keys, withdrawal, call.now)
        return decidedAnswer(tx, call, kind, withdrawal.id, after)
      }),
    )
  }
}

const firstChecked = withdrawalChecked('approve')
const secondChecked = withdrawalChecked('confirm')

/** Judges the checks under the locks. What stands elsewhere by now is left to `advance`, which says so. */
async function judged(
  tx: Transaction,
  call: Approving,
  checked: typeof firstChecked,
  withdrawal: Withdrawal,
  terms: CheckTerms,
): Promise<{ details?: { checks: unknown } }> {
  await checked.lock(tx, withdrawal)
  const locked = await withdrawalById(tx, withdrawal.id)
  if (locked?.state !== withdrawal.state || locked.version !== call.body.version) return {}
  const open = checked === firstChecked ? 'pending' : 'second_approval'
  if (locked.state !== open) return {}
  if (checked === secondChecked) refuse(differentPerson(locked.approvedBy, staffOf(call).staffId))
  const { acknowledged, note } = call.body
  return { details: await passChecks(tx, call, checked, locked, terms, { acknowledged, reason: note }) }
}

/** Rejects with an internal reason and what the client reads (ADR 160); what was set aside is free again. */
export function rejectWithdrawal(parts: Parts): Verb<typeof rejectEndpoint> {
  return async (call) => {
    const withdrawal = await forDecision(parts, call, call.params.id)
    if (withdrawal.enteredBy !== null) throw otherWay(withdrawal)
    return rejection(parts, call, withdrawal, 'reject')
  }
}

/** The same of a last balance; its bank account is rejected with it. */
export function rejectLastBalance(parts: Parts): Verb<typeof rejectLastEndpoint> {
  return async (call) => {
    const withdrawal = await forDecision(parts, call, call.params.id)
    if (withdrawal.enteredBy === null) throw otherWay(withdrawal)
    return rejection(parts, call, withdrawal, 'rejectLastBalance', (tx) => rejectBank(tx, call, withdrawal))
  }
}

function rejection(
  parts: Parts,
  call: Call<typeof rejectEndpoint | typeof rejectLastEndpoint>,
  withdrawal: Withdrawal,
  verb: 'reject' | 'rejectLastBalance',
  also?: (tx: Transaction) => Promise<void>,
) {
  const { version, reason } = call.body
  const told = requestReason(call.body)
  const set = { comment: told, rejected_at: call.now }
  return decide(parts, call, withdrawalLife, { request: withdrawal, verb, version, reason, told, set }, async (tx) => {
    if (withdrawal.state === 'processing' && !(await takeBackUnsent(tx, withdrawal.id, call.now)))
      throw new Problem('debit-sent')
    await release(tx, 'withdrawal', withdrawal.id, call.now)
    await also?.(tx)
    await tellOfWithdrawal(tx, { ...withdrawal, comment: told }, 'withdrawal-rejected', call.act)
  })
}

/** The withdrawal that a decision is about; refuses one's own. */
export async function forDecision(parts: Parts, call: Pick<Call, 'caller'>, id: string): Promise<Withdrawal> {
  return requestToDecide(call, await withdrawalById(parts.pool, id), ({ clientEmail }) => clientEmail)
}

async function debit(tx: Transaction, keys: Pick<Keys, 'reference'>, withdrawal: Withdrawal, now: Date): Promise<void> {
  const { platform, login, accountId, currency, amountMinor, id, clientId } = withdrawal
  await enqueueBalance(
    tx,
    keys,
    {
      shown: withdrawal.reference,
      platform,
      login,
      accountId,
      amount: negate(money(amountMinor, currency)),
      checkMargin: true,
      leg: 'withdrawal-debit',
      subject: 'withdrawal',
      record: id,
      clientId,
    },
    now,
  )
}
