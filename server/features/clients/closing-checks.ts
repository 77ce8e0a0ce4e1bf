/** Whether the relationship with a client can be closed: nothing is pending, and no money is left (requirements 24.149). */
import { checkClosing } from '#rules/clients.ts'
import { unsettledStates } from '#rules/differences.ts'
import { professionalMachine } from '#rules/professional-status.ts'
import type { ClientId } from '#rules/ids.ts'
import { uuidOrNull } from '../../db/ids.ts'
import { requireRow, row, rows, sql, type Connection } from '../../db/sql.ts'
import { Problem } from '../../http/problem.ts'
import { fetchSnapshot } from '../../ledger/account-snapshot.ts'
import type { PlatformLogin } from '../../ledger/account-movements.ts'
import type { Dependencies } from '../../dependencies.ts'
import { grossClientBalance, openRequestsOf } from './queries.ts'

/** The accounts of a client that can hold the client's money. */
const liveAccounts = (clientId: ClientId) =>
  sql`trading_accounts a where a.client_id = ${uuidOrNull(clientId)}::uuid and a.request_type = 'live'`

/**
 * Reads the balances of a client's live accounts for a closure, however new the stored ones are: it cannot be undone.
 * An account that its platform no longer has is left to the ledger. Returns the problem `balances-unread` for the first
 * account without a current balance, or null.
 */
export async function readForClosing(
  dependencies: Dependencies,
  clientId: ClientId,
  now: Date,
): Promise<Problem | null> {
  const accounts = await rows<PlatformLogin>(dependencies.pool)`
    select a.id as "accountId", a.platform, a.login, a.currency from ${liveAccounts(clientId)} and a.login is not null
      order by a.id`
  for (const account of accounts) {
    const code = await readingProblem(dependencies, account, now)
    if (code !== null && code !== 'account-closed') {
      const { platform, login } = account
      return new Problem('balances-unread', { values: { platform, account: login } })
    }
  }
  return null
}

/** Returns the code of the problem with which an account could not be read, `figures-old` for an old balance, or null. */
async function readingProblem(dependencies: Dependencies, account: PlatformLogin, now: Date) {
  try {
    const { readAt } = await fetchSnapshot(dependencies.pool, dependencies, account, now)
    return readAt < now ? 'figures-old' : null
  } catch (error) {
    if (error instanceof Problem) return error.code
    throw error
  }
}

/**
 * Returns why a client cannot be closed yet, by what is stored, or null. Requests for accounts and leverage and
 * professional applications prevent it as well as payment requests, because their approval is sent to a platform.
 */
export async function closingProblem(connection: Connection, clientId: ClientId, now: Date): Promise<Problem | null> {
  const { requests, onPlatform } = await requireRow<{ requests: number; onPlatform: bigint }>(connection)`
    select ((select count(*) from work_items
        where client_id = ${clientId} and closed_at is null and kind in ('account', 'leverage_request'))
      + (select count(*) from professional_applications
          where client_id = ${clientId} and state = any (${[...professionalMachine.undecided]}::text[])))::int as requests,
      (select coalesce(sum(abs(f.balance_minor)), 0) from platform_figures f
        where f.account_id in (select a.id from ${liveAccounts(clientId)} and a.missing_since is null))::bigint as "onPlatform"`
  const discrepancy = await openDiscrepancy(connection, clientId)
  const code = checkClosing({
    openRequests: requests + (await openRequestsOf(connection, clientId, now)),
    hasDiscrepancy: discrepancy !== null,
    owed: await grossClientBalance(connection, { clientId }),
    onPlatform,
  })
  return code && new Problem(code, discrepancy ? { values: discrepancy } : {})
}

/** Returns the account or the request of the client's first unsettled discrepancy, or null. */
async function openDiscrepancy(connection: Connection, clientId: ClientId) {
  return row<{ where: string }>(connection)`
    select coalesce(m.reference, d.login) as where from differences f
        left join (select a.id, a.login from ${liveAccounts(clientId)}) d on d.id = f.account_id
        left join (select id, reference from deposits where client_id = ${clientId}
          union all select id, reference from withdrawals where client_id = ${clientId}
          union all select id, reference from recovery_items where client_id = ${clientId}) m on m.id = f.record
      where f.state = any (${[...unsettledStates]}::text[]) and coalesce(d.id, m.id) is not null
      order by f.id limit 1`
}
