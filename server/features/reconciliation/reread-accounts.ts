/** Reads accounts again whose data could not be read completely (ADR 331). */
import { hourMs } from '#rules/dates.ts'
import type { Currency } from '#rules/money.ts'
import type { AccountId, ClientId } from '#rules/ids.ts'
import { rows, run, transaction, type Connection } from '../../db/sql.ts'
import { Problem } from '../../http/problem.ts'
import { isIntegrationError } from '../../integrations/errors.ts'
import { lastMovements, stillMovement } from '../../ledger/account-movements.ts'
import { fetchSnapshot } from '../../ledger/account-snapshot.ts'
import { judgeDeals, openForSigns, raiseDeals } from '../../ledger/platform-deals.ts'
import {
  aloneAtOnce,
  isDue,
  isReadAlone,
  listedAtOnce,
  recordComparedAgain,
  takeReading,
} from '../../ledger/unreadable-accounts.ts'
import { connectedPlatforms, type Dependencies, type Platform } from '../../dependencies.ts'

/** The platform's clock may be in another time zone than it reports, and the time of the deal may be unreadable. */
const slackMs = 48 * hourMs

interface DueAccount {
  readonly accountId: AccountId
  readonly clientId: ClientId
  readonly platform: Platform
  readonly login: string
  readonly currency: Currency
  /** When the first unreadable deal was made, which may belong to any of our operations; null without one. */
  readonly dealAt: string | null
}

export async function rereadAccounts(dependencies: Dependencies, now: Date): Promise<void> {
  for (const platform of connectedPlatforms(dependencies)) await rereadPlatform(dependencies, platform, now)
}

async function rereadPlatform(dependencies: Dependencies, platform: Platform, now: Date): Promise<void> {
  const { jobs, keys, log, platforms } = dependencies
  const notRead = (about: object) => (error: unknown) => {
    if (!(error instanceof Problem || isIntegrationError(error))) throw error
    log.debug({ ...about, problem: String(error) }, 'account still not read')
    return null
  }
  const due = [...(await dueAccounts(jobs, platform, now, false)), ...(await dueAccounts(jobs, platform, now, true))]
  // Over the bulk connection, as calls of pages would otherwise be delayed.
  const { bulk } = platforms[platform]
  const answers = () => bulk.health().then(() => true, notRead({ platform }))
  if (due.length === 0 || !(await answers())) return
  const taken: DueAccount[] = []
  for (const account of due) if (await takeReading(jobs, account.accountId, now)) taken.push(account)
  const logins = taken.map(({ login }) => login)
  const movements = await lastMovements(jobs, platform, logins)
  const window = { from: new Date(now.getTime() - hourMs), to: new Date(now.getTime() + hourMs) }
  const readings = await bulk.readAccounts(logins, window).catch(notRead({ platform }))
  if (readings === null) return
  const source = { keys, platforms: { ...platforms, [platform]: readings } }
  for (const account of taken) {
    const about = { account: account.accountId }
    const movement = movements.get(account.login) ?? stillMovement
    if (account.dealAt !== null) await compareAgain(dependencies, account, account.dealAt, now).catch(notRead(about))
    // The snapshot is read even if the deals were not: the platform may no longer have the account.
    await fetchSnapshot(jobs, source, account, now, movement).catch(notRead(about))
  }
}

/** Returns accounts that are read together, or those that are read individually, those tried longest ago first. */
function dueAccounts(connection: Connection, platform: Platform, now: Date, isAlone: boolean): Promise<DueAccount[]> {
  return rows<DueAccount>(connection)`
    select a.id as "accountId", a.client_id as "clientId", a.platform, coalesce(a.login, '') as login, a.currency,
        max(u.odd ->> 'at') filter (where u.matter = 'deal') as "dealAt"
      from unreadable_accounts u join trading_accounts a on a.id = u.account_id
      where a.platform = ${platform} and ${isDue(now)} group by a.id
      having ${isReadAlone} = ${isAlone}
      order by min(u.tried_at), a.id limit ${isAlone ? aloneAtOnce : listedAtOnce}`
}

/** Compares the account's deals again, because a deal that can now be read may be a sign of data loss. */
async function compareAgain(dependencies: Dependencies, account: DueAccount, dealAt: string, now: Date): Promise<void> {
  const { jobs, keys, platforms } = dependencies
  const { accountId, clientId, platform, login, currency } = account
  const from = new Date(Date.parse(dealAt) - slackMs)
  const deals = await platforms[platform].bulk.balanceOperations(login, from, new Date(now.getTime() + hourMs))
  await transaction(jobs, async (tx) => {
    await run(tx)`select 1 from trading_accounts where id = ${accountId} for update`
    const judged = await judgeDeals(tx, keys, platform, deals)
    await openForSigns(tx, judged, now)
    const one = { id: accountId, clientId, platform, login, currency }
    await recordComparedAgain(tx, one, judged, { recordedAt: dealAt, now })
    await raiseDeals(tx, one, judged, { identity: { kind: 'clock' }, now })
  })
}
