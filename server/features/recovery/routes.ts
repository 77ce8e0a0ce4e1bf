/** Recovery: for staff what to decide and to confirm, for clients the requests that they confirm again. */
import { confirmRequest, getRequestsToConfirm, type confirmableKinds } from '#contract/confirmations.ts'
import * as office from '#contract/office/recovery.ts'
import { transaction } from '../../db/transaction.ts'
import { clientOf } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import type { Serve } from '../../http/register-endpoint.ts'
import type { Parts } from '../../dependencies.ts'
import type { Adopting } from '../../recovery/adopt-deal.ts'
import { confirmAgain, requestsToConfirm } from '../../recovery/requests-to-confirm.ts'
import { confirmItem, dropItem, proposeItem } from './decide-item.ts'
import { confirmAccess, confirmBalance, confirmBank, typeBalance } from './say-confirmed.ts'
import { listItems, showItem, showRecovery } from './show-recovery.ts'

export function recoveryRoutes(serve: Serve, parts: Parts, adopting: Adopting): void {
  serve(office.getRecovery, () => showRecovery(parts))
  serve(office.listRecoveryItems, (call) => listItems(parts, call))
  serve(office.getRecoveryItem, (call) => showItem(parts, adopting, call))
  serve(office.proposeRecoveryItem, proposeItem(parts, adopting))
  serve(office.confirmRecoveryItem, confirmItem(parts, adopting))
  serve(office.dropRecoveryItem, dropItem(parts))
  serve(office.confirmAccess, confirmAccess(parts))
  serve(office.confirmBank, confirmBank(parts))
  serve(office.typeBankBalance, typeBalance(parts))
  serve(office.confirmBankBalance, confirmBalance(parts))

  serve(getRequestsToConfirm, async (call) => {
    const requests = await requestsToConfirm(parts.pool, clientOf(call).clientId)
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
  serve(confirmRequest, (call) =>
    transaction(parts.pool, async (tx) => {
      const { kind, id } = call.body
      if (!(await confirmAgain(tx, clientOf(call).clientId, kind, id, call.act)))
        throw new Problem('not-found', { field: 'id' })
      return {}
    }),
  )
}
