/** The checks at the moment of a decision and on its page: both use the same code (requirements 19.1). */
import type { DecisionCheck } from '#contract/office/checks.ts'
import { checkOverride, overridesWithProof, remainingObjections, type JudgedCheck } from '#rules/checks/check.ts'
import { decisionSnapshotSecondsMax, pageSnapshotSeconds } from '#rules/constants.ts'
import type { Connection, Transaction } from '../db/sql.ts'
import { requireStaff, type RequestContext } from '../http/handler.ts'
import { Problem, problemText } from '../http/problem.ts'
import type { Dependencies } from '../dependencies.ts'
import { factName, sentenceOfCheck, titleOfCheck, valueText, remedyText } from './check-texts.ts'
import {
  checkTerms,
  type CheckedRequest,
  type CheckTerms,
  type DecisionTerms,
  type RequestWithChecks,
} from './checked-request.ts'
import { overridesOf, plainValue, plainValues, applyOverrides, type Override, type Weighed } from './overrides.ts'

type Asking = Pick<RequestContext, 'auditContext' | 'caller' | 'language' | 'now'>

/** The part of a decision's input that concerns its checks. */
interface Answers {
  readonly acknowledged: readonly string[]
  /** The reason for acknowledging a warning. */
  readonly reason: string
}

/** Returns the integrations' data, read just before the transaction of a decision, and the settings of its checks. */
export async function prepareChecks<Request>(
  dependencies: Dependencies,
  checked: CheckedRequest<Request>,
  request: Request,
  now: Date,
): Promise<DecisionTerms> {
  await checked.refresh(dependencies, request, decisionSnapshotSecondsMax, now)
  return checkTerms(dependencies, now)
}

/**
 * Returns if the decision may be taken, otherwise throws: `own-override` if the person overrode a block of this
 * request, `checks-block` with who can unblock it, `checks-changed` for a warning that was not acknowledged,
 * `reason-required`. Call it under the locks of `checked.lock`. Returns what the decision's event stores.
 */
export async function assertChecksPass<Request extends { readonly id: string }>(
  tx: Transaction,
  context: Asking,
  checked: CheckedRequest<Request>,
  request: Request,
  terms: DecisionTerms,
  { acknowledged, reason }: Answers,
): Promise<{ readonly checks: unknown }> {
  const evaluated = await checksWithOverrides(tx, checked, request, terms)
  if (evaluated.overriders.includes(requireStaff(context).staffId)) throw new Problem('own-override')
  const { blocks, unread } = remainingObjections(evaluated.checks, acknowledged)
  const shown = () => shownChecks(context, checked, request, terms, evaluated.checks)
  const [first] = blocks
  if (first) throw blockProblem(first, context, terms, shown())
  if (unread.length > 0) throw new Problem('checks-changed', { checks: shown() })
  if (evaluated.checks.some(({ result }) => result === 'warn') && reason === '')
    throw new Problem('reason-required', { field: 'note' })
  return { checks: evaluated.checks.map((one) => storedCheck(one, acknowledged)) }
}

/** The input of a decision on a request with checks. */
interface Deciding<Body> extends Asking {
  readonly body: Body
}

/**
 * Returns the `judge` of `decide`, which runs the checks in the transaction of a decision, under the locks. If the
 * request is no longer open or has another version, `applyTransition` throws the problem.
 */
export function decisionChecker<
  Request extends { readonly id: string; readonly state: string; readonly version: number },
>(
  context: Deciding<{ readonly version: number; readonly note: string; readonly acknowledged: readonly string[] }>,
  checked: CheckedRequest<Request>,
  request: Request,
  terms: DecisionTerms,
): (tx: Transaction) => Promise<{ readonly checks?: unknown }> {
  return async (tx) => {
    await checked.lock(tx, request)
    const locked = await checked.find(tx, request.id)
    const { version, note, acknowledged } = context.body
    if (!locked || !checked.isOpen(locked) || locked.version !== version) return {}
    return assertChecksPass(tx, context, checked, locked, terms, { acknowledged, reason: note })
  }
}

/** The checks for a page, and the first block as the text that disables its buttons. */
export interface PageChecks {
  readonly shown: DecisionCheck[]
  readonly refusal: Problem | null
}

/**
 * Returns the checks as the page of a request shows them. The first block disables the `verbs` of its page. A request
 * that they can no longer stop has none: its history shows those of its decisions.
 */
