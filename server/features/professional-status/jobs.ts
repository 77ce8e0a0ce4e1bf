/**
 * Applies a change of status on the platform: the account's group, and leverage 1:30 for a retail client. Both are
 * absolute, so they may be sent again (requirements 18.15).
 */
import type { ClientStatus } from '#rules/choices.ts'
import type { AccountId } from '#rules/ids.ts'
import { row, run } from '../../db/sql.ts'
import { openOperationItem, recordOf, type Operation } from '../../jobs/operation.ts'
import type { OperationKind } from '../../jobs/operations.ts'
import { limitedLeverage, type MovePayload } from '../../jobs/move-account.ts'
import { groupFor } from '#rules/platform-groups.ts'
import { Rejected } from '../../integrations/errors.ts'
import type { Dependencies } from '../../dependencies.ts'

/** Returns the kind `set-status`. A rejection by the platform goes to the inbox: our own record is changed already. */
export function statusOperation(dependencies: Dependencies): OperationKind<MovePayload> {
  return {
    kind: 'set-status',
    repeatable: true,
    async send(operation) {
      const wanted = await currentChange(dependencies, operation)
      const { platform, login, leverage } = wanted
      const group = wanted.group ?? (await currentGroup(dependencies, wanted))
      const server = dependencies.platforms[platform]
      await server.setGroup(login, group)
      if (leverage !== null) await server.setLeverage(login, leverage)
      const shown = await server.getAccount(login)
      if (shown.group !== group) throw new Error(`the platform shows the group ${shown.group}, not ${group}`)
      return { group, leverage }
    },
    async settled(tx, operation, outcome, auditContext) {
      if ('refused' in outcome) {
        const reason = outcome.refused.message.slice(0, 200)
        return openOperationItem(tx, operation, 'refused', auditContext.now, { reason })
      }
      const { group, leverage } = outcome.done as { group: string; leverage: number | null }
      await run(tx)`
        update trading_accounts set group_name = ${group}, leverage = coalesce(${leverage}::integer, leverage), version = version + 1
          where id = ${operation.record}`
      if (leverage !== null)
        await run(tx)`update platform_figures set leverage = ${leverage} where account_id = ${operation.record}`
    },
  }
}

/**
 * Returns the change that the account needs now. If its status has changed again since the operation was written, that
 * is the newer one, whose own operation may have been sent before this one (requirements 24.150).
 */
async function currentChange(dependencies: Dependencies, operation: Operation<MovePayload>): Promise<MovePayload> {
  const { payload } = operation
  const { status, leverage } = await recordOf(
    operation,
    (id: AccountId) =>
      row<{ status: ClientStatus; leverage: number }>(dependencies.jobs)`
      select client_status as status, leverage from trading_accounts where id = ${id}`,
  )
  if (payload.facts === undefined || payload.facts.status === status) return payload
  return { ...payload, group: null, facts: { ...payload.facts, status }, leverage: limitedLeverage(status, leverage) }
}

/** Returns the current group: staff may have added the missing row before sending the operation again. */
async function currentGroup(dependencies: Dependencies, { facts }: MovePayload): Promise<string> {
  const { rows } = await dependencies.settings.get('platformGroups')
  const group = facts === undefined ? null : groupFor(rows, facts)
  if (group !== null) return group
  throw new Rejected('bad-input', 'settings:platformGroups', 'No platform group is set for this type of account')
}
