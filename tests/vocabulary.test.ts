/** Keeps out the words that the standard vocabulary replaced (ADR 171): each use that is left is listed with its reason. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { usesLeft } from './words-left.ts'

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

/** What of a line is no home-made word: a row of `usesLeft` explains it. */
const explained = (file: string, line: string) =>
  usesLeft.some(({ where, text }) => where.test(file) && text.test(line))

test('there are words to look for and files to look into', () => {
  expect(words.length).toBeGreaterThan(15)
  expect(files.length).toBeGreaterThan(1000)
  expect('whoever knocks, and nobody'.match(pattern)).toHaveLength(3)
})

test('the words that ADR 171 replaced are used only where a reason is given', () => {
  const used = files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        line.match(pattern) && !explained(file, line) ? [`${file}:${index + 1}: ${line.trim()}`] : [],
      ),
  )
  expect(used).toEqual([])
})

test('every reason still explains a use', () => {
  const texts = files.map((file) => ({ file, lines: readFileSync(join(root, file), 'utf8').split('\n') }))
  const idle = usesLeft.filter(
    ({ where, text }) =>
      !texts.some(
        ({ file, lines }) => where.test(file) && lines.some((line) => text.test(line) && line.match(pattern)),
      ),
  )
  expect(idle.map(({ reason, text }) => `${text.source}: ${reason}`)).toEqual([])
})
