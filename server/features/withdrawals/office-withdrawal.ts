/** A withdrawal for staff: every fact that the decision uses, with its source and time (requirements 21.12). */
import type { getOfficeWithdrawal as endpoint, officeWithdrawal } from '#contract/office/withdrawals.ts'
import { isLessThan, money, subtract } from '#rules/money.ts'
import { checkReversal, checkDifferentApprover, sameBankSince, withdrawalMachine } from '#rules/withdrawals.ts'
import type { output } from 'zod/mini'
import { checksOfPage } from '../../checks/pass-checks.ts'
import { row, type Connection } from '../../db/sql.ts'
import { requireStaff, type RequestContext, type Handler } from '../../http/handler.ts'
import { Problem, requireFound } from '../../http/problem.ts'
import { withdrawableAmount, cachedSnapshot, type AccountSnapshot } from '../../ledger/account-snapshot.ts'
import { accountLiability } from '../../ledger/post.ts'
import { paidOnlyAtBank } from '../../ledger/differences.ts'
import { reservedOf } from '../../ledger/reservations.ts'
import { isNotSentYet } from '../../jobs/cancel-unsent.ts'
import { ownRequest } from '../../office/decide.ts'
import { latestOperation } from '../../office/lists.ts'
import { clientBrief, recordFieldsOf, staffNames } from '../../office/records.ts'
import type { Dependencies } from '../../dependencies.ts'
import { commentText } from '../../i18n/format.ts'
import { batchOf } from './batches/queries.ts'
import { returnProblem } from './return-withdrawal.ts'
import { sumRequestedToBank, recipientOf, withdrawalById, type Withdrawal } from './queries.ts'
import { stageOf, withdrawalChecked } from './withdrawal-checks.ts'

type Answer = output<typeof officeWithdrawal>

export const getOfficeWithdrawal: Handler<typeof endpoint> = async (dependencies, context) => {
  const withdrawal = requireFound(await withdrawalById(dependencies.pool, context.params.id))
  const isToApprove = withdrawal.state === 'pending' || withdrawal.state === 'second_approval'
  const checked = withdrawalChecked(stageOf(withdrawal.state))
  const checks = await checksOfPage(dependencies, context as RequestContext, checked, withdrawal, isToApprove)
  return { withdrawal: await withdrawalPage(dependencies, context as RequestContext, withdrawal, checks) }
}

async function withdrawalPage(
  dependencies: Dependencies,
  context: RequestContext,
  withdrawal: Withdrawal,
  checks: Awaited<ReturnType<typeof checksOfPage>>,
): Promise<Answer> {
  const { pool } = dependencies
  const { currency } = withdrawal
  const figures = await cachedSnapshot(pool, withdrawal.accountId, currency)
  const thresholds = await dependencies.settings.get('thresholds')
  const threshold = money(withdrawal.thresholdMinor ?? thresholds[currency], currency)
  const toBank =
    (await sumRequestedToBank(pool, withdrawal.id, sameBankSince(withdrawal.requestedAt))) + withdrawal.amountMinor
  const account = await row<{ clientStatus: string }>(pool)`
    select client_status as "clientStatus" from trading_accounts where id = ${withdrawal.accountId}`
  const by = await staffNames(pool, [withdrawal], (one) => [
    one.approvedBy,
    one.confirmedBy,
    one.paidBy,
    one.reversalAskedBy,
    one.enteredBy,
  ])
  const decidedBy = withdrawal.confirmedBy ?? withdrawal.approvedBy
  const reversalBy = by(withdrawal.reversalAskedBy)
  const batch = await batchOf(pool, withdrawal.id)
  const first = by(withdrawal.approvedBy)
  const second = by(withdrawal.confirmedBy)
  return {
    ...withdrawal,
    ...(await recordFieldsOf(context, dependencies, {
      ...withdrawal,
      createdAt: withdrawal.requestedAt,
      decidedAt: withdrawal.confirmedAt ?? withdrawal.rejectedAt ?? withdrawal.firstApprovedAt,
      decidedBy,
      reason: commentText(withdrawal.comment, context.language) || null,
      machine: shownMachine,
      isLastBalance: withdrawal.enteredBy !== null,
      refusals: refusalsOf(context, withdrawal, checks.refusal, {
        isInBatch: batch !== null,
        isPaidAtBank: (await paidOnlyAtBank(pool, [withdrawal.id])).has(withdrawal.id),
        isUnsent: await isNotSentYet(pool, withdrawal),
        returned: await returnProblem(dependencies, pool, context, withdrawal),
      }),
    })),
    client: await clientBrief(dependencies, withdrawal.clientId),
    amount: withdrawal.amountMinor,
    fee: withdrawal.feeMinor,
    arrives: withdrawal.amountMinor - withdrawal.feeMinor,
    account: {
      id: withdrawal.accountId,
      number: withdrawal.login,
      platform: withdrawal.platform,
      clientStatus: account?.clientStatus ?? 'retail',
    },
    bank: { id: withdrawal.bankId, ...(await recipientOf(pool, withdrawal, requireStaff(context).roles)) },
    money: openStates.includes(withdrawal.state) ? await moneyOf(dependencies, withdrawal, figures) : null,
    fourEyes: {
      threshold: threshold.minor,
      sumToBank: toBank,
      needed: !isLessThan(money(toBank, currency), threshold),
    },
    firstApproval: first && {
      by: first,
      at: withdrawal.firstApprovedAt ?? withdrawal.requestedAt,
      note: withdrawal.approvalNote ?? '',
    },
    secondApproval: second && { by: second, at: withdrawal.confirmedAt ?? withdrawal.requestedAt, note: '' },
    paidBy: by(withdrawal.paidBy),
    batch,
    reversal:
      withdrawal.state === 'approved' && reversalBy && withdrawal.reversalAskedAt
        ? { by: reversalBy, at: withdrawal.reversalAskedAt }
        : null,
    lastBalance: await lastBalanceOf(pool, withdrawal, by(withdrawal.enteredBy)),
    decisionChecks: checks.shown,
    operation: await latestOperation(pool, {
      subject: withdrawalMachine.name,
      record: withdrawal.id,
      language: context.language,
    }),
  }
}

