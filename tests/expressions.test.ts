/**
 * No regular expression of the product can be made to take long (ASVS 1.2.9, requirements 32.3): each is extracted from
 * the source and run over 100 kB of the characters that it contains. One with backtracking takes a thousand times as
 * long as one without; the threshold is measured on the machine with a known bad expression. Processor time is
 * measured, not wall time, so a busy or fast machine does not matter.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createContext, Script } from 'node:vm'
import { parseAst } from 'vite'
import { describe, expect, test } from 'vitest'

const root = dirname(import.meta.dirname)
const bytes = 100_000

interface Expression {
  readonly source: string
  readonly flags: string
  readonly file: string
}

/** Returns every regular expression literal in a file of the product. */
function expressionsIn(file: string): Expression[] {
  const found: Expression[] = []
  const look = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    if (Array.isArray(node)) return node.forEach(look)
    const { type, regex } = node as { type?: string; regex?: { pattern: string; flags: string } }
    if (type === 'Literal' && regex) found.push({ source: regex.pattern, flags: regex.flags, file })
    for (const value of Object.values(node)) look(value)
  }
  look(parseAst(readFileSync(join(root, file), 'utf8'), { lang: file.endsWith('x') ? 'tsx' : 'ts' }))
  return found
}

const files = globSync('{rules,contract,server,ui,portal,office}/**/*.{ts,tsx}', { cwd: root })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !/\.test\.tsx?$/.test(file))
const all = files.flatMap(expressionsIn)
const different = [...new Map(all.map((one) => [`/${one.source}/${one.flags}`, one])).entries()]

/** One character for each class. */
const members: Readonly<Record<string, string>> = { d: '0', w: 'a', s: ' ', D: '-', W: '-', S: 'x' }
const charactersMax = 8

/** Returns the characters of an expression: its letters, one of each class, and one that it may not contain. */
function charactersOf(source: string): string[] {
  const escaped = [...source.matchAll(/\\([dwsDWS])/g)].map(([, name]) => members[name ?? ''] ?? '')
  const properties = source.includes('\\p{') ? ['é', '-'] : []
  const plain = source
    .replace(/\\[pP]\{[^}]*\}|\\x[0-9a-f]{2}|\\u[0-9a-f]{4}|\\[dwsDWSbBnrt0]|\(\?[:=!<]*|\{\d+,?\d*\}/gi, '')
    .replace(/[\\()[\]{}|*+?^$]/g, '')
  return [...new Set([...escaped, ...properties, ...plain, 'a', ' '])].slice(0, charactersMax)
}

/** Returns long runs of one character or of two alternating ones, after a matching start, with a non-matching end. */
function attacksOn(source: string): string[] {
  const characters = charactersOf(source)
  const singles = characters.flatMap((one) => [one.repeat(bytes), `${one.repeat(bytes)}\0`, `a@${one.repeat(bytes)}\0`])
  const pairs = characters.flatMap((one) =>
    characters.filter((other) => other !== one).map((other) => `${(one + other).repeat(bytes / 2)}\0`),
  )
  return [...singles, ...pairs]
}

const tried: { source: string; flags: string; attack: string } = { source: '', flags: '', attack: '' }
const context = createContext(tried)
const attempt = new Script('new RegExp(source, flags).exec(attack)')

/** Returns the processor time of an attack in ms; if it takes long, it is stopped after `msMax` of wall time. */
function workMs({ source, flags }: Pick<Expression, 'source' | 'flags'>, attack: string, msMax: number) {
  Object.assign(tried, { source, flags, attack })
  const before = process.threadCpuUsage()
  let isDone = true
  try {
    attempt.runInContext(context, { timeout: msMax })
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    isDone = false
  }
  const { user, system } = process.threadCpuUsage(before)
  return { ms: (user + system) / 1000, isDone }
}

const bad = { source: '\\s+$', flags: '' }
/** A quarter of the characters takes a sixteenth of the time; a tenth of the whole is far from either side. */
const workMsMax = (workMs(bad, `${' '.repeat(bytes / 4)}\0`, 600_000).ms * 16) / 10

/**
 * Returns whether an attack makes an expression take long. One that was stopped before it had used processor time is
 * run longer.
 */
function isLong(expression: Pick<Expression, 'source' | 'flags'>, attack: string): boolean {
  for (let msMax = Math.ceil(workMsMax * 2); ; msMax *= 2) {
    const { ms, isDone } = workMs(expression, attack, msMax)
    if (isDone || ms > workMsMax) return ms > workMsMax
  }
}

/** Returns the attack that takes too long, or null. */
function slowest(expression: Pick<Expression, 'source' | 'flags'>): string | null {
  const found = attacksOn(expression.source).find((attack) => isLong(expression, attack))
  return found === undefined ? null : JSON.stringify(`${found.slice(0, 12)}…`)
}

test('expressions are found in the source, and a bad one is detected', () => {
  expect(different.length).toBeGreaterThan(100)
  expect(slowest({ source: '^(a+)+$', flags: '' })).not.toBeNull()
  expect(slowest(bad)).not.toBeNull()
  expect(slowest({ source: '^[a-z]+$', flags: '' })).toBeNull()
})

describe('every expression processes 100 kB without backtracking', () => {
  test.each(different)('%s', (_, expression) => {
    expect(slowest(expression), expression.file).toBeNull()
  })
})
