/** Account requests as staff see them: what will be opened, where, and for whom. */
import type {
  getAccountRequest as getEndpoint,
  listAccountRequests as listEndpoint,
} from '#contract/office/account-requests.ts'
import type { Check } from '#contract/office/decisions.ts'
import { accountLife } from '#rules/accounts.ts'
import { leveragesFor } from '#rules/leverage.ts'
import { notOwnRequest } from '#rules/withdrawals.ts'
import { row, sql } from '../../db/sql.ts'
import { staffOf } from '../../http/call.ts'
import { cursorOf, readCursor } from '../../http/cursor.ts'
import { Problem } from '../../http/problem.ts'
import type { Verb } from '../../http/serve.ts'
import { between, latestOperation, rowHead, rowItems, wordsPattern } from '../../office/lists.ts'
import { clientBrief, clientBriefs, recordFieldsOf } from '../../office/records.ts'
import type { Parts, Platform } from '../../parts.ts'
import { groupOf } from './jobs.ts'
import {
  accountRequestById,
  accountRequests,
  otherAccounts,
  type AccountRequest,
  type TradingAccount,
} from './queries.ts'

const pageSize = 50
const waiting = ['pending', 'processing'] as const

export function listAccountRequests(parts: Parts): Verb<typeof listEndpoint> {
  return async (call) => {
    const { q, cursor, size = pageSize, state, platform, direction } = call.query
    const { timeZone } = await parts.settings.get('firm')
    const found = await accountRequests(parts.pool, {
      states: state ? [state] : waiting,
      platform: platform ?? null,
      words: wordsPattern(q),
      ...between(call.query, timeZone),
      after: readCursor(cursor),
      ascending: direction ? direction === 'asc' : state === undefined || state === 'pending',
      size: size + 1,
    })
    const page = found.slice(0, size)
    const last = page.at(-1)
    const clients = await clientBriefs(
      parts,
      parts.pool,
      page.map((one) => one.clientId),
    )
    const items = await rowItems(
      parts.pool,
      accountLife.name,
      page.map((one) => one.id),
    )
    return {
      rows: page.map((one) => ({
        ...rowHead(one, one.requestedAt, clients, items),
        state: one.state,
        ...factsOf(one),
        number: one.login,
      })),
      next: found.length > size && last ? cursorOf(last.requestedAt, last.id) : null,
    }
  }
}

function factsOf({ requestType, platform, accType, currency, leverage }: TradingAccount) {
  return { requestType, platform, accType, currency, leverage }
}

/** Whether the environment gives an address for a platform; what is asked of one without waits. */
export function isConnected(parts: Pick<Parts, 'config'>, platform: Platform): boolean {
  return platform === 'MT5' ? parts.config.mt5 !== null : parts.config.mt4 !== null
}

export function getAccountRequest(parts: Parts): Verb<typeof getEndpoint> {
  return async (call) => {
    const request = await accountRequestById(parts.pool, call.params.id)
    if (!request) throw new Problem('not-found')
    const { id, state } = request
    const own = notOwnRequest(staffOf(call).email, request.email)
    const ownRequest = own && new Problem(own)
    const connected = isConnected(parts, request.platform)
    const absent = connected ? null : new Problem('mt4-not-connected')
    const client = await clientBrief(parts, parts.pool, request.clientId)
    const others = await otherAccounts(parts.pool, request.clientId, id)
    const fields = await recordFieldsOf(call, parts.pool, {
      kind: accountLife.name,
      id,
      version: request.version,
      createdAt: request.requestedAt,
      decidedAt: request.decidedAt,
      decidedBy: request.decidedBy,
      reason: request.reason,
      life: accountLife,
      state,
      refusals: { approve: ownRequest ?? absent, reject: ownRequest },
    })
    return {
      request: {
        ...fields,
        checks: checksOf(request, client.status, connected),
        state,
        client,
        ...factsOf(request),
        number: request.login,
        demoBalance: request.demoBalanceMinor,
        group: request.groupName ?? groupOf(request),
        fromRegistration: await isFromRegistration(parts, id),
        otherAccounts: others.map((one) => ({
          id: one.id,
          number: one.login,
          ...factsOf(one),
          state: one.state,
          balance: { amount: one.balanceMinor, currency: one.currency, source: 'platform' as const, at: one.readAt },
        })),
        platformConnected: connected,
        openedAt: request.openedAt,
        operation: await latestOperation(parts.pool, accountLife.name, id),
      },
    }
  }
}

/** The account of registration step 4 is asked for by the approval of the client, not by the client (section 10). */
async function isFromRegistration(parts: Parts, id: string): Promise<boolean> {
  const found = await row<{ actor: string }>(
    parts.pool,
    sql`select actor from events where kind = ${accountLife.name} and record = ${id} and verb = 'request' order by id limit 1`,
  )
  return found !== null && found.actor !== 'client'
}

function checksOf(request: AccountRequest, clientState: string, connected: boolean): Check[] {
  const check = (code: string, holds: boolean, ours: string | null = null, theirs: string | null = null): Check => ({
    code,
    verdict: holds ? 'ok' : 'differs',
    ours,
    theirs,
    note: null,
  })
  return [
    check('client-approved', clientState === 'approved', clientState),
    check('leverage-allowed', leveragesFor(request.clientStatus).includes(request.leverage), String(request.leverage)),
    check('platform-connected', connected, request.platform),
  ]
}
