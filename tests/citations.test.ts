/** Citations have targets: cited requirements, decision records and files exist (docs/architecture.md, rule 12). */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = dirname(import.meta.dirname)
const decisions = globSync('docs/decisions/[0-9]*.md', { cwd: root })
const requirements = readFileSync(join(root, 'docs/requirements.md'), 'utf8')
const numbers = [...requirements.matchAll(/^\| (\d+\.\d+) \|/gm)].map(([, number]) => number ?? '')
const chapters = [...requirements.matchAll(/^## (\d+) /gm)].map(([, number]) => number ?? '')

/**
 * Migrations are never edited; the requirements name their sources in a separate column; this file contains the words.
 */
const isRead = (file: string) =>
  !/^server\/db\/migrations\/|^docs\/requirements\.md$|^tests\/citations\.test\.ts$|^package-lock\.json$/.test(file)
const sources = filesOfTheRepository().filter(isRead)
const textOf = new Map(sources.map((file) => [file, readFileSync(join(root, file), 'utf8')]))

/** Documents from which the requirements were taken, and which are not part of the repository. */
const workingPapers =
  /\b(specification|product-decisions|quality[- ]bar|security[- ]checklist|issue text)\b|\b(mechanics|house|design|integrations),? (section |rule |part )?\d|\b(attacks?|faults?) [A-K]\d|\bdecisions? \d|\bdesign-\d\b|\((sections? \d+|[A-K]\d{1,2}(, [A-K]\d{1,2})*)\)|\b[IK]\d{1,2}(, [IK]\d{1,2})*: /gi

/** A citation may span two lines of a comment. */
const space = String.raw`(?:[ \t]*\n[ \t]*(?:\*|//|#)?[ \t]*|[ \t]+)`
const list = (one: string) => String.raw`${one}(?:(?:,|${space}and|${space}to)${space}${one})*`
const requirementCitations = new RegExp(String.raw`\brequirements${space}(${list(String.raw`\d+(?:\.\d+)?\b`)})`, 'gi')
const decisionCitations = new RegExp(String.raw`\bADRs?${space}(${list(String.raw`\d+\b`)})`, 'g')

/** Returns the text files that git knows; without git, as in an unpacked archive, those of the layers and documents. */
function filesOfTheRepository(): string[] {
  const isText = (file: string) =>
    /\.(ts|tsx|mjs|css|md|yaml|yml|json|conf|sh|example)$|Containerfile$|^\.githooks/.test(file)
  const listed = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: root })
  const tracked = listed.status === 0 ? listed.stdout.toString().split('\0') : []
  const found =
    tracked.length > 1
      ? tracked
      : globSync('{rules,contract,server,ui,portal,office,simulators,scripts,tests,bench,deploy,docs}/**/*', {
          cwd: root,
        })
  return found.map((file) => file.replaceAll('\\', '/')).filter((file) => isText(file) && existsSync(join(root, file)))
}

/** Returns all matches, as `file:line text`. */
function matches(pattern: RegExp, isWrong: (match: RegExpMatchArray) => boolean): string[] {
  return [...textOf].flatMap(([file, text]) =>
    [...text.matchAll(pattern)]
      .filter(isWrong)
      .map((match) => `${file}:${text.slice(0, match.index).split('\n').length} ${match[0].replace(/\s+/g, ' ')}`),
  )
}

const numbersIn = (text: string | undefined) => text?.match(/\d+(\.\d+)?/g) ?? []

test('no file cites a working paper', () => {
  expect(sources.length).toBeGreaterThan(1000)
  const advice = 'Cite a number of docs/requirements.md, an ADR, a regulation or a standard instead.'
  expect(
    matches(workingPapers, () => true),
    advice,
  ).toEqual([])
})

test('every requirement has one number', () => {
  expect(numbers.length).toBeGreaterThan(450)
  expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([])
  expect(numbers.filter((number) => !chapters.includes(number.split('.')[0] ?? ''))).toEqual([])
})

test('every cited requirement exists', () => {
  expect(matches(requirementCitations, () => true).length).toBeGreaterThan(500)
  const known = new Set([...numbers, ...chapters])
  expect(matches(requirementCitations, ([, cited]) => numbersIn(cited).some((number) => !known.has(number)))).toEqual(
    [],
  )
})

