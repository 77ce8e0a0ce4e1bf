/** Reads accounts again of which something could not be read (ADR 331). */
import type { Currency } from '#rules/money.ts'
import type { AccountId } from '#rules/ids.ts'
import { rows, run, transaction } from '../../db/sql.ts'
import { Problem } from '../../http/problem.ts'
import { isIntegrationError } from '../../integrations/errors.ts'
import { fetchSnapshot } from '../../ledger/account-snapshot.ts'
import { judgeDeals, openForSigns } from '../../ledger/platform-deals.ts'
import { isDue, recordComparedAgain, takeReading } from '../../ledger/unreadable-accounts.ts'
import { isConnected } from '../../office/decide.ts'
import type { Dependencies, Platform } from '../../dependencies.ts'

/** In each minute: an account takes up to six calls, and the other readings of many accounts wait for them. */
const atOnce = 20
const hourMs = 3_600_000
/** The platform's clock may be in another time zone than it reports, and the time of the deal may be unreadable. */
const slackMs = 48 * hourMs

interface DueAccount {
  readonly accountId: AccountId
  readonly platform: Platform
  readonly login: string
  readonly currency: Currency
  /** When the first deal was made that may be any operation of ours; null without one. */
  readonly dealAt: string | null
}

export async function rereadAccounts(dependencies: Dependencies, now: Date): Promise<void> {
  const { jobs, keys, log, platforms } = dependencies
  // Not by the connection of the pages, which would wait for these accounts.
  const source = { keys, platforms: { MT4: platforms.MT4.bulk, MT5: platforms.MT5.bulk } }
  const connected = (['MT4', 'MT5'] as const).filter((platform) => isConnected(dependencies, platform))
  const due = await rows<DueAccount>(jobs)`
    select a.id as "accountId", a.platform, coalesce(a.login, '') as login, a.currency,
        max(u.odd ->> 'at') filter (where u.matter = 'deal') as "dealAt"
      from unreadable_accounts u join trading_accounts a on a.id = u.account_id
      where a.platform = any (${connected}::text[])
        and ${isDue(now)}
      group by a.id order by min(u.tried_at), a.id limit ${atOnce}`
  const silent = new Set<Platform>()
  for (const platform of new Set(due.map((account) => account.platform)))
    await source.platforms[platform].health().catch((error: unknown) => {
      if (!isIntegrationError(error)) throw error
      // Each of its accounts would wait for its time-out.
      silent.add(platform)
    })
  for (const account of due.filter(({ platform }) => !silent.has(platform)))
    try {
      if (!(await takeReading(jobs, account.accountId, now))) continue
      if (account.dealAt !== null) await compareAgain(dependencies, account, account.dealAt, now)
      await fetchSnapshot(jobs, source, account, now)
    } catch (error) {
      if (!(error instanceof Problem || isIntegrationError(error))) throw error
      log.debug({ account: account.accountId, problem: String(error) }, 'account still not read')
    }
}

/** Compares the account's deals again: one that can be read now may be a sign of loss. */
async function compareAgain(dependencies: Dependencies, account: DueAccount, dealAt: string, now: Date): Promise<void> {
  const { jobs, keys, platforms } = dependencies
  const { accountId, platform, login } = account
  const from = new Date(Date.parse(dealAt) - slackMs)
  const deals = await platforms[platform].bulk.balanceOperations(login, from, new Date(now.getTime() + hourMs))
  await transaction(jobs, async (tx) => {
    await run(tx)`select 1 from trading_accounts where id = ${accountId} for update`
    const judged = await judgeDeals(tx, keys, platform, deals)
    await openForSigns(tx, judged, now)
    await recordComparedAgain(tx, accountId, judged, dealAt)
  })
}
