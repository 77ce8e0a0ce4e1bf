/** Sets a new trading password at the platform immediately. We do not store it. */
import type { changeTradingPassword as endpoint } from '#contract/accounts.ts'
import { accountMachine } from '#rules/accounts.ts'
import { checkTradingPassword } from '#rules/passwords.ts'
import type { Language } from '#rules/choices.ts'
import type { AccountId } from '#rules/ids.ts'
import { recordEvent } from '../../db/events.ts'
import { run, transaction, type Connection } from '../../db/sql.ts'
import { requireClient, type Handler } from '../../http/handler.ts'
import { Problem, throwIfProblem } from '../../http/problem.ts'
import { enforceLimit, perHour } from '../../http/rate-limits.ts'
import { isIntegrationError, Rejected, type Unavailable, type Unknown } from '../../integrations/errors.ts'
import { decryptPassword } from '../../auth/decrypt-password.ts'
import { platformErrorText } from '../../i18n/format.ts'
import { ownAccountById } from './queries.ts'

const changesPerHour = 20

export const changeTradingPassword: Handler<typeof endpoint> = async (dependencies, context) => {
  const { clientId } = requireClient(context)
  const account = await ownAccountById(dependencies.pool, clientId, context.body.accountId)
  if (!account) throw new Problem('account-unknown', { field: 'accountId' })
  if (account.state !== 'approved' || account.login === null)
    throw new Problem('account-not-approved', { field: 'accountId' })
  if (account.closed) throw new Problem('account-closed', { field: 'accountId' })
  await enforceLimit(dependencies.pool, perHour('trading-password', clientId), changesPerHour, context.now)
  const password = await decryptPassword(dependencies, context.body.password, context.now)
  throwIfProblem(checkTradingPassword(password), { field: 'password' })
  try {
    await dependencies.platforms[account.platform].setPassword(account.login, 'main', password)
  } catch (error) {
    if (!isIntegrationError(error)) throw error
    // The change may have been applied; the first password may be invalid then.
    if (!(error instanceof Rejected)) await hideFirstPassword(dependencies.pool, account.id)
    throw passwordChangeProblem(error, context.language)
  }
  await transaction(dependencies.pool, async (tx) => {
    await hideFirstPassword(tx, account.id)
    await recordEvent(tx, context.auditContext, {
      kind: accountMachine.name,
      action: 'change-password',
      record: account.id,
      clientId,
    })
  })
  return {}
}

/** The first password is shown only while it is certainly valid (requirements 24.147). */
async function hideFirstPassword(connection: Connection, accountId: AccountId): Promise<void> {
  await run(connection)`update trading_accounts set first_password = null where id = ${accountId}`
}

function passwordChangeProblem(error: Rejected | Unknown | Unavailable, language: Language): Problem {
  if (!(error instanceof Rejected)) return new Problem('trading-password-unconfirmed')
  if (error.reason === 'weak-password') return new Problem('trading-password-weak', { field: 'password' })
  return new Problem('platform-refused', { values: { reason: platformErrorText(error.reason, language) } })
}
