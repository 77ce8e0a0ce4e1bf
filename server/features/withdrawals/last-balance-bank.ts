/** The bank account that was entered with a last balance is decided with it. */
import { bankDetailsMachine, type BankDetailsState } from '#rules/bank-details.ts'
import { applyTransition } from '../../db/transition.ts'
import { row } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { requireStaff, type RequestContext } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import type { Withdrawal } from './queries.ts'

type Deciding = Pick<RequestContext, 'auditContext' | 'caller' | 'now'>

async function lockedBank(tx: Transaction, { bankId, proofFile }: Withdrawal) {
  const found = await row<{ state: BankDetailsState; proof: string | null }>(tx)`
    select state, (select state from files where id = ${proofFile}::uuid) as proof from bank_details
      where id = ${bankId} for update`
  if (!found) throw new Error(`no bank details ${bankId}`)
  return found
}

/** Throws `file-not-scanned`, `bank-not-approved` where it was rejected, `stale-page` where it is another by now. */
export async function approveBank(tx: Transaction, context: Deciding, withdrawal: Withdrawal): Promise<void> {
  const { state, proof } = await lockedBank(tx, withdrawal)
  if (proof !== null && proof !== 'clean') throw new Problem('file-not-scanned')
  if (state === 'rejected') throw new Problem('bank-not-approved')
  if (state !== 'pending') return
  await applyTransition(tx, bankDetailsMachine, context.auditContext, {
    id: withdrawal.bankId,
    action: 'approveWithPayout',
    version: withdrawal.bank.version,
    clientId: withdrawal.clientId,
    set: { reason: null, decided_by: requireStaff(context).staffId, decided_at: context.now },
    workItem: null,
  })
}

/** Rejects the bank account of a rejected last balance, unless it was decided before. */
export async function rejectBank(tx: Transaction, context: Deciding, withdrawal: Withdrawal): Promise<void> {
  const { state } = await lockedBank(tx, withdrawal)
  if (state !== 'pending') return
  await applyTransition(tx, bankDetailsMachine, context.auditContext, {
    id: withdrawal.bankId,
    action: 'rejectWithPayout',
    clientId: withdrawal.clientId,
    set: { decided_by: requireStaff(context).staffId, decided_at: context.now },
    workItem: null,
  })
}
