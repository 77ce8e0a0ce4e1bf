/**
 * A client requests a trading account: staff decide on a live account, and a demo account is opened immediately
 * (requirements 7.4, 7.6).
 */
import { randomBytes } from 'node:crypto'
import type { requestAnAccount as endpoint } from '#contract/accounts.ts'
import { referenceFrom } from '#rules/references.ts'
import { accountMachine, accountStatusForClient, checkAccountRequest } from '#rules/accounts.ts'
import { groupFor } from '#rules/platform-groups.ts'
import type { AccountId } from '#rules/ids.ts'
import { type Transaction, requireRow } from '../../db/sql.ts'
import { recordCreation } from '../../db/transition.ts'
import { requireClient, type RequestContext, type Handler } from '../../http/handler.ts'
import { withIdempotency } from '../../http/idempotency.ts'
import { Problem, throwIfProblem } from '../../http/problem.ts'
import { limitRequests, perHour, perMinute } from '../../http/rate-limits.ts'
import type { Dependencies } from '../../dependencies.ts'
import { workItemDueAt } from '../../office/due-dates.ts'
import { enqueueOpening, groupFactsOf } from './jobs.ts'
import { lockRequester, type Requester } from '../clients/queries.ts'

type EndpointContext = RequestContext<typeof endpoint>

const minorPerUnit = 100n
/** Returns the request's id and status `pending`: nothing is open yet. */
export const requestAnAccount: Handler<typeof endpoint> = async (dependencies, context) => {
  const { clientId } = requireClient(context)
  const { moneyRequestsPerMinute, accountRequestsPerHour } = await dependencies.settings.get('rateLimits')
  const bucket = perMinute('accounts', clientId)
  await limitRequests(dependencies.pool, bucket, moneyRequestsPerMinute, context)
  const ofHour = perHour('accounts-of-hour', clientId)
  await limitRequests(dependencies.pool, ofHour, accountRequestsPerHour, context)
  const { newAccounts } = await dependencies.settings.get('windDown')
  const platforms = await dependencies.settings.get('platforms')
  const { rows: groups } = await dependencies.settings.get('platformGroups')
  const { clientAssetsDeclaration } = await dependencies.settings.get('legalTexts')
  const dueAt = await workItemDueAt(dependencies, 'account', context.now)
  const { referencePrefix: prefix } = await dependencies.settings.get('firm')
  return withIdempotency(dependencies.pool, context, async (tx) => {
    const client = await lockRequester(tx, clientId)
    const { requestType, leverage, balance } = context.body
    const refusal = checkAccountRequest({
      requestType,
      leverage,
      demoBalance: balance ?? null,
      clientStatus: client.clientStatus,
      declarationAccepted: client.declarationVersion === clientAssetsDeclaration.version,
      windDown: newAccounts,
      platformOpen: platforms[context.body.platform].open,
    })
    throwIfProblem(refusal, { field: fieldOf(refusal) })
    const { platform, accType, baseCurrency: currency } = context.body
    const { clientStatus, country } = client
    const group = groupFor(groups, groupFactsOf({ platform, requestType, accType, currency, clientStatus, country }))
    // Staff see a live request without a group; a demo is opened without staff.
    if (group === null && requestType === 'demo') throw new Problem('account-kind-closed', { field: 'accType' })
    const id = await insertAccountRequest(tx, dependencies, context, { client, prefix, dueAt, group })
    return { id, status: accountStatusForClient(accountMachine.first) }
  })
}

function fieldOf(refusal: string | null): string {
  if (refusal?.startsWith('leverage')) return 'leverage'
  if (refusal === 'platform-closed') return 'platform'
  return refusal === 'balance-for-demo-only' || refusal === 'demo-balance-required' || refusal === 'unknown-value'
    ? 'balance'
    : 'server'
}

async function insertAccountRequest(
  tx: Transaction,
  dependencies: Dependencies,
  context: EndpointContext,
  { client, prefix, dueAt, group }: { client: Requester; prefix: string; dueAt: Date; group: string | null },
): Promise<string> {
  const { requestType, platform, accType, baseCurrency, leverage, balance } = context.body
  const demo = requestType === 'demo'
  const reference = demo ? referenceFrom(prefix, randomBytes(5)) : null
  const state = demo ? 'processing' : accountMachine.first
  const { id } = await requireRow<{ id: AccountId }>(tx)`
    insert into trading_accounts (client_id, request_type, platform, acc_type, currency, leverage,
        demo_balance_minor, reference, client_status, state, requested_at)
      values (${client.id}, ${requestType}, ${platform}, ${accType}, ${baseCurrency}, ${leverage},
        ${demo ? BigInt(balance ?? 0) * minorPerUnit : null}, ${reference}, ${client.clientStatus}, ${state}, ${context.now})
      returning id`
  const summary = { requestType, platform, type: accType, currency: baseCurrency, leverage }
  const workItem = demo ? undefined : { dueAt, summary }
  const of = { id, clientId: client.id }
  await recordCreation(tx, accountMachine, context.auditContext, of, 'request', { state, details: summary, workItem })
  if (demo && group !== null)
    await enqueueOpening(tx, dependencies, { id, platform, clientId: client.id, group }, context.now)
  return id
}
