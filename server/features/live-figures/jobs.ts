/**
 * Reads the accounts that are being viewed: one process per platform, one reading for all viewers (requirements 24.12,
 * ADR 215).
 */
import { openTrades } from '#contract/open-trades.ts'
import type { AccountId } from '#rules/ids.ts'
import { fastEncode } from '../../http/fast-encoder.ts'
import { Problem } from '../../http/problem.ts'
import { isIntegrationError } from '../../integrations/errors.ts'
import type { AccountReadings, LiveFigures } from '../../integrations/trading-platform/trading-server.ts'
import type { ScheduledTask } from '../../jobs/workers.ts'
import { fillMissingEquity, fetchSnapshot } from '../../ledger/account-snapshot.ts'
import { recordFound } from '../../ledger/missing-accounts.ts'
import { lastMovements, stillMovement } from '../../ledger/account-movements.ts'
import { isStopped } from '../../recovery/stopped-money.ts'
import { lastReadClock } from '../../jobs/platform-days.ts'
import { transaction } from '../../db/sql.ts'
import { connectedPlatforms, type Dependencies, type Platform } from '../../dependencies.ts'
import {
  notifyFiguresRead,
  claimWatched,
  lockUnlockedAccounts,
  storeAgreeingBalances,
  storeTrades,
  unlockPlatform,
  recordResponse,
  tryLockPlatform,
  type ReadFigures,
  type WatchedAccount,
} from './queries.ts'
import { openTradesShown } from './show-positions.ts'
import { readEveryMs } from './times.ts'

/**
 * Two turns of one process are at least this far apart; a process skips its turn if another one has just had its own.
 */
const turnMsMin = readEveryMs - 1_000
const storedAtOnce = 250
/**
 * Maximum accounts per turn that are read with their deals because their balance has changed: as many as the platform
 * returns in one response. Balances of the others are marked as old in time.
 */
const movedMax = 500
/** The number of these accounts that are compared with the ledger at a time. */
const movedAtOnce = 4
/** Deals since the last reading of a viewed account are not older than this. */
const dealsBackMs = 2 * 86_400_000
const clockSlackMs = 26 * 3_600_000
/** Interval at which the turn also reads whether accounts are enabled. */
const recordsEveryMs = 60_000
/**
 * Maximum accounts per such interval that are read individually because the platform's response did not contain them.
 */
const absentMax = 3

/** Returns a scheduled task for each connected platform. */
export function liveFigureTasks(dependencies: Dependencies): ScheduledTask[] {
  return connectedPlatforms(dependencies).map((platform) => ({
    name: `live-figures-${platform}`,
    everyMs: readEveryMs,
    fromBegin: true,
    run: (now) => readWatched(dependencies, platform, now),
  }))
}

/** Reads and stores the watched accounts, unless another process has just done so. */
async function readWatched(dependencies: Dependencies, platform: Platform, now: Date): Promise<void> {
  const connection = await dependencies.jobs.connect()
  let failed: Error | undefined
  try {
    if (!(await tryLockPlatform(connection, platform))) return
    const since = new Date(now.getTime() - turnMsMin)
    const watched = await claimWatched(connection, platform, { now, since })
    if (watched.length > 0) await readTogether(dependencies, platform, watched, now)
    await unlockPlatform(connection, platform)
  } catch (error) {
    failed = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    // Closing a failed connection releases its lock.
    connection.release(failed)
  }
}

async function readTogether(
  dependencies: Dependencies,
  platform: Platform,
  watched: readonly WatchedAccount[],
  now: Date,
) {
  const { jobs, log } = dependencies
  const movements = await lastMovements(
    jobs,
    platform,
    watched.map(({ login }) => login),
  )
  try {
    const isRecordsTurn = now.getTime() % recordsEveryMs < readEveryMs
    const figures = await dependencies.platforms[platform].bulk.readFigures(watched, isRecordsTurn)
    const moved: WatchedAccount[] = []
    const turn = { dependencies, platform, movements, now }
    for (let first = 0; first < watched.length; first += storedAtOnce)
      moved.push(...(await storeBalances(turn, watched.slice(first, first + storedAtOnce), figures)))
    await storeOpenTrades(dependencies, platform, watched, figures, now).catch((error: unknown) =>
      log.warn({ platform, err: error }, 'open positions of watched accounts not stored'),
    )
    // Reading deals takes longer, so accounts whose balance matches the ledger are announced first.
    if (moved.length > 0) await notifyFiguresRead(jobs, platform)
    await readChangedAccounts(turn, moved.slice(0, movedMax))
    if (isRecordsTurn) {
      const absent = watched.filter(({ login, missing }) => !missing && !figures.has(login))
      await readIndividually(turn, dependencies.platforms[platform].bulk, nextAbsentAccounts(absent, now))
    }
  } catch (error) {
    if (!isIntegrationError(error)) throw error
    log.debug({ platform, problem: String(error) }, 'watched figures not read')
    return
  }
  await notifyFiguresRead(jobs, platform)
}

