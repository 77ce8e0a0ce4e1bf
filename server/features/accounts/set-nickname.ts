/** Sets the client's own name for an account. */
import type { setNickname as endpoint } from '#contract/accounts.ts'
import { accountMachine, checkNickname } from '#rules/accounts.ts'
import { recordEvent } from '../../db/events.ts'
import { run, transaction } from '../../db/sql.ts'
import { requireClient, type Handler } from '../../http/handler.ts'
import { Problem, throwIfProblem } from '../../http/problem.ts'
import { isUuid } from '../../db/ids.ts'
import { limitProfileChanges } from '../../http/profile-change-limit.ts'

export const setNickname: Handler<typeof endpoint> = async (dependencies, context) => {
  const { clientId } = requireClient(context)
  const { accountId, nickname } = context.body
  throwIfProblem(checkNickname(nickname), { field: 'nickname' })
  if (!isUuid(accountId)) throw new Problem('account-unknown')
  await limitProfileChanges(dependencies, context)
  await transaction(dependencies.pool, async (tx) => {
    const set = await run(tx)`
      update trading_accounts set nickname = ${nickname} where id = ${accountId} and client_id = ${clientId}`
    if (set !== 1) throw new Problem('account-unknown')
    await recordEvent(tx, context.auditContext, {
      kind: accountMachine.name,
      action: 'nickname',
      record: accountId,
      clientId,
    })
  })
  return {}
}
