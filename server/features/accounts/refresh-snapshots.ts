/**
 * Refreshes the platforms' balances of a page of accounts, without a transaction and with a time limit. Slightly old
 * balances are shown with their time while new ones are fetched for the next request.
 */
import { Problem } from '../../http/problem.ts'
import { snapshotAgeMs, fetchSnapshot } from '../../ledger/account-snapshot.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { AccountWithBalances } from './queries.ts'

/** Younger balances are shown as they are. Watched accounts are read every 12 s, so their pages start no readings. */
const youngMs = 15_000
/** Older balances are worth a short wait. */
const oldMs = 5 * 60_000
const waitMs = 1_500
const retryAfterFailureMs = 15_000
/** Maximum readings started by one page, so that a client with many accounts cannot overload the platform. */
const readingsMax = 20

/** Returns whether balances are older than they could be while the platform responds. */
export function areBalancesOld(readAt: Date | null, now: Date): boolean {
  return readAt !== null && snapshotAgeMs(readAt, now) >= oldMs
}

/** Readings in progress on this server, so that ten pages query the platform once. Only an optimisation. */
const readingsInProgress = new Map<string, Promise<void>>()
const failureTimes = new Map<string, number>()

/**
 * Starts reading balances that are not young. Waits, for 1.5 s at most, only if balances are missing or old. Returns
 * whether the stored balances may have changed.
 */
export async function refreshSnapshots(
  dependencies: Dependencies,
  accounts: readonly AccountWithBalances[],
  now: Date,
): Promise<boolean> {
  const ageOf = ({ readAt }: AccountWithBalances) => (readAt === null ? Infinity : snapshotAgeMs(readAt, now))
  const isWatched = ({ lookedAt }: AccountWithBalances) =>
    lookedAt !== null && lookedAt.getTime() > now.getTime() - youngMs
  const readings = accounts
    .filter((account) => account.state === 'approved' && account.login !== null && ageOf(account) >= youngMs)
    .filter((account) => !isWatched(account))
    .slice(0, readingsMax)
    .map((account) => ({ account, reading: startReading(dependencies, account, now) }))
  const awaited = readings.filter(({ account }) => ageOf(account) >= oldMs).flatMap(({ reading }) => reading ?? [])
  if (awaited.length === 0) return false
  let timer: NodeJS.Timeout | undefined
  const bound = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, waitMs)
  })
  await Promise.race([Promise.all(awaited), bound])
  clearTimeout(timer)
  return true
}

function startReading(dependencies: Dependencies, account: AccountWithBalances, now: Date): Promise<void> | null {
  const { id: accountId, platform, login, currency } = account
  const known = readingsInProgress.get(accountId)
  if (known) return known
  const failed = failureTimes.get(accountId)
  if (login === null || (failed !== undefined && Math.abs(now.getTime() - failed) < retryAfterFailureMs)) return null
  const reading = fetchSnapshot(dependencies.jobs, dependencies, { accountId, platform, login, currency }, now)
    .then(
      () => void failureTimes.delete(accountId),
      (error: unknown) => {
        failureTimes.set(accountId, now.getTime())
        if (error instanceof Problem) dependencies.log.debug({ accountId, problem: String(error) }, 'balances not read')
        else dependencies.log.error({ accountId, err: error }, 'balances not read')
      },
    )
    .finally(() => void readingsInProgress.delete(accountId))
  readingsInProgress.set(accountId, reading)
  return reading
}
