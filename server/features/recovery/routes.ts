/** Recovery: findings and statements for staff, and for clients the requests that they confirm again. */
import { confirmRequest, getRequestsToConfirm, type confirmableKinds } from '#contract/confirmations.ts'
import * as office from '#contract/office/recovery.ts'
import { transaction } from '../../db/sql.ts'
import { requireClient } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import type { Adopting } from '../../recovery/adopt-deal.ts'
import { confirmAgain, requestsToConfirm } from '../../recovery/requests-to-confirm.ts'
import { confirmItem, dropItem, proposeItem } from './decide-item.ts'
import { confirmAccess, confirmBalance, confirmBank, typeBalance } from './confirm-statements.ts'
import { listItems, showItem, showRecovery } from './show-recovery.ts'

export function recoveryRoutes(registerEndpoint: RegisterEndpoint, adopting: Adopting): void {
  registerEndpoint(office.getRecovery, (dependencies) => showRecovery(dependencies))
  registerEndpoint(office.listRecoveryItems, listItems)
  registerEndpoint(office.getRecoveryItem, (dependencies, context) => showItem(dependencies, adopting, context))
  registerEndpoint(office.proposeRecoveryItem, proposeItem(adopting))
  registerEndpoint(office.confirmRecoveryItem, confirmItem(adopting))
  registerEndpoint(office.dropRecoveryItem, dropItem)
  registerEndpoint(office.confirmAccess, confirmAccess)
  registerEndpoint(office.confirmBank, confirmBank)
  registerEndpoint(office.typeBankBalance, typeBalance)
  registerEndpoint(office.confirmBankBalance, confirmBalance)

  registerEndpoint(getRequestsToConfirm, async (dependencies, context) => {
    const requests = await requestsToConfirm(dependencies.pool, requireClient(context).clientId)
    return {
      requests: requests.map(({ kind, id, reference, amountMinor, currency, account, requestedAt }) => ({
        kind: kind as (typeof confirmableKinds)[number],
        id,
        reference,
        amount: amountMinor,
        currency: currency as 'EUR' | 'GBP' | 'USD' | null,
        accountNumber: account,
        requestedAt,
      })),
    }
  })
  registerEndpoint(confirmRequest, (dependencies, context) =>
    transaction(dependencies.pool, async (tx) => {
      const { kind, id } = context.body
      if (!(await confirmAgain(tx, requireClient(context).clientId, kind, id, context.auditContext)))
        throw new Problem('not-found', { field: 'id' })
      return {}
    }),
  )
}
