/** Shows the first trading password once, behind the client's login, and then deletes it (requirements 7.5). */
import type { revealPassword as endpoint } from '#contract/accounts.ts'
import { accountMachine } from '#rules/accounts.ts'
import { recordEvent } from '../../db/events.ts'
import { run, transaction } from '../../db/sql.ts'
import { requireClient, type Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { firstPassword } from './first-password.ts'
import { lockAccount, ownAccountById } from './queries.ts'

export const revealPassword: Handler<typeof endpoint> = async (dependencies, context) => {
  const { clientId } = requireClient(context)
  const own = await ownAccountById(dependencies.pool, clientId, context.body.accountId)
  if (!own) throw new Problem('account-unknown')
  return transaction(dependencies.pool, async (tx) => {
    const account = await lockAccount(tx, own.id)
    // The password of an account that the platform has disabled no longer works.
    if (account?.closed) throw new Problem('account-closed', { field: 'accountId' })
    const waits =
      account?.state === 'approved' && account.firstPasswordUntil !== null && account.firstPasswordUntil > context.now
    if (!account || !waits || account.firstPassword === null) throw new Problem('password-shown')
    const password = firstPassword(dependencies.keys, account.id, account.firstPassword)
    await run(tx)`update trading_accounts set first_password = null where id = ${account.id}`
    await recordEvent(tx, context.auditContext, {
      kind: accountMachine.name,
      action: 'reveal-password',
      record: account.id,
      clientId,
    })
    return { password }
  })
}
