/** Sets a leverage on the platform. The value is absolute, so the operation may be sent again (requirements 18.15). */
import { portalPaths } from '#contract/portal-paths.ts'
import type { ClientStatus } from '#rules/choices.ts'
import { leverageRequestMachine } from '#rules/leverage-requests.ts'
import { formatLeverage, leveragesFor } from '#rules/leverage.ts'
import type { LeverageRequestId } from '#rules/ids.ts'
import { applyTransition } from '../../db/transition.ts'
import type { AuditContext } from '../../db/events.ts'
import { row, run, type Transaction } from '../../db/sql.ts'
import { operationRef } from '../../db/ids.ts'
import { enqueue, type OperationKind } from '../../jobs/operations.ts'
import { recordOf } from '../../jobs/operation.ts'
import { moveAccount, type GroupRows } from '../../jobs/move-account.ts'
import type { Dependencies, Platform } from '../../dependencies.ts'
import { notifyClient } from '../../mail/send-mail.ts'
import { platformErrorComment } from '../../i18n/format.ts'
import { requesterById } from '../clients/queries.ts'
import { leverageRequestById, type LeverageRequest } from './queries.ts'

interface LeveragePayload {
  readonly platform: Platform
  readonly login: string
  readonly leverage: number
}

/** Writes the operation that sets the leverage. */
export async function enqueueChange(tx: Transaction, request: LeverageRequest, now: Date): Promise<void> {
  const { platform, login, to: leverage, id, clientId } = request
  await enqueue(tx, now, {
    kind: 'set-leverage',
    ref: operationRef(now),
    target: `${platform}:${login}`,
    payload: { platform, login, leverage },
    subject: leverageRequestMachine.name,
    record: id,
    clientId,
  })
}

/** Returns the kind `set-leverage`. It is done when the platform shows the new leverage on reading it back. */
export function leverageOperation(dependencies: Dependencies): OperationKind<LeveragePayload> {
  return {
    kind: 'set-leverage',
    repeatable: true,
    async send({ payload: { platform, login, leverage } }) {
      await dependencies.platforms[platform].setLeverage(login, leverage)
      const account = await dependencies.platforms[platform].getAccount(login)
      if (account.leverage !== leverage) throw new Error(`the platform shows ${account.leverage}, not ${leverage}`)
      return { leverage }
    },
    async settled(tx, operation, outcome, auditContext) {
      const request = await recordOf(operation, (id: LeverageRequestId) => leverageRequestById(tx, id))
      if ('done' in outcome) {
        const { rows: groups } = await dependencies.settings.get('platformGroups')
        return completeChange(tx, groups, request, auditContext)
      }
      const reason = platformErrorComment(outcome.refused.reason)
      await applyTransition(tx, leverageRequestMachine, auditContext, request, 'refused', {
        reason: outcome.refused.code,
        set: { reason },
        workItem: null,
      })
      await notifyLeverage(tx, request, 'leverage-rejected', auditContext.now, reason)
    },
  }
}

async function completeChange(
  tx: Transaction,
  groups: GroupRows,
  request: LeverageRequest,
  auditContext: AuditContext,
) {
  const { accountId, from, to } = request
  await applyTransition(tx, leverageRequestMachine, auditContext, request, 'changed', {
    details: { before: { leverage: from }, after: { leverage: to } },
    workItem: null,
  })
  const set = await row<{ status: ClientStatus }>(tx)`
    update trading_accounts set leverage = ${to}, version = version + 1 where id = ${accountId}
      returning client_status as status`
  await run(tx)`update platform_figures set leverage = ${to} where account_id = ${accountId}`
  // The client has become a retail client since: restore a leverage allowed for retail clients. The client was notified
  // of the reversal.
  if (set?.status === 'retail' && !leveragesFor('retail').includes(to))
    return moveAccount(tx, groups, { ...request, id: accountId, leverage: to }, 'retail', auditContext.now)
  await notifyLeverage(tx, request, 'leverage-changed', auditContext.now)
}

/** Notifies the client of the decision. */
export async function notifyLeverage(
  tx: Transaction,
  request: LeverageRequest,
  kind: 'leverage-changed' | 'leverage-rejected',
  now: Date,
  reason = '',
): Promise<void> {
  const client = await requesterById(tx, request.clientId)
  const facts = { number: request.login, from: formatLeverage(request.from), to: formatLeverage(request.to), reason }
  await notifyClient(tx, now, {
    kind,
    client,
    facts,
    link: portalPaths.tradingAccounts,
    subject: leverageRequestMachine.name,
    record: request.id,
  })
}