/** Returns a few of the accounts, different ones each time, so that one that stays absent does not delay the rest. */
function nextAbsentAccounts(absent: readonly WatchedAccount[], now: Date): WatchedAccount[] {
  const start = (Math.floor(now.getTime() / recordsEveryMs) * absentMax) % Math.max(absent.length, 1)
  return [...absent.slice(start), ...absent.slice(0, start)].slice(0, absentMax)
}

/** Stores open positions and orders; no posting depends on them. */
async function storeOpenTrades(
  dependencies: Dependencies,
  platform: Platform,
  watched: readonly WatchedAccount[],
  figures: ReadonlyMap<string, LiveFigures>,
  now: Date,
): Promise<void> {
  const { history } = dependencies.platforms[platform].bulk
  if (history === null) return
  const zone = (await lastReadClock(dependencies, platform)) ?? (await history.zone())
  const read = watched.flatMap(({ id, login }) => {
    const trades = figures.get(login)?.trades
    return trades ? [{ id, trades: fastEncode(openTrades, openTradesShown(trades, zone)) }] : []
  })
  for (let first = 0; first < read.length; first += storedAtOnce)
    await storeTrades(dependencies.jobs, read.slice(first, first + storedAtOnce), now)
}

interface Turn {
  readonly dependencies: Dependencies
  readonly platform: Platform
  /** The result of `lastMovement` for each login before the platform was read. */
  readonly movements: ReadonlyMap<string, string>
  readonly now: Date
}

/**
 * Stores the balances of a part in one transaction. Returns the accounts whose balance differs from the ledger without
 * an operation in progress.
 */
async function storeBalances(
  { dependencies, platform, movements, now }: Turn,
  part: readonly WatchedAccount[],
  figures: ReadonlyMap<string, LiveFigures>,
): Promise<WatchedAccount[]> {
  return transaction(dependencies.jobs, async (tx) => {
    const answered = part.filter(({ login }) => figures.has(login)).map(({ id }) => id)
    if (await isStopped(tx, 'accounts')) {
      // While recovery is open, movements are missing in the ledger, so no balance can be compared with it.
      await recordResponse(tx, answered, now)
      return []
    }
    const held = new Set(
      await lockUnlockedAccounts(
        tx,
        part.map(({ id }) => id),
      ),
    )
    const after = await lastMovements(
      tx,
      platform,
      part.map(({ login }) => login),
    )
    const still = part.filter(({ id, login }) => {
      const movement = after.get(login) ?? stillMovement
      const before = movements.get(login) ?? stillMovement
      return held.has(id) && figures.has(login) && movement === before && !movement.startsWith('open')
    })
    const read = still.flatMap((account) => {
      const found = figures.get(account.login)
      return found ? [readFiguresOf(account, found)] : []
    })
    const kept: ReadonlySet<AccountId> = read.length === 0 ? new Set() : await storeAgreeingBalances(tx, read, now)
    const notKept = answered.filter((id) => !kept.has(id))
    if (notKept.length > 0) await recordResponse(tx, notKept, now)
    const found = part.filter(({ id, login, missing }) => missing && held.has(id) && figures.has(login))
    if (found.length > 0)
      await recordFound(
        tx,
        found.map(({ id }) => id),
      )
    return still.filter(({ id }) => !kept.has(id))
  })
}

function readFiguresOf({ id }: WatchedAccount, read: LiveFigures): ReadFigures {
  const { balance, credit, equity, margin, freeMargin, profit, openPositions } =
    read.openPositions === 0 ? fillMissingEquity(read) : read
  return {
    id,
    balance: balance.minor,
    credit: credit.minor,
    equity: equity?.minor ?? null,
    margin: margin?.minor ?? null,
    freeMargin: freeMargin?.minor ?? null,
    profit: profit?.minor ?? null,
    openPositions,
    enabled: read.enabled,
  }
}

/**
 * Reads the deals of accounts whose balance has changed: trades were closed, or others moved money.
 */
async function readChangedAccounts({ dependencies, platform, movements, now }: Turn, moved: readonly WatchedAccount[]) {
  if (moved.length === 0) return
  const readings = await dependencies.platforms[platform].bulk.readAccounts(
    moved.map(({ login }) => login),
    { from: new Date(now.getTime() - dealsBackMs), to: new Date(now.getTime() + clockSlackMs) },
  )
  await readIndividually({ dependencies, platform, movements, now }, readings, moved)
}

/** Reads and stores accounts one by one; one that the platform no longer has is recorded as missing. */
async function readIndividually(
  { dependencies, platform, movements, now }: Turn,
  readings: AccountReadings,
  accounts: readonly WatchedAccount[],
): Promise<void> {
  const { jobs, keys, log, platforms } = dependencies
  const source = { keys, platforms: { ...platforms, [platform]: readings } }
  const left = accounts.values()
  const lane = async (): Promise<void> => {
    for (const { id, login, currency } of left) {
      const account = { accountId: id, platform, login, currency }
      await fetchSnapshot(jobs, source, account, now, movements.get(login) ?? stillMovement).catch((error: unknown) => {
        if (!(error instanceof Problem || isIntegrationError(error))) throw error
        log.debug({ accountId: id, problem: String(error) }, 'watched figures not stored')
      })
    }
  }
  await Promise.all(Array.from({ length: movedAtOnce }, lane))
}
