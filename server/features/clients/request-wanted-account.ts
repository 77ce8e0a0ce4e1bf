/** The account of the registration becomes a request at the moment the client is approved (requirements 3.8). */
import { accountMachine } from '#rules/accounts.ts'
import { accountTypes, platforms, retailLeverage } from '#rules/constants.ts'
import { currencies } from '#rules/money.ts'
import { row } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { recordCreation } from '../../db/transition.ts'
import type { RequestContext } from '../../http/request-context.ts'
import type { DecisionSubject } from './queries.ts'

/** Writes the pending account that the registration named, if it named one whole; answers whether it did. */
export async function requestWantedAccount(
  tx: Transaction,
  client: Pick<DecisionSubject, 'id' | 'wanted_account' | 'client_status'>,
  context: Pick<RequestContext, 'auditContext' | 'now'>,
  dueAt: Date,
): Promise<boolean> {
  const wanted = client.wanted_account
  const platform = platforms.find((one) => one === wanted?.['platform'])
  const type = accountTypes.find((one) => one === wanted?.['accType'])
  const currency = currencies.find((one) => one === wanted?.['baseCurrency'])
  if (!platform || !type || !currency) return false
  const written = await row<{ id: string }>(tx)`
    insert into trading_accounts (client_id, request_type, platform, acc_type, currency, leverage, client_status, state,
        requested_at)
      values (${client.id}, 'live', ${platform}, ${type}, ${currency}, ${retailLeverage}, ${client.client_status},
        ${accountMachine.first}, ${context.now})
      returning id`
  if (!written) throw new Error('an account was not written')
  const summary = { requestType: 'live', platform, type, currency, leverage: retailLeverage, fromRegistration: true }
  await recordCreation(tx, accountMachine, context.auditContext, {
    id: written.id,
    action: 'request',
    clientId: client.id,
    details: summary,
    workItem: { dueAt, summary },
  })
  return true
}
