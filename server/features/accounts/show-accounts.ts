/** The client's accounts with the platform's balances and the time of their reading. */
import type { Account, getDemoAccounts as demoEndpoint, getLiveAccounts as liveEndpoint } from '#contract/accounts.ts'
import { accountStatusForClient, type AccountState } from '#rules/accounts.ts'
import { leveragesForAccount } from '#rules/leverage.ts'
import type { Setting } from '#contract/setting-sections.ts'
import type { RequestType } from '#rules/choices.ts'
import { requireClient, type RequestContext, type Handler } from '../../http/handler.ts'
import { isConnected, type Dependencies } from '../../dependencies.ts'
import { reasonText } from '../../i18n/format.ts'
import {
  accountsOf,
  clientBalances,
  oldBalancesReason,
  setAsideOf,
  type AccountFilter,
  type SetAside,
  type AccountWithBalances,
} from './queries.ts'
import { areBalancesOld, refreshSnapshots } from './refresh-snapshots.ts'

const statesOf: Readonly<Record<'pending' | 'approved' | 'rejected', readonly AccountState[]>> = {
  pending: ['pending', 'processing'],
  approved: ['approved'],
  rejected: ['rejected'],
}

export const getLiveAccounts: Handler<typeof liveEndpoint> = async (dependencies, context) => {
  const { a, b } = context.params
  const states = b === 'all' ? null : statesOf[b]
  return {
    accounts: await clientAccountResponses(dependencies, context, {
      requestType: 'live',
      currency: a === 'all' ? null : a,
      states,
    }),
  }
}

export const getDemoAccounts: Handler<typeof demoEndpoint> = async (dependencies, context) => ({
  accounts: await clientAccountResponses(dependencies, context, { requestType: 'demo', currency: null, states: null }),
})

async function clientAccountResponses(
  dependencies: Dependencies,
  context: Pick<RequestContext, 'caller' | 'now' | 'language'>,
  filter: AccountFilter,
): Promise<Account[]> {
  const client = requireClient(context)
  if (client.state !== 'approved') return []
  const found = await accountsOf(dependencies.pool, client.clientId, filter)
  const read = await refreshSnapshots(dependencies, found, context.now)
  const accounts = read ? await accountsOf(dependencies.pool, client.clientId, filter) : found
  const servers = await dependencies.settings.get('platforms')
  const setAside = await setAsideOf(dependencies.pool, accounts)
  return accounts.map((account) =>
    accountResponse(account, { servers, setAside, config: dependencies.config }, context),
  )
}

interface AccountSettings extends Pick<Dependencies, 'config'> {
  readonly servers: Setting<'platforms'>
  readonly setAside: readonly SetAside[]
}

/** Returns an account in the form of the contract. */
export function accountResponse(
  account: AccountWithBalances,
  { servers, setAside, config }: AccountSettings,
  { now, language }: Pick<RequestContext, 'now' | 'language'>,
): Account {
  const open = account.state === 'approved'
  const figuresOld = open && areBalancesOld(account.readAt, now)
  return {
    _id: account.id,
    nickname: account.nickname,
    number: account.login,
    platform: account.platform,
    type: account.accType,
    baseCurrency: account.currency,
    leverage: account.leverage,
    ...clientBalances(account),
    setAside: setAside.flatMap(({ account: of, ...one }) => (of === account.id ? [one] : [])),
    figuresOld,
    figuresHeld: figuresOld ? oldBalancesReason(account, now) : null,
    status: accountStatusForClient(account.state),
    closed: open && account.closed,
    missing: open && account.missingSince !== null,
    connected: isConnected({ config }, account.platform),
    clientStatus: account.clientStatus,
    password: null,
    passwordToShow: open && !account.closed && hasFirstPassword(account, now),
    reason: account.state === 'rejected' ? reasonText(account.reason, language) : null,
    server: open ? serverOf(account.platform, account.requestType, servers) : null,
    requestedAt: account.requestedAt,
    leverages: open ? [...leveragesForAccount(account.ownerStatus, account.clientStatus)] : [],
    leverageRequest:
      account.leverageFrom === null || account.leverageTo === null || account.leverageSince === null
        ? null
        : { from: account.leverageFrom, to: account.leverageTo, since: account.leverageSince },
  }
}

/** Returns whether the first password is still to be shown. */
function hasFirstPassword({ firstPassword, firstPasswordUntil }: AccountWithBalances, now: Date): boolean {
  return firstPassword !== null && firstPasswordUntil !== null && firstPasswordUntil > now
}

function serverOf(platform: 'MT4' | 'MT5', requestType: RequestType, servers: Setting<'platforms'>): string {
  return requestType === 'demo' ? servers[platform].demoServer : servers[platform].liveServer
}
