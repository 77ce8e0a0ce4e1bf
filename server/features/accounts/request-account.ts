/**
 * A client asks for a trading account: a live one waits for staff, a demo is opened at once (product-decisions
 * section 8).
 */
import { randomBytes } from 'node:crypto'
import type { requestAnAccount as endpoint } from '#contract/accounts.ts'
import { referenceFrom } from '#rules/references.ts'
import { accountLife, accountStatusForClient, checkAccountRequest } from '#rules/accounts.ts'
import { record } from '../../db/events.ts'
import { row, sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { openWork } from '../../db/work-items.ts'
import { clientOf, type Call } from '../../http/request-context.ts'
import { once } from '../../http/idempotency.ts'
import { refuse } from '../../http/problem.ts'
import { limitRequests } from '../../http/rate-limits.ts'
import type { Verb } from '../../http/register-endpoint.ts'
import type { Parts } from '../../dependencies.ts'
import { workDueAt } from '../../office/due-dates.ts'
import { beginOpening } from './jobs.ts'
import { holdRequester, type Requester } from './queries.ts'

type Asked = Call<typeof endpoint>

const minorPerUnit = 100n
const hourSeconds = 3600

/** Answers the request's id, and pending: nothing is open yet. */
export function requestAnAccount(parts: Parts): Verb<typeof endpoint> {
  return async (call) => {
    const { clientId } = clientOf(call)
    const { moneyRequestsPerMinute, accountRequestsPerHour } = await parts.settings.get('rateLimits')
    const bucket = { name: 'accounts', who: clientId, windowSeconds: 60 }
    await limitRequests(parts.pool, bucket, moneyRequestsPerMinute, call)
    const ofHour = { name: 'accounts-of-hour', who: clientId, windowSeconds: hourSeconds }
    await limitRequests(parts.pool, ofHour, accountRequestsPerHour, call)
    const { newAccounts } = await parts.settings.get('windDown')
    const platforms = await parts.settings.get('platforms')
    const { clientAssetsDeclaration } = await parts.settings.get('legalTexts')
    const dueAt = await workDueAt(parts, 'account', call.now)
    const { referencePrefix: prefix } = await parts.settings.get('firm')
    return once(parts.pool, call, async (tx) => {
      const client = await holdRequester(tx, clientId)
      const { requestType, leverage, balance } = call.body
      const refusal = checkAccountRequest({
        requestType,
        leverage,
        demoBalance: balance ?? null,
        clientStatus: client.clientStatus,
        declarationAccepted: client.declarationVersion === clientAssetsDeclaration.version,
        windDown: newAccounts,
        platformOpen: platforms[call.body.platform].open,
      })
      refuse(refusal, { field: fieldOf(refusal) })
      const id = await write(tx, parts, call, { client, prefix, dueAt })
      return { id, status: accountStatusForClient(accountLife.first) }
    })
  }
}

function fieldOf(refusal: string | null): string {
  if (refusal?.startsWith('leverage')) return 'leverage'
  if (refusal === 'platform-closed') return 'platform'
  return refusal === 'balance-for-demo-only' || refusal === 'demo-balance-required' || refusal === 'unknown-value'
    ? 'balance'
    : 'server'
}

async function write(
  tx: Transaction,
  parts: Parts,
  call: Asked,
  { client, prefix, dueAt }: { client: Requester; prefix: string; dueAt: Date },
): Promise<string> {
  const { requestType, platform, accType, baseCurrency, leverage, balance } = call.body
  const demo = requestType === 'demo'
  const reference = demo ? referenceFrom(prefix, randomBytes(5)) : null
  const state = demo ? 'processing' : accountLife.first
  const written = await row<{ id: string }>(
    tx,
    sql`insert into trading_accounts (client_id, request_type, platform, acc_type, currency, leverage,
          demo_balance_minor, reference, client_status, state, requested_at)
        values (${client.id}, ${requestType}, ${platform}, ${accType}, ${baseCurrency}, ${leverage},
          ${demo ? BigInt(balance ?? 0) * minorPerUnit : null}, ${reference}, ${client.clientStatus}, ${state}, ${call.now})
        returning id`,
  )
  if (!written) throw new Error('an account was not written')
  const { id } = written
  const summary = { requestType, platform, type: accType, currency: baseCurrency, leverage }
  await record(tx, call.act, {
    kind: accountLife.name,
    verb: 'request',
    record: id,
    clientId: client.id,
    to: state,
    details: summary,
  })
  if (demo) await beginOpening(tx, parts, { id, platform, clientId: client.id }, call.now)
  else await openWork(tx, accountLife.name, id, { state, dueAt, clientId: client.id, summary }, call.now)
  return id
}
