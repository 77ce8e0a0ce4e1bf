/** What the conformance checks of a MetaTrader 5 server share: the run's options and findings, and assertions. */
import { ConformanceError, CheckNotRun } from '../../conformance.ts'
import type { PlatformRight } from '../trading-server.ts'
import type { Mt5Caller } from './caller.ts'
import type { Mt5Options } from './mt5.ts'

export interface Mt5ConformanceOptions extends Mt5Options {
  /** Groups of the settings; accounts are searched in these first. */
  readonly groups: readonly string[]
  /** The text for missing permissions. */
  readonly rightsText: (missing: readonly PlatformRight[]) => string
}

/** The data that the checks collect. */
interface CollectedData {
  /** Seconds of the server's own clock. */
  now: number
  groups: readonly string[]
  group: string
  logins: readonly string[]
}

/** One run of the checks, in their order. */
export interface ConformanceRun {
  readonly options: Mt5ConformanceOptions
  readonly caller: Mt5Caller
  readonly ask: (path: string, query?: Readonly<Record<string, string>>) => Promise<unknown>
  readonly seen: CollectedData
}

/** Returns the list. Throws `CheckNotRun` if it is empty, because an empty list shows no fields. */
export function requireNotEmpty<Row>(list: readonly Row[], what: string): readonly Row[] {
  if (list.length === 0) throw new CheckNotRun(`it answers, but there is no ${what} whose fields could be seen`)
  return list
}

interface OfLogin {
  readonly Login: string
}

/** Throws `ConformanceError` if a record is of an account that was not requested. */
export function assertOnlyLogins(records: readonly OfLogin[], logins: readonly string[]): void {
  if (records.some(({ Login: login }) => !logins.includes(login)))
    throw new ConformanceError('the response is for another account')
}

/** Throws `ConformanceError` unless there is one record of each account. */
export function assertSameLogins(records: readonly OfLogin[], logins: readonly string[]): void {
  assertOnlyLogins(records, logins)
  if (records.length !== logins.length) throw new ConformanceError('the response omits an account')
}
