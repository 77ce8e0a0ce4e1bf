/** The facts of a correction's checks (requirements 19.8, 19.9, 19.12, 24.166). */
import { checksPending } from '#rules/checks/pending-checks.ts'
import { correctionChecks } from '#rules/checks/account-checks.ts'
import { judgeAll, type JudgedCheck } from '#rules/checks/check.ts'
import { refundChecks } from '#rules/checks/client-checks.ts'
import { correctionMachine } from '#rules/corrections.ts'
import type { CorrectionId } from '#rules/ids.ts'
import { discrepanciesOf, refreshBalances } from '../../checks/account-facts.ts'
import type { CheckedRequest, DecisionTerms } from '../../checks/checked-request.ts'
import { clientFacts } from '../../checks/client-facts.ts'
import { blockProblem } from '../../checks/pass-checks.ts'
import { run, type Connection, type Transaction } from '../../db/sql.ts'
import type { RequestContext } from '../../http/handler.ts'
import { cachedSnapshot } from '../../ledger/account-snapshot.ts'
import { correctionById, isReturnedByProvider, type Correction } from './queries.ts'

const { name: kind } = correctionMachine

export const correctionChecked: CheckedRequest<Correction> = {
  kind,
  isOpen: checksPending.correction,
  find: correctionById,
  clientOf: ({ clientId, clientEmail }) => ({ id: clientId, email: clientEmail }),
  involved: ({ askedBy, decidedBy }) => [askedBy, decidedBy],
  refresh: (dependencies, correction, seconds, now) => refreshBalances(dependencies, correction, seconds, now),
  async lock(tx, { id, clientId, accountId }) {
    await run(tx)`select 1 from clients where id = ${clientId} for share`
    await run(tx)`select 1 from trading_accounts where id = ${accountId} for update`
    await run(tx)`select 1 from corrections where id = ${id} for update`
  },
  judge: async (connection, correction, { now }) => {
    const { id, accountId, currency } = correction
    const kept = await cachedSnapshot(connection, accountId, currency)
    const subject = { accountId, subject: kind, record: id }
    const discrepancies = await discrepanciesOf(connection, subject, kept, now)
    const ofAccount = judgeAll(correctionChecks, { discrepancies })
    return [...(await judgeRefund(connection, correction, now)), ...ofAccount]
  },
}

/**
 * Throws if a hold or a sanctions flag of the client blocks a refund that is being requested. A discrepancy does not
 * stop the request: a person may override it, and an override belongs to a request.
 */
export async function assertRefundNotBlocked(
  tx: Transaction,
  context: Pick<RequestContext, 'language' | 'now'>,
  terms: DecisionTerms,
  id: CorrectionId,
): Promise<void> {
  const correction = await correctionById(tx, id)
  if (!correction) throw new Error(`correction ${id} not found`)
  const block = (await judgeRefund(tx, correction, context.now)).find(({ result }) => result === 'block')
  if (block) throw blockProblem(block, context, terms)
}

/**
 * Returns the client's checks if the correction refunds a deposit. What the card provider has returned already does not
 * leave again: its correction only debits the account, like one without a deposit (ADR 348).
 */
async function judgeRefund(
  connection: Connection,
  { clientId, amountMinor, depositId }: Correction,
  now: Date,
): Promise<JudgedCheck[]> {
  if (amountMinor >= 0n || depositId === null || (await isReturnedByProvider(connection, depositId))) return []
  return judgeAll(refundChecks, await clientFacts(connection, clientId, now))
}
