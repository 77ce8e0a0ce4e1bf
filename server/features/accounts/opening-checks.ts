/** The checks of an account request (requirements 19.7, 19.11). */
import { checksPending } from '#rules/checks/pending-checks.ts'
import { accountMachine } from '#rules/accounts.ts'
import { accountOpeningChecks } from '#rules/checks/access-checks.ts'
import { judgeAll } from '#rules/checks/check.ts'
import type { CheckedRequest } from '../../checks/checked-request.ts'
import { clientFacts, identityFacts } from '../../checks/client-facts.ts'
import { run } from '../../db/sql.ts'
import { accountRequestById, type AccountRequest } from './request-queries.ts'

export const accountOpeningChecked: CheckedRequest<AccountRequest> = {
  kind: accountMachine.name,
  isOpen: checksPending.account,
  find: accountRequestById,
  clientOf: ({ clientId, email }) => ({ id: clientId, email }),
  involved: ({ decidedBy }) => [decidedBy],
  refresh: async () => undefined,
  async lock(tx, { id, clientId }) {
    await run(tx)`select 1 from clients where id = ${clientId} for share`
    await run(tx)`select 1 from trading_accounts where id = ${id} for update`
  },
  judge: async (connection, { clientId }, terms) =>
    judgeAll(accountOpeningChecks, {
      ...(await clientFacts(connection, clientId, terms.now)),
      ...(await identityFacts(connection, clientId, terms)),
    }),
}
