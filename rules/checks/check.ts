/**
 * What a check is: a named pure rule over facts that answers pass, warn or block (requirements 19.1). Facts
 * come from `server/checks/`; the words of names, sentences and facts stand in `contract/check-labels.ts`.
 */
import { actorsOf, type ActorIdentity, type StaffRole } from '../actors.ts'
import type { CheckResult } from '../choices.ts'
import type { Money } from '../money.ts'

export const checkNames = [
  'client-status',
  'payments-on-hold',
  'screening',
  'documents-requested',
  'identity-document',
  'proof-of-address',
  'balances',
  'available',
  'margin-level',
  'discrepancy',
  'account-holder',
  'payer',
  'same-elsewhere',
  'new-bank-details',
  'sign-in-change',
  'closed-loop',
  'chargeback',
] as const
export type CheckName = (typeof checkNames)[number]

/** Where a fact was read. */
export const factSources = ['records', 'ledger', 'platform', 'bank', 'settings'] as const
export type FactSource = (typeof factSources)[number]

/** What a fact or sentence says: a word of the catalogue, a day "2026-06-19", a moment, an amount, a number, or names as they were written. */
export type CheckValue =
  | { readonly text: string }
  | { readonly word: string }
  | { readonly day: string }
  | { readonly time: Date }
  | { readonly amount: Money }
  | { readonly count: number }
  | null

export interface Read<Value> {
  readonly value: Value
  readonly source: FactSource
  readonly at: Date
}

/** A fact that could not be read: anyone who should tell it does not answer. */
export interface Unread {
  readonly unread: true
  readonly source: FactSource
}

export type Fact<Value> = Read<Value> | Unread

function isRead<Value>(fact: Fact<Value>): fact is Read<Value> {
  return !('unread' in fact)
}

/** What a rule answers of facts that it could read. */
export interface Judgement {
  readonly result: CheckResult
  /** The key of the sentence that staff read. */
  readonly sentence: string
  readonly values?: Readonly<Record<string, CheckValue>>
  /** What was judged, by name; a change of any of these is another block. */
  readonly facts: Readonly<Record<string, CheckValue>>
}

/** One row of the table: its name, who may override its block, and its rule. */
export interface Check<Facts> {
  readonly name: CheckName
  /** Who may override a block; null where no one may. */
  readonly override: StaffRole | null
  judge(facts: Facts): Judged
}

export interface JudgedFact {
  readonly name: string
  readonly value: CheckValue
  readonly source: FactSource
  readonly at: Date | null
}

/** A check as it was judged: what the page shows, the decision keeps and the refusal says. */
export interface Judged {
  readonly name: CheckName
  readonly result: CheckResult
  readonly sentence: string
  readonly values: Readonly<Record<string, CheckValue>>
  readonly facts: readonly JudgedFact[]
  readonly override: StaffRole | null
}

/**
 * Returns a check over one fact. A fact that could not be read blocks with that sentence and keeps the row's override;
 * it never passes.
 */
export function check<Facts, Value>(
  name: CheckName,
  override: StaffRole | null,
  factOf: (facts: Facts) => Fact<Value>,
  rule: (value: Value, facts: Facts) => Judgement & { readonly final?: boolean },
): Check<Facts> {
  return {
    name,
    override,
    judge(facts) {
      const fact = factOf(facts)
      const { source } = fact
      if (!isRead(fact))
        return {
          name,
          result: 'block',
          sentence: 'not-read',
          values: { source: { word: source } },
          facts: [{ name: 'source', value: { word: source }, source, at: null }],
          override,
        }
      const { result, sentence, values, facts: named, final } = rule(fact.value, facts)
      return {
        name,
        result,
        sentence,
        values: values ?? {},
        facts: Object.entries(named).map(([factName, value]) => ({ name: factName, value, source, at: fact.at })),
        override: final ? null : override,
      }
    },
  }
}

/** Judges a list; `only` leaves out the checks that another stage of the request asks. */
export function judgeAll<Facts>(
  checks: readonly Check<Facts>[],
  facts: Facts,
  only: (name: CheckName) => boolean = () => true,
): Judged[] {
  return checks.filter(({ name }) => only(name)).map((one) => one.judge(facts))
}

/**
 * Returns the warnings and blocks that prevent a decision: an override counts only for the facts it was given for, a
 * warning is removed by its acknowledgement.
 */
export function standsAgainst(
  judged: readonly (Judged & { readonly overridden: boolean })[],
  acknowledged: readonly string[],
): { readonly blocks: readonly Judged[]; readonly unread: readonly Judged[] } {
  return {
    blocks: judged.filter(({ result, overridden }) => result === 'block' && !overridden),
    unread: judged.filter(({ name, result }) => result === 'warn' && !acknowledged.includes(name)),
  }
}

/** Checks whose override needs the file that proves it. */
export const provedOverrides: readonly CheckName[] = ['payer']

/** Returns why somebody may not override a block, or null. `involved` entered or approved the request. */
export function checkOverride(
  { result, override }: Pick<Judged, 'result' | 'override'>,
  identity: ActorIdentity,
  involved: readonly (string | null)[],
) {
  if (result !== 'block') return 'check-not-blocking'
  if (override === null) return 'override-not-allowed'
  if (!actorsOf(identity).includes(override)) return 'wrong-role'
  return identity.kind === 'staff' && involved.includes(identity.id) ? 'override-own' : null
}
