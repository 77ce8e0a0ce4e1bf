/** The checks of a leverage request (requirements 19.7). */
import { checksPending } from '#rules/checks/pending-checks.ts'
import { leverageChecks } from '#rules/checks/access-checks.ts'
import { judgeAll } from '#rules/checks/check.ts'
import { leverageRequestMachine } from '#rules/leverage-requests.ts'
import type { CheckedRequest } from '../../checks/checked-request.ts'
import { clientFacts } from '../../checks/client-facts.ts'
import { run } from '../../db/sql.ts'
import { leverageRequestById, type LeverageRequest } from './queries.ts'

export const leverageChecked: CheckedRequest<LeverageRequest> = {
  kind: leverageRequestMachine.name,
  isOpen: checksPending.leverage_request,
  find: leverageRequestById,
  clientOf: ({ clientId, clientEmail }) => ({ id: clientId, email: clientEmail }),
  involved: ({ decidedBy }) => [decidedBy],
  refresh: async () => undefined,
  async lock(tx, { id, clientId, accountId }) {
    await run(tx)`select 1 from clients where id = ${clientId} for share`
    await run(tx)`select 1 from trading_accounts where id = ${accountId} for update`
    await run(tx)`select 1 from leverage_requests where id = ${id} for update`
  },
  judge: async (connection, { clientId }, { now }) =>
    judgeAll(leverageChecks, await clientFacts(connection, clientId, now)),
}
