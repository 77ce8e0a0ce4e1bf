/** The checks of a correction (requirements 19.12). */
import { checksPending } from '#rules/checks/pending-checks.ts'
import { correctionChecks } from '#rules/checks/account-checks.ts'
import { judgeAll } from '#rules/checks/check.ts'
import { correctionMachine } from '#rules/corrections.ts'
import { discrepanciesOf, refreshBalances } from '../../checks/account-facts.ts'
import type { CheckedRequest } from '../../checks/checked-request.ts'
import { run } from '../../db/sql.ts'
import { cachedSnapshot } from '../../ledger/account-snapshot.ts'
import { correctionById, type Correction } from './queries.ts'

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
  judge: async (connection, { id, accountId, currency }, { now }) => {
    const kept = await cachedSnapshot(connection, accountId, currency)
    const subject = { accountId, subject: kind, record: id }
    return judgeAll(correctionChecks, { discrepancies: await discrepanciesOf(connection, subject, kept, now) })
  },
}
