/**
 * Keeps out the words that the standard vocabulary replaced (ADR 171): each use that is left is listed with its reason.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { allowedUses } from './words-left.ts'

const root = dirname(import.meta.dirname)
const words = readFileSync(join(root, 'tests/home-made-words.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
const pattern = new RegExp(`\\b(?:${words.join('|')})\\b`, 'gi')
const leftOut =
  /^server\/db\/migrations\/|^rules\/country-data\.ts$|standard-vocabulary|^tests\/(words-left|vocabulary\.test)\.ts$/

const rooms = '{rules,contract,server,ui,portal,office,simulators,scripts,tests,bench}'
const files = globSync([`${rooms}/**/*.{ts,tsx,po}`, '*.ts', 'docs/**/*.md', 'README.md'], { cwd: root })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !leftOut.test(file))

interface Use {
  readonly file: string
  readonly line: number
  readonly word: string
}

const uses: readonly Use[] = files.flatMap((file) =>
  readFileSync(join(root, file), 'utf8')
    .split('\n')
    .flatMap((text, index) =>
      (text.match(pattern) ?? []).map((word) => ({ file, line: index + 1, word: word.toLowerCase() })),
    ),
)

test('the lists of words and files are not empty, and the pattern matches', () => {
  expect(words.length).toBeGreaterThan(15)
  expect(files.length).toBeGreaterThan(1000)
  expect('whoever knocks, and nobody'.match(pattern)).toHaveLength(3)
})

test('words that ADR 171 replaced are used only with a listed reason', () => {
  const left = uses.filter(({ file, word }) => !allowedUses.some((row) => row.file === file && row.word === word))
  expect(left.map(({ file, line, word }) => `${file}:${line} ${word}`)).toEqual([])
  expect(uses.length).toBeLessThanOrEqual(31)
})

test('every listed reason still has a use', () => {
  const idle = allowedUses.filter((row) => !uses.some(({ file, word }) => row.file === file && row.word === word))
  expect(idle).toEqual([])
})