/** Returns who entered a last balance, and the proof under its original file name; null for a client's request. */
async function lastBalanceOf(
  connection: Connection,
  { proofFile }: Withdrawal,
  by: NonNullable<Answer['lastBalance']>['by'] | null,
): Promise<Answer['lastBalance']> {
  if (!by) return null
  const file = await row<{ id: string; label: string }>(connection)`
    select id, label from files where id = ${proofFile}::uuid`
  return { by, proof: file && { fileId: file.id, filename: file.label.replace(/^[0-9a-f-]{36}_\d+_/, '') } }
}

/** States in which the amount is reserved. */
const openStates: readonly string[] = ['pending', 'second_approval', 'processing']

async function moneyOf(
  dependencies: Dependencies,
  withdrawal: Withdrawal,
  figures: AccountSnapshot | null,
): Promise<NonNullable<Answer['money']>> {
  const { currency, accountId, amountMinor } = withdrawal
  const at = figures?.readAt ?? null
  const owed = await accountLiability(dependencies.pool, { accountId })
  const reserved = await reservedOf(dependencies.pool, accountId)
  const here = amountMinor
  const platform = (amount: bigint | null) => ({ amount, currency, at })
  const ledger = (amount: bigint) => ({ amount, currency, at: null })
  const withdrawable = figures && subtract(withdrawableAmount(figures), money(reserved, currency))
  const agrees = figures !== null && figures.balance.minor === owed
  return {
    balance: platform(figures?.balance.minor ?? null),
    ledger: ledger(owed),
    agrees,
    setAsideHere: ledger(-here),
    setAsideElsewhere: ledger(-(reserved - here)),
    floating: figures && figures.openPositions !== 0 ? platform(figures.profit?.minor ?? null) : null,
    margin: platform(figures?.margin ? -figures.margin.minor : null),
    openPositions: figures?.openPositions ?? null,
    freeAfter: { amount: withdrawable?.minor ?? null, currency, at },
  }
}

/** A withdrawal is paid by its batch, not by a manual action. */
const { pay: _byBatch, ...byPeople } = withdrawalMachine.transitions
const shownMachine = { name: withdrawalMachine.name, transitions: byPeople }

function refusalsOf(
  context: RequestContext,
  withdrawal: Withdrawal,
  block: Problem | null,
  {
    isUnsent,
    returned,
    ...reversible
  }: { isInBatch: boolean; isPaidAtBank: boolean; isUnsent: boolean; returned: Problem | null },
): Record<string, Problem | null> {
  const own = ownRequest(context, withdrawal.clientEmail)
  const second = checkDifferentApprover(withdrawal.approvedBy, requireStaff(context).staffId)
  const { staffId } = requireStaff(context)
  const reversal = (action: string) => {
    const refusal = checkReversal({ action, ...reversible, askedBy: withdrawal.reversalAskedBy, staffId })
    return own ?? (refusal && new Problem(refusal))
  }
  const isLast = withdrawal.enteredBy !== null
  const other = (verbOfLast: boolean) => (verbOfLast === isLast ? null : new Problem('wrong-state'))
  const entered = checkDifferentApprover(withdrawal.enteredBy, staffId)
  const rejected = isUnsent ? null : new Problem('wrong-state')
  return {
    approve: other(false) ?? own ?? block,
    approveLastBalance: other(true) ?? own ?? (entered && new Problem(entered)) ?? block,
    confirm: own ?? (second && new Problem(second)) ?? (entered && new Problem(entered)) ?? block,
    reject: other(false) ?? own ?? rejected,
    rejectLastBalance: other(true) ?? own ?? rejected,
    return: own ?? returned,
    askReversal: reversal('askReversal'),
    dropReversal: reversal('dropReversal'),
    reverse: reversal('reverse'),
  }
}
