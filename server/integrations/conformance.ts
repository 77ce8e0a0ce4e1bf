/**
 * Checks a real server against the assumptions of its adapter (docs/integrations.md, Conformance). The results name no
 * person: only fields and codes, never a value.
 */
import { randomInt } from 'node:crypto'
import type * as z from 'zod/mini'
import { isIntegrationError } from './errors.ts'

/** The server's response differs from the adapter's expectation. */
export class ConformanceError extends Error {}
/** The check could not be run, or its response proves nothing. */
export class CheckNotRun extends Error {}

export interface ConformanceCheck {
  readonly name: string
  /** What is skipped if this check fails: the rest of its list, or of the whole run. */
  readonly gate?: 'list' | 'run'
  /** Returns additional information. Throws `ConformanceError`, `CheckNotRun` or a failure of the integration. */
  run(): Promise<string | void>
}

export interface ConformanceFinding {
  readonly name: string
  readonly outcome: 'matched' | 'differed' | 'not tested'
  readonly detail: string
}

/** Runs lists of checks, one check after another. A bug of ours is thrown. */
export async function runChecks(lists: readonly (readonly ConformanceCheck[])[]): Promise<ConformanceFinding[]> {
  const findings: ConformanceFinding[] = []
  let stopped: string | null = null
  for (const list of lists) {
    let skipped = stopped
    for (const check of list) {
      const finding: ConformanceFinding =
        skipped === null
          ? await outcomeOf(check)
          : { name: check.name, outcome: 'not tested', detail: `because of: ${skipped}` }
      findings.push(finding)
      if (skipped !== null || finding.outcome === 'matched' || check.gate === undefined) continue
      skipped = check.name
      if (check.gate === 'run') stopped = check.name
    }
  }
  return findings
}

async function outcomeOf({ name, run }: ConformanceCheck): Promise<ConformanceFinding> {
  try {
    return { name, outcome: 'matched', detail: (await run()) ?? '' }
  } catch (error) {
    if (error instanceof CheckNotRun) return { name, outcome: 'not tested', detail: error.message }
    if (error instanceof ConformanceError) return { name, outcome: 'differed', detail: error.message }
    if (isIntegrationError(error)) return { name, outcome: 'differed', detail: withCause(error) }
    throw error
  }
}

/** Returns a failure with its cause. The error of damaged JSON is left out, because it quotes the text. */
export function withCause(error: Error): string {
  const { cause } = error
  if (cause instanceof SyntaxError) return `${error.message} (incomplete JSON)`
  const behind = cause instanceof Error ? cause.message : ''
  return behind === '' || error.message.includes(behind) ? error.message : `${error.message} (${behind})`
}

/** Returns the value if it has the documented shape. Throws `ConformanceError`, naming the first fields that differ. */
export function requireShape<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
  what: string,
): z.output<Schema> {
  const read = schema.safeParse(value)
  if (read.success) return read.data
  const fields = new Set(read.error.issues.map(({ path }) => fieldAt(value, path)))
  throw new ConformanceError(`${what}: ${[...fields].slice(0, 5).join(', ')}`)
}

function fieldAt(value: unknown, path: readonly PropertyKey[]): string {
  let found = value
  for (const part of path) found = (found as Record<PropertyKey, unknown> | null | undefined)?.[part]
  const name = path.filter((part) => typeof part === 'string').join('.') || 'the answer'
  if (found === undefined) return `${name} is missing`
  const type = found === null ? 'null' : Array.isArray(found) ? 'a list' : typeof found
  return type === 'string' ? `${name} is another text than documented` : `${name} is ${type}`
}

/**
 * Returns the comment of every change of a conformance run. It is not a reference of ours and is never verified as one
 * (ADR 206).
 */
export function conformanceComment(): string {
  const letters = Array.from({ length: 10 }, () => String.fromCodePoint(97 + randomInt(26)))
  return `conformance-${letters.join('')}`
}
