/**
 * A check is a named pure rule over facts that returns pass, warn or block (requirements 19.1). Facts come from
 * `server/checks/`; the texts of names, results and facts are in `contract/check-labels.ts`.
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
  'exchange-rate',
] as const
export type CheckName = (typeof checkNames)[number]

/** The source of a fact. */
export const factSources = ['records', 'ledger', 'platform', 'bank', 'settings'] as const
export type FactSource = (typeof factSources)[number]

/** Names as entered, or a payment method as records store it. */
export type NamedValue = { readonly text: string } | { readonly method: string }

/** A key of the catalogue of labels. */
interface LabelledValue {
  readonly word: string
}

/** The value of a fact: a name, a label, a list of them, a day "2026-06-19", an instant, an amount, or a number. */
export type CheckValue =
  | NamedValue
  | LabelledValue
  | { readonly list: readonly (NamedValue | LabelledValue)[] }
  | { readonly day: string }
  | { readonly time: Date }
  | { readonly amount: Money }
  | { readonly count: number }
  | null

export interface ReadFact<Value> {
  readonly value: Value
  readonly source: FactSource
  readonly at: Date
}

/** A fact that could not be read, because its source does not respond. */
export interface UnreadFact {
  readonly unread: true
  readonly source: FactSource
}

export type Fact<Value> = ReadFact<Value> | UnreadFact

function isReadFact<Value>(fact: Fact<Value>): fact is ReadFact<Value> {
  return !('unread' in fact)
}

/** The result of a rule whose facts could be read. */
export interface Judgement {
  readonly result: CheckResult
  /** The key of the text for staff. */
  readonly sentence: string
  readonly values?: Readonly<Record<string, CheckValue>>
  /** The facts by name; if one of them changes, the block is a new one. */
  readonly facts: Readonly<Record<string, CheckValue>>
}

/** A check: its name, who may override its block, and its rule. */
export interface Check<Facts> {
  readonly name: CheckName
  /** The role that may override a block; null if none may. */
  readonly override: StaffRole | null
  judge(facts: Facts): JudgedCheck
}

export interface JudgedFact {
  readonly name: string
  readonly value: CheckValue
  readonly source: FactSource
  readonly at: Date | null
}

/** A check's result: shown on the page, stored with the decision, and used in the problem. */
export interface JudgedCheck {
  readonly name: CheckName
  readonly result: CheckResult
  readonly sentence: string
  readonly values: Readonly<Record<string, CheckValue>>
  readonly facts: readonly JudgedFact[]
  readonly override: StaffRole | null
}

/**
 * Returns a check of one fact. A fact that could not be read blocks with the given text and keeps the check's override;
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
      if (!isReadFact(fact))
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

/** Runs a list of checks; `only` selects those of a stage. */
export function judgeAll<Facts>(
  checks: readonly Check<Facts>[],
  facts: Facts,
  only: (name: CheckName) => boolean = () => true,
): JudgedCheck[] {
  return checks.filter(({ name }) => only(name)).map((one) => one.judge(facts))
}

/**
 * Returns the warnings and blocks that prevent a decision: an override is valid only for the facts it was given for, an
 * acknowledgement removes a warning.
 */
export function remainingObjections(
  judged: readonly (JudgedCheck & { readonly overridden: boolean })[],
  acknowledged: readonly string[],
): { readonly blocks: readonly JudgedCheck[]; readonly unread: readonly JudgedCheck[] } {
  return {
    blocks: judged.filter(({ result, overridden }) => result === 'block' && !overridden),
    unread: judged.filter(({ name, result }) => result === 'warn' && !acknowledged.includes(name)),
  }
}

/** Checks whose override requires a file as proof. */
export const overridesWithProof: readonly CheckName[] = ['payer']

/**
 * Returns why a person may not override a block, or null. `involved` are people who entered or approved the request.
 */
export function checkOverride(
  { result, override }: Pick<JudgedCheck, 'result' | 'override'>,
  identity: ActorIdentity,
  involved: readonly (string | null)[],
) {
  if (result !== 'block') return 'check-not-blocking'
  if (override === null) return 'override-not-allowed'
  if (!actorsOf(identity).includes(override)) return 'wrong-role'
  return identity.kind === 'staff' && involved.includes(identity.id) ? 'override-own' : null
}
