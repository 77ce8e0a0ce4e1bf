/**
 * Staff enter a bank account's holder from the statement and decide on it. Approved accounts may be chosen for
 * withdrawals.
 */
import type * as office from '#contract/office/bank-details.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { bankDetailsMachine, type BankDetailsState } from '#rules/bank-details.ts'
import type { BankDetailsId } from '#rules/ids.ts'
import { decisionChecker, prepareChecks } from '../../checks/pass-checks.ts'
import { recordEvent } from '../../db/events.ts'
import { row, run, sql, transaction, type Transaction } from '../../db/sql.ts'
import { notifyChange } from '../../db/work-items.ts'
import { requireStaff, type RequestContext, type Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { decide, rejectRequest, requestToDecide } from '../../office/decide.ts'
import type { Dependencies } from '../../dependencies.ts'
import { notifyClient } from '../../mail/send-mail.ts'
import { lastFour } from '../../i18n/format.ts'
import { bankChecked } from './bank-checks.ts'
import { bankRecordById, approvalProblem, type BankRecord } from './queries.ts'

export const approveBankDetails: Handler<typeof office.approveBankDetails> = async (dependencies, context) => {
  const bank = await bankDetailsForDecision(dependencies, context)
  const { staffId } = requireStaff(context)
  const held = bank.state === 'pending' && approvalProblem(bank, staffId)
  if (held) throw held
  const { version, note, holder } = context.body
  const checked = bankChecked(holder)
  const terms = await prepareChecks(dependencies, checked, bank, context.now)
  const entered = holder === '' || holder === bank.statementHolder ? {} : { holder_name: holder, holder_by: staffId }
  const set = { reason: null, decided_by: staffId, decided_at: context.now, ...entered }
  const judge = decisionChecker(context, checked, bank, terms)
  const approval = { request: bank, action: 'approve', version, reason: note, set, judge }
  return decide(dependencies, context, bankDetailsMachine, approval, (tx) =>
    notifyDecision(tx, bank, { kind: 'bank-details-approved', reason: null }, context.now),
  )
}

export const rejectBankDetails: Handler<typeof office.rejectBankDetails> = async (dependencies, context) => {
  const bank = await bankDetailsForDecision(dependencies, context)
  return rejectRequest(dependencies, context, bankDetailsMachine, bank, (tx, reason) =>
    notifyDecision(tx, bank, { kind: 'bank-details-rejected', reason }, context.now),
  )
}

async function bankDetailsForDecision(
  dependencies: Dependencies,
  context: Pick<RequestContext<typeof office.approveBankDetails>, 'params' | 'caller'>,
) {
  return requestToDecide(context, await bankRecordById(dependencies.pool, context.params.id), ({ email }) => email)
}

async function notifyDecision(
  tx: Transaction,
  bank: BankRecord,
  { kind, reason }: { kind: 'bank-details-approved' | 'bank-details-rejected'; reason: string | null },
  now: Date,
): Promise<void> {
  await notifyClient(tx, now, {
    kind,
    client: { id: bank.clientId, email: bank.email, language: bank.language },
    facts: { bank: bank.bankName, account: lastFour(bank.iban ?? bank.accountNumber), reason },
    link: portalPaths.bankRecord(bank.id),
    subject: bankDetailsMachine.name,
    record: bank.id,
  })
}

/**
 * Stores the holder's name of bank details that were approved before holders were entered: once, as read on the
 * statement. Throws `wrong-state` before the approval, which enters it itself, `holder-entered` or `stale-page`.
 */
export const enterHolder: Handler<typeof office.enterHolder> = async (dependencies, context) => {
  const bank = await bankDetailsForDecision(dependencies, context)
  const { version, holder } = context.body
  return transaction(dependencies.pool, async (tx) => {
    const locked = await lockBankRecord(tx, bank.id)
    if (locked.version !== version) throw new Problem('stale-page')
    if (locked.state !== 'approved') throw new Problem('wrong-state', { values: { state: locked.state } })
    if (locked.holder !== null) throw new Problem('holder-entered')
    const set = sql`holder_name = ${holder}, holder_by = ${requireStaff(context).staffId}, version = version + 1`
    await run(tx)`update bank_details set ${set} where id = ${bank.id}`
    await recordEvent(tx, context.auditContext, {
      kind: bankDetailsMachine.name,
      action: 'enterHolder',
      record: bank.id,
      clientId: bank.clientId,
      details: { before: { holder: null }, after: { holder } },
    })
    await notifyChange(tx, bankDetailsMachine.name, bank.id)
    return { version: version + 1 }
  })
}

async function lockBankRecord(tx: Transaction, id: BankDetailsId) {
  const locked = await row<{ version: number; state: BankDetailsState; holder: string | null }>(tx)`
    select version, state, holder_name as holder from bank_details where id = ${id} for update`
  if (!locked) throw new Problem('not-found')
  return locked
}