test('every decision record has a unique number, the standard form and a row in the index', () => {
  expect(decisions.length).toBeGreaterThan(60)
  const index = readFileSync(join(root, 'docs/decisions/README.md'), 'utf8')
  const found = decisions.map((path) => {
    const name = path.replaceAll('\\', '/').split('/').at(-1) ?? ''
    const text = readFileSync(join(root, path), 'utf8')
    return {
      name,
      number: Number(name.slice(0, 4)),
      text,
      heading: /^# ADR (\d+): \S.*\n\nStatus: .+\. Date: .+\.\n/.exec(text),
    }
  })
  const sections = ['## Context', '## Decision', '## Consequences']
  const wrong = found.filter(
    ({ name, number, text, heading }) =>
      Number(heading?.[1]) !== number ||
      !index.includes(`| [${number}](${name}) |`) ||
      sections.some((section) => !text.includes(`\n${section}\n`)),
  )
  expect(wrong.map(({ name }) => name)).toEqual([])
  const given = found.map(({ number }) => number)
  expect(given.filter((number, at) => given.indexOf(number) !== at)).toEqual([])
})

test('every cited decision record exists', () => {
  const known = new Set(decisions.map((path) => String(Number(/(\d{4})-/.exec(path)?.[1]))))
  expect(matches(decisionCitations, () => true).length).toBeGreaterThan(80)
  expect(matches(decisionCitations, ([, cited]) => numbersIn(cited).some((number) => !known.has(number)))).toEqual([])
})

test('documents link to files and headings that exist', () => {
  const links = sources
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) =>
      [...(textOf.get(file) ?? '').matchAll(/\]\(([^)\s#]*)(?:#([^)\s]*))?\)/g)]
        .filter(([, to]) => !/^[a-z]+:/.test(to ?? ''))
        .map(([, to, heading]) => ({ file, to: to === '' ? file : join(dirname(file), to ?? ''), heading })),
    )
  expect(links.length).toBeGreaterThan(80)
  expect(links.filter(({ to }) => !existsSync(join(root, to)))).toEqual([])
  const toHeadings = links.filter(({ heading }) => heading !== undefined)
  expect(toHeadings.length).toBeGreaterThan(2)
  expect(toHeadings.filter(({ to, heading }) => !anchorsOf(to).includes(heading ?? ''))).toEqual([])
})

/** Returns the anchors of a document's headings, as GitHub and editors derive them. */
function anchorsOf(file: string): string[] {
  const headings = [...(textOf.get(file) ?? '').matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading ?? '')
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

test('operations.md names log messages that the server writes', () => {
  const [, alerts] = /^- Log: level 50 and above, (.+)\.$/m.exec(textOf.get('docs/operations.md') ?? '') ?? []
  const messages = [...(alerts ?? '').matchAll(/`([^`]+)`/g)].map(([, message]) => message ?? '')
  expect(messages.length).toBeGreaterThan(2)
  const server = sources
    .filter((file) => /^server\/.*(?<!\.test)\.ts$/.test(file))
    .map((file) => textOf.get(file) ?? '')
  expect(messages.filter((message) => !server.some((text) => text.includes(`'${message}'`)))).toEqual([])
})

const layers = 'rules|contract|server|ui|portal|office|simulators|scripts|tests|bench|deploy|docs|\\.githooks|\\.ci'
const pathsFromRoot = new RegExp(String.raw`(?<![\w@#./-])(?:/product/|\./)?((?:${layers})/[\w./-]*\w)`, 'g')

test('scripts, configuration, deployment files and documents name files that exist', () => {
  const named = sources
    .filter((file) => !/^(rules|contract|server|ui|portal|office|simulators|tests)\/|\.test\.ts$|0171-/.test(file))
    .flatMap((file) =>
      [...(textOf.get(file) ?? '').matchAll(pathsFromRoot)].map(([, path]) => ({ file, path: path ?? '' })),
    )
    .filter(({ path }) => !path.includes('NNNN'))
  expect(named.length).toBeGreaterThan(300)
  expect(named.filter(({ path }) => globSync([path, `${path}.*`], { cwd: root }).length === 0)).toEqual([])
})

test('the security document names tests that exist', () => {
  const tests = sources.filter((file) => /\.(test|spec)\.tsx?$/.test(file))
  const names = new Set(tests.map((file) => /([^/]+)\.(test|spec)\.tsx?$/.exec(file)?.[1]))
  const shownBy = (textOf.get('docs/security.md') ?? '')
    .split('\n')
    .filter((line) => /^\| \d/.test(line))
    .flatMap((line) => [...(line.split('|').at(-2) ?? '').matchAll(/`([\w-]+)`/g)].map(([, name]) => name ?? ''))
  expect(shownBy.length).toBeGreaterThan(150)
  expect([...new Set(shownBy.filter((name) => !names.has(name)))]).toEqual([])
})
