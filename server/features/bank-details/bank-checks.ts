/** The checks of bank details (requirements 19.13, 19.17). */
import { checksPending } from '#rules/checks/pending-checks.ts'
import { bankDetailsMachine } from '#rules/bank-details.ts'
import { bankDetailsChecks } from '#rules/checks/access-checks.ts'
import { judgeAll } from '#rules/checks/check.ts'
import type { BankDetailsId } from '#rules/ids.ts'
import type { CheckedRequest } from '../../checks/checked-request.ts'
import { clientFacts, factAsOf } from '../../checks/client-facts.ts'
import { detailsSharedWithOthers } from '../../checks/shared-details.ts'
import { run } from '../../db/sql.ts'
import { bankRecordById, type BankRecord } from './queries.ts'

/** With `entered`, the account holder as entered for the decision; without it, the stored one. */
export const bankChecked = (entered?: string): CheckedRequest<BankRecord> => ({
  kind: bankDetailsMachine.name,
  isOpen: checksPending.bank_details,
  async find(connection, id: BankDetailsId) {
    const bank = await bankRecordById(connection, id)
    return bank && entered !== undefined && entered !== '' ? { ...bank, statementHolder: entered } : bank
  },
  clientOf: ({ clientId, email }) => ({ id: clientId, email }),
  involved: ({ statementHolderBy }) => [statementHolderBy],
  refresh: async () => undefined,
  async lock(tx, { id, clientId }) {
    await run(tx)`select 1 from clients where id = ${clientId} for share`
    await run(tx)`select 1 from bank_details where id = ${id} for update`
  },
  judge: async (connection, { clientId, holder, statementHolder }, { now }) =>
    judgeAll(bankDetailsChecks, {
      ...(await clientFacts(connection, clientId, now)),
      clientName: holder,
      holder: factAsOf(statementHolder, now),
      elsewhere: await detailsSharedWithOthers(connection, clientId, now),
    }),
})
