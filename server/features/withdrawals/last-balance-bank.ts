/** The bank account that was entered with a last balance is decided with it. */
import { bankDetailsLife, type BankDetailsState } from '#rules/bank-details.ts'
import { advance } from '../../db/transition.ts'
import { row, sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import type { Withdrawal } from './queries.ts'

type Deciding = Pick<Call, 'act' | 'caller' | 'now'>

async function lockedBank(tx: Transaction, { bankId, proofFile }: Withdrawal) {
  const found = await row<{ state: BankDetailsState; proof: string | null }>(
    tx,
    sql`select state, (select state from files where id = ${proofFile}::uuid) as proof from bank_details
        where id = ${bankId} for update`,
  )
  if (!found) throw new Error(`no bank details ${bankId}`)
  return found
}

/** Throws `file-not-scanned`, `bank-not-approved` where it was rejected, `stale-page` where it is another by now. */
export async function approveBank(tx: Transaction, call: Deciding, withdrawal: Withdrawal): Promise<void> {
  const { state, proof } = await lockedBank(tx, withdrawal)
  if (proof !== null && proof !== 'clean') throw new Problem('file-not-scanned')
  if (state === 'rejected') throw new Problem('bank-not-approved')
  if (state !== 'pending') return
  await advance(tx, bankDetailsLife, call.act, {
    id: withdrawal.bankId,
    verb: 'approveWithPayout',
    version: withdrawal.bank.version,
    clientId: withdrawal.clientId,
    set: { reason: null, decided_by: staffOf(call).staffId, decided_at: call.now },
    work: null,
  })
}

/** One that was decided before stays as it is. */
export async function rejectBank(tx: Transaction, call: Deciding, withdrawal: Withdrawal): Promise<void> {
  const { state } = await lockedBank(tx, withdrawal)
  if (state !== 'pending') return
  await advance(tx, bankDetailsLife, call.act, {
    id: withdrawal.bankId,
    verb: 'rejectWithPayout',
    clientId: withdrawal.clientId,
    set: { decided_by: staffOf(call).staffId, decided_at: call.now },
    work: null,
  })
}
