/** The checks of a card payment that was received and not credited: credited or refunded (requirements 19.8, 24.161). */
import { uncreditedChecks } from '#rules/checks/deposit-checks.ts'
import { checksPending } from '#rules/checks/pending-checks.ts'
import { judgeAll } from '#rules/checks/check.ts'
import { depositMachine } from '#rules/deposits.ts'
import type { CheckedRequest } from '../../checks/checked-request.ts'
import { clientFacts, openChargebacks } from '../../checks/client-facts.ts'
import { run } from '../../db/sql.ts'
import { depositById, type Deposit } from './queries.ts'
import { statusForDecision } from './settle-checkout.ts'

export const uncreditedChecked: CheckedRequest<Deposit> = {
  kind: depositMachine.name,
  isOpen: checksPending.deposit,
  find: depositById,
  clientOf: ({ clientId, clientEmail }) => ({ id: clientId, email: clientEmail }),
  involved: ({ decidedBy }) => [decidedBy],
  async refresh(dependencies, deposit, _seconds, now) {
    await statusForDecision(dependencies, deposit, now)
  },
  async lock(tx, { id, clientId }) {
    await run(tx)`select 1 from clients where id = ${clientId} for share`
    await run(tx)`select 1 from deposits where id = ${id} for update`
  },
  judge: async (connection, { clientId }, { now }) =>
    judgeAll(uncreditedChecks, {
      ...(await clientFacts(connection, clientId, now)),
      chargebacks: await openChargebacks(connection, clientId, now),
    }),
}
