/** One of the client's accounts with its balances, for the head of its page (requirements 24.11). */
import type { ResponseOf } from '#contract/endpoint.ts'
import type { getOfficeTradingAccount as officeEndpoint } from '#contract/office/trading-accounts.ts'
import type { getTradingAccount as endpoint } from '#contract/trading-history.ts'
import { isConnected, type Dependencies } from '../../dependencies.ts'
import { Problem } from '../../http/problem.ts'
import { requireClient, type RequestContext, type Handler } from '../../http/handler.ts'
import { accountForStaff } from '../../office/account-for-staff.ts'
import { clientBrief } from '../../office/records.ts'
import { clockOffset } from '../../jobs/platform-days.ts'
import { hasDeals, historyOf } from '../trading-history/queries.ts'
import { setAsideOf, ownAccountWithBalances, staffAccountWithBalances, type AccountWithBalances } from './queries.ts'
import { refreshSnapshots } from './refresh-snapshots.ts'
import { accountResponse } from './show-accounts.ts'

export const getTradingAccount: Handler<typeof endpoint> = async (dependencies, context) => {
  const { platform, number } = context.params
  const { clientId } = requireClient(context)
  const read = () => ownAccountWithBalances(dependencies.pool, clientId, platform, number)
  return (await accountPage(dependencies, context, read)).page
}

/** Returns the same for staff, with the client. The access is logged. */
export const getOfficeTradingAccount: Handler<typeof officeEndpoint> = async (dependencies, context) => {
  const { pool } = dependencies
  const account = await accountForStaff(dependencies, context)
  const { page, missingSince } = await accountPage(dependencies, context, () => staffAccountWithBalances(pool, account))
  return { ...page, missingSince, client: await clientBrief(dependencies, account.clientId) }
}

async function accountPage(
  dependencies: Dependencies,
  context: Pick<RequestContext, 'now' | 'language'>,
  read: () => Promise<AccountWithBalances | null>,
): Promise<{ page: ResponseOf<typeof endpoint>; missingSince: Date | null }> {
  const { pool, settings, config } = dependencies
  const found = await read()
  if (found === null) throw new Problem('account-unknown', { field: 'number' })
  const { platform } = found
  const account = ((await refreshSnapshots(dependencies, [found], context.now)) && (await read())) || found
  const history = await historyOf(dependencies, platform, account.id)
  const { balanceMinor, creditMinor, equityMinor } = account
  const known = balanceMinor !== null && creditMinor !== null && equityMinor !== null
  const page = {
    account: accountResponse(
      account,
      { servers: await settings.get('platforms'), setAside: await setAsideOf(pool, [account]), config },
      context,
    ),
    demo: account.requestType === 'demo',
    standing: !isConnected(dependencies, platform) ? 'not-connected' : account.closed ? 'closed' : 'open',
    credit: creditMinor,
    margin: account.marginMinor,
    floating: known ? equityMinor - balanceMinor - creditMinor : null,
    openedAt: account.openedAt,
    booked: await hasDeals(pool, account.id),
    history: history.state,
    historyAt: history.readAt,
    clockMinutes: await clockOffset(pool, platform),
  } satisfies ResponseOf<typeof endpoint>
  return { page, missingSince: account.missingSince }
}
