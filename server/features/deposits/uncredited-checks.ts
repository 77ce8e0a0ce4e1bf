/** The checks of a card payment that was received and not credited: credited or refunded (requirements 19.8, 24.161). */
import { uncreditedChecks } from '#rules/checks/deposit-checks.ts'
import { checksPending } from '#rules/checks/pending-checks.ts'
import { judgeAll } from '#rules/checks/check.ts'
import { depositMachine } from '#rules/deposits.ts'
import type { CheckedRequest } from '../../checks/checked-request.ts'
import { clientFacts } from '../../checks/client-facts.ts'
import { run } from '../../db/sql.ts'
import { depositById, type Deposit } from './queries.ts'

export const uncreditedChecked: CheckedRequest<Deposit> = {
  kind: depositMachine.name,
  isOpen: checksPending.deposit,
  find: depositById,
  clientOf: ({ clientId, clientEmail }) => ({ id: clientId, email: clientEmail }),
  involved: ({ decidedBy }) => [decidedBy],
  refresh: async () => undefined,
  async lock(tx, { id, clientId }) {
    await run(tx)`select 1 from clients where id = ${clientId} for share`
    await run(tx)`select 1 from deposits where id = ${id} for update`
  },
  judge: async (connection, { clientId }, { now }) =>
    judgeAll(uncreditedChecks, await clientFacts(connection, clientId, now)),
}
