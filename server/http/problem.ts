/** A refusal that a person can meet: a row of the error catalogue, with its values and the field it belongs to. */
import { decisionCheck, type DecisionCheck } from '#contract/office/checks.ts'
import { problemFields, problems, type ProblemCode } from '#contract/problems.ts'
import * as z from 'zod/mini'
import type { Language } from '#rules/choices.ts'
import { stateText, translate } from '../i18n/translate.ts'

interface Facts {
  readonly values?: Readonly<Record<string, string | number>>
  /** The leaf name of the payload under which the sentence stands (requirements 15.14). */
  readonly field?: string
  /** Several fields at once: field name to problem code. */
  readonly fields?: Readonly<Record<string, ProblemCode>>
  /** What fills the places of one field's sentence, where it is that field's own: a limit. */
  readonly fieldValues?: Readonly<Record<string, Facts['values']>>
  readonly retryAfterSeconds?: number
  /** The checks that stand against a decision, as its page shows them. */
  readonly checks?: readonly DecisionCheck[]
}

/** Anyone who is to come again later is told when (requirements 15.12). */
const retryLaterStatuses = [429, 503]
const retryLaterSeconds = 30

export class Problem extends Error {
  readonly code: ProblemCode
  readonly status: number
  readonly facts: Facts

  constructor(code: ProblemCode, facts: Facts = {}) {
    super(code)
    this.name = 'Problem'
    this.code = code
    this.status = problems[code].status
    this.facts = retryLaterStatuses.includes(this.status) ? { retryAfterSeconds: retryLaterSeconds, ...facts } : facts
  }
}

/** Throws the problem that a rule answered, if it answered one. */
export function throwIfProblem(code: ProblemCode | null, facts: Facts = {}): asserts code is null {
  if (code !== null) throw new Problem(code, facts)
}

/** Throws what rules found wrong with several fields, all of it at once; the values of a field are its own sentence's. */
export function throwFieldProblems(
  found: Readonly<Record<string, ProblemCode | null>>,
  fieldValues: NonNullable<Facts['fieldValues']> = {},
): void {
  const wrong = Object.entries(found).filter((entry): entry is [string, ProblemCode] => entry[1] !== null)
  const [only, ...others] = wrong
  if (!only) return
  const fields = Object.fromEntries(wrong)
  if (others.length > 0) throw new Problem('check-fields', { fields, fieldValues })
  throw new Problem(only[1], { fields, values: ownValues(fieldValues, only[0]) ?? {} })
}

/** Fields are called as their sender likes, "constructor" among it: what an object has from its prototype is not meant. */
function ownValues(all: Facts['fieldValues'], name: string): Facts['values'] {
  return all && Object.hasOwn(all, name) ? all[name] : undefined
}

/** Returns the sentence of a code in a language, its `{name}` places filled; a state is said in words. */
export function problemText(code: ProblemCode, language: Language, values: Facts['values'] = {}): string {
  const { record, state } = values
  const shown =
    state === undefined ? values : { ...values, state: stateText(String(record ?? ''), String(state), language) }
  return translate(problems[code].text, language, shown)
}

/** Returns the body of a failure: requirements 15.3, 16.4. */
export function problemBody(problem: Problem, language: Language, reference: string) {
  const { values, field, fields, fieldValues } = problem.facts
  const error = problemText(problem.code, language, values)
  const told = Object.entries(fields ?? {})
  const errors: Record<string, string> = Object.fromEntries(
    told.map(([name, code]) => [name, problemText(code, language, ownValues(fieldValues, name) ?? values)]),
  )
  const place = field ?? (Object.keys(errors).length === 0 ? problemFields[problem.code] : undefined)
  if (place) errors[place] = error
  if (Object.keys(errors).length === 0) errors['server'] = error
  const checks = problem.facts.checks && { checks: z.encode(z.array(decisionCheck), [...problem.facts.checks]) }
  return { success: false as const, code: problem.code, error, errors, values: values ?? {}, reference, ...checks }
}
