/** A client asks for another leverage of an account; staff decide (specification section 4). */
import type { updateAccount as endpoint } from '#contract/accounts.ts'
import { checkLeverageChange, leverageRequestLife } from '#rules/leverage-requests.ts'
import { leverageShown } from '#rules/leverage.ts'
import { record } from '../../db/events.ts'
import { row, sql } from '../../db/sql.ts'
import { transaction } from '../../db/transaction.ts'
import { openWork } from '../../db/work-items.ts'
import { clientOf } from '../../http/request-context.ts'
import { Problem, refuse } from '../../http/problem.ts'
import type { Verb } from '../../http/register-endpoint.ts'
import type { Parts } from '../../dependencies.ts'
import { workDueAt } from '../../office/due-dates.ts'
import { holdRequester, lockAccount, ownAccountById } from '../accounts/queries.ts'
import { isLeveragePending } from './queries.ts'

export function updateAccount(parts: Parts): Verb<typeof endpoint> {
  return async (call) => {
    const { clientId } = clientOf(call)
    const { leverage: windDown } = await parts.settings.get('windDown')
    const dueAt = await workDueAt(parts, 'leverage_request', call.now)
    const own = await ownAccountById(parts.pool, clientId, call.body.accountId)
    if (!own) throw new Problem('account-unknown', { field: 'accountId' })
    return transaction(parts.pool, async (tx) => {
      const client = await holdRequester(tx, clientId)
      const account = await lockAccount(tx, own.id)
      if (!account?.login) throw new Problem('account-not-approved', { field: 'accountId' })
      const { leverage: wanted } = call.body
      const refusal = checkLeverageChange({
        current: account.leverage,
        wanted,
        client: client.clientStatus,
        account: account.clientStatus,
        accountState: account.state,
        requestType: account.requestType,
        onePending: await isLeveragePending(tx, account.id),
        windDown,
      })
      refuse(refusal, { field: refusal === 'account-not-approved' ? 'accountId' : 'leverage' })
      const written = await row<{ id: string }>(
        tx,
        sql`insert into leverage_requests (client_id, account_id, from_leverage, to_leverage, requested_at)
            values (${clientId}, ${account.id}, ${account.leverage}, ${wanted}, ${call.now}) returning id`,
      )
      if (!written) throw new Error('a leverage request was not written')
      const { id } = written
      const { name, first: state } = leverageRequestLife
      const details = { account: account.login, from: account.leverage, to: wanted }
      await record(tx, call.act, { kind: name, verb: 'request', record: id, clientId, to: state, details })
      const summary = { account: account.login, from: leverageShown(account.leverage), to: leverageShown(wanted) }
      await openWork(tx, name, id, { state, dueAt, clientId, summary }, call.now)
      return { leverageRequest: { id, from: account.leverage, to: wanted } }
    })
  }
}
