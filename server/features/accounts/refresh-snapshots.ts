/**
 * Reads the platforms again for a page of accounts, without a transaction and within a bound: figures that are a
 * little old are shown with their time while new ones are fetched for the next look.
 */
import { Problem } from '../../http/problem.ts'
import { snapshotAgeMs, fetchSnapshot } from '../../ledger/account-snapshot.ts'
import type { Dependencies } from '../../dependencies.ts'
import { lookedAt } from '../live-figures/queries.ts'
import type { ShownAccount } from './queries.ts'

/** Younger figures are shown as they are. What is watched is read every 12 s, and its pages ask nothing of their own. */
const youngMs = 15_000
/** Older ones are worth a short wait. */
const oldMs = 5 * 60_000
const waitMs = 1_500
const againAfterFailureMs = 15_000
/** A page begins at most so many readings: a client of many accounts must not keep the platform busy. */
const readingsMax = 20

/** Returns whether figures are older than a platform that answers would leave them. */
export function areOld(readAt: Date | null, now: Date): boolean {
  return readAt !== null && snapshotAgeMs(readAt, now) >= oldMs
}

/** Readings under way on this server, so that ten pages ask the platform once; nothing but a saving. */
const underWay = new Map<string, Promise<void>>()
const failedAt = new Map<string, number>()

/**
 * Begins to read what is not young; waits, 1.5 s at most, only where figures are missing or old. Answers whether the
 * kept figures may have changed.
 */
export async function refreshSnapshots(
  dependencies: Dependencies,
  accounts: readonly ShownAccount[],
  now: Date,
): Promise<boolean> {
  const ageOf = ({ readAt }: ShownAccount) => (readAt === null ? Infinity : snapshotAgeMs(readAt, now))
  const open = accounts.filter(
    (account) => account.state === 'approved' && account.login !== null && ageOf(account) >= youngMs,
  )
  if (open.length === 0) return false
  const watched = await lookedAt(
    dependencies.pool,
    open.map(({ id }) => id),
    new Date(now.getTime() - youngMs),
  )
  const readings = open
    .filter(({ id }) => !watched.has(id))
    .slice(0, readingsMax)
    .map((account) => ({ account, reading: readingOf(dependencies, account, now) }))
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

function readingOf(dependencies: Dependencies, account: ShownAccount, now: Date): Promise<void> | null {
  const { id: accountId, platform, login, currency } = account
  const known = underWay.get(accountId)
  if (known) return known
  const failed = failedAt.get(accountId)
  if (login === null || (failed !== undefined && Math.abs(now.getTime() - failed) < againAfterFailureMs)) return null
  const reading = fetchSnapshot(dependencies.jobs, dependencies, { accountId, platform, login, currency }, now)
    .then(
      () => void failedAt.delete(accountId),
      (error: unknown) => {
        failedAt.set(accountId, now.getTime())
        if (error instanceof Problem) dependencies.log.debug({ accountId, problem: String(error) }, 'balances not read')
        else dependencies.log.error({ accountId, err: error }, 'balances not read')
      },
    )
    .finally(() => void underWay.delete(accountId))
  underWay.set(accountId, reading)
  return reading
}
