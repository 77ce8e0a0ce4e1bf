/** Recovery: for staff what to decide and to confirm, for clients the requests that they confirm again. */
import { confirmRequest, getRequestsToConfirm, type confirmableKinds } from '#contract/confirmations.ts'
import * as office from '#contract/office/recovery.ts'
import { transaction } from '../../db/transaction.ts'
import { requireClient } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Adopting } from '../../recovery/adopt-deal.ts'
import { confirmAgain, requestsToConfirm } from '../../recovery/requests-to-confirm.ts'
import { confirmItem, dropItem, proposeItem } from './decide-item.ts'
import { confirmAccess, confirmBalance, confirmBank, typeBalance } from './say-confirmed.ts'
import { listItems, showItem, showRecovery } from './show-recovery.ts'

export function recoveryRoutes(
  registerEndpoint: RegisterEndpoint,
  dependencies: Dependencies,
  adopting: Adopting,
): void {
  registerEndpoint(office.getRecovery, () => showRecovery(dependencies))
  registerEndpoint(office.listRecoveryItems, (context) => listItems(dependencies, context))
  registerEndpoint(office.getRecoveryItem, (context) => showItem(dependencies, adopting, context))
  registerEndpoint(office.proposeRecoveryItem, proposeItem(dependencies, adopting))
  registerEndpoint(office.confirmRecoveryItem, confirmItem(dependencies, adopting))
  registerEndpoint(office.dropRecoveryItem, dropItem(dependencies))
  registerEndpoint(office.confirmAccess, confirmAccess(dependencies))
  registerEndpoint(office.confirmBank, confirmBank(dependencies))
  registerEndpoint(office.typeBankBalance, typeBalance(dependencies))
  registerEndpoint(office.confirmBankBalance, confirmBalance(dependencies))

  registerEndpoint(getRequestsToConfirm, async (context) => {
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
  registerEndpoint(confirmRequest, (context) =>
    transaction(dependencies.pool, async (tx) => {
      const { kind, id } = context.body
      if (!(await confirmAgain(tx, requireClient(context).clientId, kind, id, context.auditContext)))
        throw new Problem('not-found', { field: 'id' })
      return {}
    }),
  )
}
