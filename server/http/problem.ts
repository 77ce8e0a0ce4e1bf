/** A problem for the caller: a row of the error catalogue, with its values and its field. */
import { decisionCheck, type DecisionCheck } from '#contract/office/checks.ts'
import { problemFields, problems, type ProblemCode } from '#contract/problems.ts'
import * as z from 'zod/mini'
import { languages, type Language } from '#rules/choices.ts'
import { stateText, translate } from '../i18n/translate.ts'

interface Facts {
  readonly values?: Readonly<Record<string, string | number>>
  /** The leaf name in the payload under which the text is returned (requirements 15.14). */
  readonly field?: string
  /** Several fields at once: field name to problem code. */
  readonly fields?: Readonly<Record<string, ProblemCode>>
  /** The values for the placeholders of one field's text, such as a limit. */
  readonly fieldValues?: Readonly<Record<string, Facts['values']>>
  readonly retryAfterSeconds?: number
  /** The checks that prevent a decision, as its page shows them. */
  readonly checks?: readonly DecisionCheck[]
}

/** Statuses whose response says when to try again (requirements 15.12). */
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

/** Throws the problem that a rule returned, if any. */
export function throwIfProblem(code: ProblemCode | null, facts: Facts = {}): asserts code is null {
  if (code !== null) throw new Problem(code, facts)
}

/** Returns the problems that a rule names for these actions. */
export function problemsOf<Action extends string>(
  actions: readonly Action[],
  check: (action: Action) => ProblemCode | null,
): Readonly<Record<string, Problem | null>> {
  return Object.fromEntries(
    actions.map((action) => {
      const code = check(action)
      return [action, code && new Problem(code)]
    }),
  )
}

/** Returns a record that was looked up. Throws `not-found` if there is none. */
export function requireFound<Found>(found: Found | null | undefined, facts: Facts = {}): Found {
  if (found === null || found === undefined) throw new Problem('not-found', facts)
  return found
}

/** Throws the problems of several fields together; the values of a field are only for its own text. */
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

/** A sender may name fields freely, even "constructor": properties of the prototype are not meant. */
function ownValues(all: Facts['fieldValues'], name: string): Facts['values'] {
  return all && Object.hasOwn(all, name) ? all[name] : undefined
}

/** Returns the text of a code in a language, with its `{name}` placeholders filled; states have their labels. */
export function problemText(code: ProblemCode, language: Language, values: Facts['values'] = {}): string {
  const { record, state } = values
  const shown =
    state === undefined ? values : { ...values, state: stateText(String(record ?? ''), String(state), language) }
  return translate(problems[code].text, language, shown)
}

/** Returns the body of a failed response (requirements 15.3, 16.4), with the texts in the other languages (24.170). */
export function problemBody(problem: Problem, language: Language, reference: string) {
  const { error, errors } = problemTexts(problem, language)
  const values = problem.facts.values ?? {}
  const others = languages.filter((other) => other !== language)
  const texts = Object.fromEntries(others.map((other) => [other, problemTexts(problem, other)]))
  const checks = problem.facts.checks && { checks: z.encode(z.array(decisionCheck), [...problem.facts.checks]) }
  return { success: false as const, code: problem.code, error, errors, values, reference, texts, ...checks }
}

function problemTexts(problem: Problem, language: Language) {
  const { values, field, fields, fieldValues } = problem.facts
  const error = problemText(problem.code, language, values)
  const fieldEntries = Object.entries(fields ?? {})
  const errors: Record<string, string> = Object.fromEntries(
    fieldEntries.map(([name, code]) => [name, problemText(code, language, ownValues(fieldValues, name) ?? values)]),
  )
  const place = field ?? (Object.keys(errors).length === 0 ? problemFields[problem.code] : undefined)
  if (place) errors[place] = error
  if (Object.keys(errors).length === 0) errors['server'] = error
  return { error, errors }
}
