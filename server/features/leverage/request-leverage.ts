/** A client requests another leverage for an account; staff decide (requirements 7.8). */
import type { updateAccount as endpoint } from '#contract/accounts.ts'
import { checkLeverageChange, leverageRequestMachine } from '#rules/leverage-requests.ts'
import { formatLeverage } from '#rules/leverage.ts'
import type { LeverageRequestId } from '#rules/ids.ts'
import { transaction, requireRow } from '../../db/sql.ts'
import { recordCreation } from '../../db/transition.ts'
import { requireClient, type Handler } from '../../http/handler.ts'
import { Problem, throwIfProblem } from '../../http/problem.ts'
import { workItemDueAt } from '../../office/due-dates.ts'
import { lockAccount, ownAccountById } from '../accounts/queries.ts'
import { lockRequester } from '../clients/queries.ts'
import { isLeveragePending } from './queries.ts'

export const updateAccount: Handler<typeof endpoint> = async (dependencies, context) => {
  const { clientId } = requireClient(context)
  const { leverage: windDown } = await dependencies.settings.get('windDown')
  const dueAt = await workItemDueAt(dependencies, 'leverage_request', context.now)
  const own = await ownAccountById(dependencies.pool, clientId, context.body.accountId)
  if (!own) throw new Problem('account-unknown', { field: 'accountId' })
  return transaction(dependencies.pool, async (tx) => {
    const client = await lockRequester(tx, clientId)
    const account = await lockAccount(tx, own.id)
    if (!account?.login) throw new Problem('account-not-approved', { field: 'accountId' })
    const { leverage: wanted } = context.body
    const refusal = checkLeverageChange({
      current: account.leverage,
      wanted,
      client: client.clientStatus,
      account: account.clientStatus,
      accountState: account.state,
      accountClosed: account.closed,
      requestType: account.requestType,
      onePending: await isLeveragePending(tx, account.id),
      windDown,
    })
    const isOfAccount = refusal === 'account-not-approved' || refusal === 'account-closed'
    throwIfProblem(refusal, { field: isOfAccount ? 'accountId' : 'leverage' })
    const { id } = await requireRow<{ id: LeverageRequestId }>(tx)`
      insert into leverage_requests (client_id, account_id, from_leverage, to_leverage, requested_at)
        values (${clientId}, ${account.id}, ${account.leverage}, ${wanted}, ${context.now}) returning id`
    const summary = { account: account.login, from: formatLeverage(account.leverage), to: formatLeverage(wanted) }
    await recordCreation(tx, leverageRequestMachine, context.auditContext, { id, clientId }, 'request', {
      details: { account: account.login, from: account.leverage, to: wanted },
      workItem: { dueAt, summary },
    })
    return { leverageRequest: { id, from: account.leverage, to: wanted } }
  })
}
