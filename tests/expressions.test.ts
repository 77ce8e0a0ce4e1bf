/**
 * No regular expression of the product can be made to think for long (ASVS 1.2.9, requirements 32.3): each is found in the
 * source and run over 100 kB made of the characters that it names itself. One that looks back and forth works a thousand
 * times as long at these as one that does not; where between the two the line is, an expression that is known to be bad
 * tells on the machine at hand. Work of the processor counts, not time: a machine that is busy or fast changes nothing.
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

/** Every regular expression that is written in a file of the product. */
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

/** What a class stands for, one character each. */
const members: Readonly<Record<string, string>> = { d: '0', w: 'a', s: ' ', D: '-', W: '-', S: 'x' }
const charactersMax = 8

/** Characters that the expression speaks of: its letters, one of each class, and one that it may not know. */
function charactersOf(source: string): string[] {
  const escaped = [...source.matchAll(/\\([dwsDWS])/g)].map(([, name]) => members[name ?? ''] ?? '')
  const properties = source.includes('\\p{') ? ['é', '-'] : []
  const plain = source
    .replace(/\\[pP]\{[^}]*\}|\\x[0-9a-f]{2}|\\u[0-9a-f]{4}|\\[dwsDWSbBnrt0]|\(\?[:=!<]*|\{\d+,?\d*\}/gi, '')
    .replace(/[\\()[\]{}|*+?^$]/g, '')
  return [...new Set([...escaped, ...properties, ...plain, 'a', ' '])].slice(0, charactersMax)
}

/** Long runs of one character or of two in turn, after a beginning that matches, with an end that does not. */
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

/**
 * Returns what an attack costs, in ms of the processor; broken off, where it takes long, after `msMax` by the clock.
 */
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
/** A quarter of the signs cost it a sixteenth of the work; a tenth of the whole is far from either side. */
const workMsMax = (workMs(bad, `${' '.repeat(bytes / 4)}\0`, 600_000).ms * 16) / 10

/**
 * Returns whether an attack makes an expression think for long. One that was broken off before it had worked is tried
 * longer.
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

test('the source is read: there are expressions, and a bad one is found', () => {
  expect(different.length).toBeGreaterThan(100)
  expect(slowest({ source: '^(a+)+$', flags: '' })).not.toBeNull()
  expect(slowest(bad)).not.toBeNull()
  expect(slowest({ source: '^[a-z]+$', flags: '' })).toBeNull()
})

describe('every expression is done with 100 kB in a moment', () => {
  test.each(different)('%s', (_, expression) => {
    expect(slowest(expression), expression.file).toBeNull()
  })
})
