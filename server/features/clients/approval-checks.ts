/** The checks of a client's approval (requirements 19.9, 19.17). */
import { checksPending } from '#rules/checks/pending-checks.ts'
import { clientApprovalChecks } from '#rules/checks/access-checks.ts'
import { judgeAll } from '#rules/checks/check.ts'
import { clientMachine, type ClientState } from '#rules/clients.ts'
import type { ClientId } from '#rules/ids.ts'
import type { CheckedRequest } from '../../checks/checked-request.ts'
import { clientFacts } from '../../checks/client-facts.ts'
import { detailsSharedWithOthers } from '../../checks/shared-details.ts'
import { row, run } from '../../db/sql.ts'
import { uuidOrNull } from '../../db/ids.ts'

interface ClientToApprove {
  readonly id: ClientId
  readonly email: string
  readonly state: ClientState
  readonly version: number
}

export const clientApprovalChecked: CheckedRequest<ClientToApprove> = {
  kind: clientMachine.name,
  isOpen: checksPending.client,
  find: (connection, id) =>
    row<ClientToApprove>(connection)`
      select id, email::text as email, state, version from clients where id = ${uuidOrNull(id)}::uuid`,
  clientOf: ({ id, email }) => ({ id, email }),
  involved: () => [],
  refresh: async () => undefined,
  lock: async (tx, { id }) => void (await run(tx)`select 1 from clients where id = ${id} for update`),
  judge: async (connection, { id }, { now }) =>
    judgeAll(clientApprovalChecks, {
      sanctionFlag: (await clientFacts(connection, id, now)).sanctionFlag,
      elsewhere: await detailsSharedWithOthers(connection, id, now),
    }),
}