export async function checksOfPage<Request extends RequestWithChecks>(
  dependencies: Dependencies,
  context: Asking & Pick<RequestContext, 'background'>,
  checked: CheckedRequest<Request>,
  request: Request,
  readsFigures = request.state === 'pending',
): Promise<PageChecks> {
  if (!checked.isOpen(request)) return { shown: [], refusal: null }
  if (readsFigures && !context.background)
    await checked.refresh(dependencies, request, pageSnapshotSeconds, context.now)
  const terms = await checkTerms(dependencies, context.now)
  const { checks } = await checksWithOverrides(dependencies.pool, checked, request, terms)
  const shown = shownChecks(context, checked, request, terms, checks)
  const [block] = remainingObjections(checks, []).blocks
  return { shown, refusal: block ? blockProblem(block, context, terms) : null }
}

/** Returns the blocks of a request without an override, at a stage without a deciding person. */
export async function blocksOf<Request extends { readonly id: string }>(
  connection: Connection,
  checked: CheckedRequest<Request>,
  request: Request,
  terms: CheckTerms,
): Promise<Weighed[]> {
  const { checks } = await checksWithOverrides(connection, checked, request, terms)
  return remainingObjections(checks, []).blocks as Weighed[]
}

/** Returns the problem of a block: what blocks, and who can unblock it. */
export function blockProblem(
  block: JudgedCheck,
  { language }: Pick<RequestContext, 'language'>,
  terms: DecisionTerms,
  checks?: DecisionCheck[],
): Problem {
  const values = {
    check: titleOfCheck(block.name, language),
    what: sentenceOfCheck(block, { ...terms, language }),
    wayOut: remedyText(block, language),
  }
  return new Problem('checks-block', { values, ...(checks && { checks }) })
}

async function checksWithOverrides<Request extends { readonly id: string }>(
  connection: Connection,
  checked: CheckedRequest<Request>,
  request: Request,
  terms: CheckTerms,
): Promise<{ checks: Weighed[]; overriders: string[] }> {
  const overrides = await overridesOf(connection, checked.kind, request.id)
  const judged = await checked.judge(connection, request, terms)
  return { checks: applyOverrides(judged, overrides), overriders: overrides.map(({ staffId }) => staffId) }
}

export function shownChecks<Request>(
  context: Pick<RequestContext, 'auditContext' | 'language'>,
  checked: CheckedRequest<Request>,
  request: Request,
  { timeZone, methods }: DecisionTerms,
  evaluated: readonly Weighed[],
): DecisionCheck[] {
  const { language } = context
  const reader = { language, timeZone, methods }
  return evaluated.map((one) => {
    const refusal = checkOverride(one, context.auditContext.identity, checked.involved(request))
    return {
      name: one.name,
      result: one.result,
      title: titleOfCheck(one.name, language),
      text: sentenceOfCheck(one, reader),
      facts: one.facts.map((fact) => ({
        name: factName(fact.name, reader),
        value: valueText(fact.value, reader),
        source: fact.source,
        at: fact.at,
      })),
      wayOut: one.result === 'block' ? remedyText(one, language) : null,
      overrideBy: one.override,
      mayOverride: refusal === null && !one.overridden,
      overrideRefusal: refusal === 'override-own' ? problemText(refusal, language) : null,
      overridden: one.given && {
        by: one.given.by,
        at: one.given.at,
        reason: one.given.reason,
        proof: proofFileOf(one.given),
      },
      needsProof: overridesWithProof.includes(one.name),
      digest: one.digest,
    }
  })
}

/** Returns the proof under its original file name: a label starts with the client's id and the time. */
function proofFileOf({ proofId, proofName }: Override) {
  if (proofId === null || proofName === null) return null
  return { fileId: proofId, filename: proofName.replace(/^[0-9a-f-]{36}_\d+_/, '') }
}

/** Returns a check as the event of a decision or override stores it. */
export function storedCheck(one: Weighed, acknowledged: readonly string[]) {
  const { name, result, sentence: key, values, facts, given } = one
  return {
    name,
    result,
    sentence: key,
    values: plainValues(values),
    facts: facts.map((fact) => ({ ...fact, value: plainValue(fact.value), at: fact.at?.toISOString() ?? null })),
    ...(result === 'warn' ? { acknowledged: acknowledged.includes(name) } : {}),
    ...(given ? { override: { staff: given.staffId, at: given.at.toISOString() } } : {}),
  }
}
