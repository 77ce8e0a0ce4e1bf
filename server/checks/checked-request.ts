/**
 * A kind of request whose decisions depend on checks: how it is found, which integrations are queried before a
 * decision, and how it is checked. Each feature declares its own; `features.ts` joins them for the override's endpoint.
 */
import type { checkedKinds } from '#contract/office/checks.ts'
import type { JudgedCheck } from '#rules/checks/check.ts'
import type { ClientId } from '#rules/ids.ts'
import type { Connection, Transaction } from '../db/sql.ts'
import type { Problem } from '../http/problem.ts'
import type { Dependencies } from '../dependencies.ts'
import { readSetting } from '../settings/settings.ts'
import type { Setting } from '#contract/setting-sections.ts'

/** The settings of checks, read before the transaction of the decision. */
export interface CheckTerms {
  readonly checks: Setting<'checks'>
  readonly thresholds: Setting<'thresholds'>
  readonly timeZone: string
  readonly now: Date
}

/** The terms with the names of payment methods, for checks as people read them. */
export interface DecisionTerms extends CheckTerms {
  readonly methods: Setting<'methods'>
}

export async function checkTerms(dependencies: Pick<Dependencies, 'settings'>, now: Date): Promise<DecisionTerms> {
  const { timeZone } = await dependencies.settings.get('firm')
  return {
    checks: await dependencies.settings.get('checks'),
    thresholds: await dependencies.settings.get('thresholds'),
    methods: await dependencies.settings.get('methods'),
    timeZone,
    now,
  }
}

/** Reads the terms within a transaction, on its connection. */
export async function checkTermsIn(tx: Transaction, now: Date): Promise<CheckTerms> {
  const { timeZone } = (await readSetting(tx, 'firm', now)).value
  return {
    checks: (await readSetting(tx, 'checks', now)).value,
    thresholds: (await readSetting(tx, 'thresholds', now)).value,
    timeZone,
    now,
  }
}

/** A request as its checks need it; its feature adds what it judges. */
export interface RequestWithChecks {
  readonly id: string
  readonly state: string
}

export interface CheckedRequest<Request = unknown> {
  /** The name of the state machine, as events and overrides store it. */
  readonly kind: string
  /** Whether a step that these checks can stop is still to come; otherwise nothing is judged. */
  isOpen(request: Request): boolean
  /** Returns why a request in progress is no longer open; absent or null if it was decided. */
  whyClosed?(request: Request): Problem | null
  find(connection: Connection, id: string): Promise<Request | null>
  /** The client concerned; without an id if not known yet. */
  clientOf(request: Request): { readonly id: ClientId | null; readonly email: string }
  /** Returns the people who entered or approved it: none of them may override its blocks. */
  involved(request: Request): readonly (string | null)[]
  /** Reads the integrations' data if it is older than `seconds`; if one does not respond, the check handles it. */
  refresh(dependencies: Dependencies, request: Request, seconds: number, now: Date): Promise<void>
  /** Locks the records that the facts depend on, in the order client, account, request. */
  lock(tx: Transaction, request: Request): Promise<void>
  judge(connection: Connection, request: Request, terms: CheckTerms): Promise<JudgedCheck[]>
}

/** What a decision chooses or enters: the client of a bank transaction, the holder of a bank account. */
export interface Entered {
  readonly client?: ClientId | undefined
  readonly holder?: string | undefined
}

/** By kind, how a request is found and checked in its current state. */
export type CheckedKinds = Readonly<
  Record<
    (typeof checkedKinds)[number],
    (dependencies: Dependencies, id: string, entered: Entered) => Promise<CheckedRequest<RequestWithChecks>>
  >
>
