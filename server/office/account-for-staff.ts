/**
 * A client's trading account that staff view: the access is recorded in the audit log, once an hour for each person.
 */
import { accountMachine } from '#rules/accounts.ts'
import type { AccountId, ClientId } from '#rules/ids.ts'
import { recordEvent } from '../db/events.ts'
import { row, transaction } from '../db/sql.ts'
import type { Dependencies, Platform } from '../dependencies.ts'
import { Problem } from '../http/problem.ts'
import { requireStaff, type RequestContext } from '../http/handler.ts'

const loggedAgainMs = 60 * 60_000

export interface AccountForStaff {
  readonly id: AccountId
  readonly clientId: ClientId
}

interface Named extends Pick<RequestContext, 'caller' | 'now' | 'auditContext'> {
  readonly params: { readonly platform: Platform; readonly number: string }
}

/** Returns the account of a staff call, of any client, and records that it was opened. Throws `not-found`. */
export async function accountForStaff(
  { pool }: Pick<Dependencies, 'pool'>,
  { params: { platform, number }, now, auditContext, caller }: Named,
): Promise<AccountForStaff> {
  const { staffId } = requireStaff({ caller })
  const since = new Date(now.getTime() - loggedAgainMs)
  const found = await row<AccountForStaff & { logged: boolean }>(pool)`
    select a.id, a.client_id as "clientId", exists (select from events e where e.kind = ${accountMachine.name}
        and e.record = a.id and e.verb = 'view' and e.actor_id = ${staffId} and e.at > ${since}) as logged
      from trading_accounts a where a.platform = ${platform} and a.login = ${number}`
  if (!found) throw new Problem('not-found')
  const { logged, ...account } = found
  if (!logged)
    await transaction(pool, (tx) =>
      recordEvent(tx, auditContext, {
        kind: accountMachine.name,
        action: 'view',
        record: account.id,
        clientId: account.clientId,
      }),
    )
  return account
}
