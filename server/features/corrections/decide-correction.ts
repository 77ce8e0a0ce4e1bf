/** Another person approves the correction, which is then posted on the platform, or rejects it. */
import type * as office from '#contract/office/accounting.ts'
import { correctionMachine } from '#rules/corrections.ts'
import { isLessThan, money, add, zero } from '#rules/money.ts'
import { decisionChecker, prepareChecks } from '../../checks/pass-checks.ts'
import { run, type Transaction } from '../../db/sql.ts'
import { requireStaff, type RequestContext, type Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { enqueueBalance } from '../../jobs/balance.ts'
import { fetchSnapshot } from '../../ledger/account-snapshot.ts'
import { fundsSummaryOf } from '../../ledger/reservations.ts'
import { absentPlatform, decide } from '../../office/decide.ts'
import { readForStaff } from '../../office/read-for-staff.ts'
import { assertNotOwnRequest } from '../../office/records.ts'
import type { Dependencies } from '../../dependencies.ts'
import { amountText } from '../../i18n/format.ts'
import { correctionChecked } from './correction-checks.ts'
import { correctionById, type Correction } from './queries.ts'

type DecisionContext = RequestContext<typeof office.approveCorrection | typeof office.rejectCorrection>

export const approveCorrection: Handler<typeof office.approveCorrection> = async (dependencies, context) => {
  const correction = await correctionForDecision(dependencies, context)
  const { accountId, platform, login, currency } = correction
  const absent = absentPlatform(dependencies, platform)
  if (absent) throw absent
  if (correction.state === 'pending') {
    const read = { accountId, platform, login, currency }
    await readForStaff(fetchSnapshot(dependencies.pool, dependencies, read, context.now), 'account-not-on-platform')
  }
  const terms = await prepareChecks(dependencies, correctionChecked, correction, context.now)
  const judge = decisionChecker(context, correctionChecked, correction, terms)
  const judgeCovered = async (tx: Transaction) => {
    const details = await judge(tx)
    await assertAvailable(tx, context, correction)
    return details
  }
  const { version, note } = context.body
  const set = { decided_by: requireStaff(context).staffId, decided_at: context.now }
  const approval = { request: correction, action: 'approve', version, reason: note, set, judge: judgeCovered }
  return decide(dependencies, context, correctionMachine, approval, (tx) =>
    enqueueBalance(tx, dependencies.keys, context.now, {
      request: correction,
      subject: correctionMachine.name,
      leg: 'correction',
      amount: money(correction.amountMinor, currency),
    }),
  )
}

export const rejectCorrection: Handler<typeof office.rejectCorrection> = async (dependencies, context) => {
  const request = await correctionForDecision(dependencies, context)
  const { version, reason } = context.body
  const set = { decided_by: requireStaff(context).staffId, decided_at: context.now, decision_reason: reason }
  return decide(dependencies, context, correctionMachine, { request, action: 'reject', version, reason, set })
}

async function correctionForDecision(dependencies: Dependencies, context: DecisionContext): Promise<Correction> {
  const correction = await correctionById(dependencies.pool, context.params.id)
  if (!correction) throw new Problem('not-found')
  if (correction.askedBy === requireStaff(context).staffId) throw new Problem('own-act')
  assertNotOwnRequest(requireStaff(context), correction.clientEmail)
  return correction
}

/** Throws if a debit exceeds the available amount: a correction never debits reserved money. */
async function assertAvailable(tx: Transaction, context: DecisionContext, correction: Correction): Promise<void> {
  const { accountId, currency, amountMinor } = correction
  await run(tx)`select 1 from trading_accounts where id = ${accountId} for update`
  if (amountMinor >= 0n) return
  const { available } = await fundsSummaryOf(tx, accountId, currency)
  if (isLessThan(add(available, money(amountMinor, currency)), zero(currency))) {
    throw new Problem('available-fell', { values: { available: amountText(available, context.language) } })
  }
}
