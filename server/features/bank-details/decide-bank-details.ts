/** Staff enter a bank account's holder from the statement and decide on it; approved, it may be chosen for withdrawals. */
import type {
  approveBankDetails as approveEndpoint,
  enterHolder as enterEndpoint,
  rejectBankDetails as rejectEndpoint,
} from '#contract/office/bank-details.ts'
import { requestReason } from '#contract/office/rejection-reasons.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { bankDetailsLife, type BankDetailsState } from '#rules/bank-details.ts'
import { judging, prepareChecks } from '../../checks/pass-checks.ts'
import { record } from '../../db/events.ts'
import { row, run, sql } from '../../db/sql.ts'
import { transaction, type Transaction } from '../../db/transaction.ts'
import { announce } from '../../db/work-items.ts'
import { staffOf, type Call } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import type { Verb } from '../../http/register-endpoint.ts'
import { decide, requestToDecide } from '../../office/decide.ts'
import type { Parts } from '../../dependencies.ts'
import { tellClient } from '../../notifications/notify-client.ts'
import { lastFour } from '../../i18n/format.ts'
import { bankChecked } from './bank-checks.ts'
import { bankRecordById, whyNotApproved, type BankRecord } from './queries.ts'

export function approveBankDetails(parts: Parts): Verb<typeof approveEndpoint> {
  return async (call) => {
    const bank = await forDecision(parts, call)
    const held = bank.state === 'pending' && whyNotApproved(bank)
    if (held) throw held
    const { version, note, holder } = call.body
    const checked = bankChecked(holder)
    const terms = await prepareChecks(parts, checked, bank, call.now)
    const { staffId } = staffOf(call)
    const entered = holder === '' || holder === bank.statementHolder ? {} : { holder_name: holder, holder_by: staffId }
    const set = { reason: null, decided_by: staffId, decided_at: call.now, ...entered }
    const judge = judging(call, checked, bank, terms)
    const approval = { request: bank, verb: 'approve', version, reason: note, set, judge }
    return decide(parts, call, bankDetailsLife, approval, (tx) =>
      tell(tx, bank, { kind: 'bank-details-approved', reason: null }, call.now),
    )
  }
}

export function rejectBankDetails(parts: Parts): Verb<typeof rejectEndpoint> {
  return async (call) => {
    const bank = await forDecision(parts, call)
    const { version, reason } = call.body
    const told = requestReason(call.body)
    const set = { reason: told, decided_by: staffOf(call).staffId, decided_at: call.now }
    return decide(parts, call, bankDetailsLife, { request: bank, verb: 'reject', version, reason, told, set }, (tx) =>
      tell(tx, bank, { kind: 'bank-details-rejected', reason: told }, call.now),
    )
  }
}

async function forDecision(parts: Parts, call: Pick<Call<typeof approveEndpoint>, 'params' | 'caller'>) {
  return requestToDecide(call, await bankRecordById(parts.pool, call.params.id), ({ email }) => email)
}

async function tell(
  tx: Transaction,
  bank: BankRecord,
  { kind, reason }: { kind: 'bank-details-approved' | 'bank-details-rejected'; reason: string | null },
  now: Date,
): Promise<void> {
  await tellClient(
    tx,
    {
      kind,
      client: { id: bank.clientId, email: bank.email, language: bank.language },
      facts: { bank: bank.bankName, account: lastFour(bank.iban ?? bank.accountNumber), reason },
      link: portalPaths.bankRecord(bank.id),
      subject: bankDetailsLife.name,
      record: bank.id,
    },
    now,
  )
}

/**
 * Keeps the holder's name of bank details that were approved before holders were entered: once, as read on the statement.
 * Throws `wrong-state` before the approval, which enters it itself, `holder-entered`, `stale-page`.
 */
export function enterHolder(parts: Parts): Verb<typeof enterEndpoint> {
  return async (call) => {
    const bank = await forDecision(parts, call)
    const { version, holder } = call.body
    return transaction(parts.pool, async (tx) => {
      const locked = await lockBankRecord(tx, bank.id)
      if (locked.version !== version) throw new Problem('stale-page')
      if (locked.state !== 'approved') throw new Problem('wrong-state', { values: { state: locked.state } })
      if (locked.holder !== null) throw new Problem('holder-entered')
      const set = sql`holder_name = ${holder}, holder_by = ${staffOf(call).staffId}, version = version + 1`
      await run(tx, sql`update bank_details set ${set} where id = ${bank.id}`)
      await record(tx, call.act, {
        kind: bankDetailsLife.name,
        verb: 'enterHolder',
        record: bank.id,
        clientId: bank.clientId,
        details: { before: { holder: null }, after: { holder } },
      })
      await announce(tx, bankDetailsLife.name, bank.id)
      return { version: version + 1 }
    })
  }
}

async function lockBankRecord(tx: Transaction, id: string) {
  const locked = await row<{ version: number; state: BankDetailsState; holder: string | null }>(
    tx,
    sql`select version, state, holder_name as holder from bank_details where id = ${id} for update`,
  )
  if (!locked) throw new Problem('not-found')
  return locked
}
