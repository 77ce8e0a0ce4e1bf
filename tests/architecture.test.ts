/**
 * Enforces rules that documents and reviews would miss: which directory may import which, names, sizes, and forbidden
 * words.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

const root = dirname(import.meta.dirname)
const layers = ['rules', 'contract', 'server', 'ui', 'portal', 'office', 'simulators', 'scripts', 'tests', 'bench']
const everythingButApps = ['rules', 'contract', 'server', 'ui', 'simulators', 'scripts', 'tests', 'bench']
const mayImport: Record<string, readonly string[]> = {
  rules: [],
  contract: ['rules'],
  server: ['contract', 'rules'],
  ui: ['contract', 'rules'],
  portal: ['ui', 'contract', 'rules'],
  office: ['ui', 'contract', 'rules'],
  simulators: [],
  scripts: ['server', 'contract', 'rules'],
  tests: everythingButApps,
  bench: everythingButApps,
}
const linesMax = 400
/** Files that may be long, because they are long lists. */
const mayBeLong =
  /\.(test|spec)\.tsx?$|catalogues\/|locales\/|^rules\/(countries|constants|choices)\.ts$|^contract\/problems[a-z-]*\.ts$|common-passwords\.ts$/
const bannedNames = /(^|[/-])(utils?|helpers?|common|shared|misc|services?|managers?)(\/|\.|$)|(^|\/)index\.tsx?$/
/** The modules of a feature that others may import: its queries. */
const sharedByFeatures = ['queries.ts']
/** The errors of a call to an integration, which distinguish an outage from a bug. */
const errorsOfIntegrations = ['server/integrations/errors.ts', 'server/integrations/card-provider/payment-provider.ts']
const bannedWords = [
  /\b(TODO|FIXME|XXX|HACK)\b/,
  /@ts-(ignore|nocheck|expect-error)/,
  /(oxlint|eslint)-disable/,
  /rejectUnauthorized:\s*false/,
  /\b(it|test|describe)\.(skip|only|todo|fixme)\b/,
]

interface Import {
  readonly target: string
  readonly typeOnly: boolean
}

const files = globSync(`{${layers.join(',')}}/**/*.{ts,tsx}`, { cwd: root, exclude: ['**/node_modules/**'] })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file !== 'tests/architecture.test.ts')
const textOf = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
const isTest = (file: string) => /\.(test|spec)\.tsx?$/.test(file)
const isOfTests = (file: string) => isTest(file) || layerOf(file) === 'tests'
const layerOf = (file: string) => file.split('/')[0] ?? ''
const importsOf = new Map(files.map((file) => [file, importsIn(file)]))

/** Returns the imports of our own files, as paths from the root. */
function importsIn(file: string): Import[] {
  const found = textOf.get(file)?.matchAll(/^\s*(import|export)\s+(type\s)?[^'"`;]*?from\s+'([^']+)'/gm) ?? []
  const dynamic = textOf.get(file)?.matchAll(/\bimport\('([^']+)'\)/g) ?? []
  const all = [
    ...[...found].map(([, , type, from]) => ({ from: from ?? '', typeOnly: type !== undefined })),
    ...[...dynamic].map(([, from]) => ({ from: from ?? '', typeOnly: true })),
  ]
  return all
    .filter(({ from }) => from.startsWith('#') || from.startsWith('.'))
    .map(({ from, typeOnly }) => ({
      target: from.startsWith('#') ? from.slice(1) : normalize(join(dirname(file), from)).replaceAll('\\', '/'),
      typeOnly,
    }))
}

/** Returns `file → target` for every import for which `wrong` is true; a failing test prints them. */
function wrongImports(wrong: (file: string, found: Import) => boolean): string[] {
  return files.flatMap((file) =>
    (importsOf.get(file) ?? []).filter((found) => wrong(file, found)).map(({ target }) => `${file} → ${target}`),
  )
}

function filesWith(pattern: RegExp, among: (file: string) => boolean = () => true): string[] {
  return files.filter((file) => among(file) && pattern.test(textOf.get(file) ?? ''))
}

test('every import resolves to a file', () => {
  expect(files.length).toBeGreaterThan(20)
  expect(wrongImports((_, { target }) => !target.includes('*') && !existsSync(join(root, target)))).toEqual([])
})

test('a layer imports only the layers listed for it', () => {
  const wrong = wrongImports((file, { target }) => {
    const [from, to] = [layerOf(file), layerOf(target)]
    if (from === to || !layers.includes(to)) return false
    return !(isTest(file) ? everythingButApps : (mayImport[from] ?? [])).includes(to)
  })
  expect(wrong).toEqual([])
})

test('a feature of the server imports only the queries of another one, and receives integrations as arguments', () => {
  const featureOf = (file: string) => /^server\/features\/([^/]+)\//.exec(file)?.[1]
  const wrong = wrongImports((file, { target, typeOnly }) => {
    const [from, to] = [featureOf(file), featureOf(target)]
    if (from === undefined || isTest(file)) return false
    if (target.startsWith('server/integrations/')) return !typeOnly && !errorsOfIntegrations.includes(target)
    return to !== undefined && to !== from && !sharedByFeatures.includes(basename(target))
  })
  expect(wrong).toEqual([])
})

test('rules are pure functions: they use no Node module, clock or random numbers', () => {
  const impure = /from 'node:|\bDate\.now\(|\bnew Date\(\)|Math\.random|\bfetch\(|process\.env/
  expect(filesWith(impure, (file) => layerOf(file) === 'rules' && !isTest(file))).toEqual([])
})

test('code for browsers imports no Node module', () => {
  const inBrowser = ['contract', 'ui', 'portal', 'office']
  const build = ['ui/api/app-build.ts', 'ui/i18n/catalogue-build.ts', 'portal/vite.config.ts', 'office/vite.config.ts']
  const among = (file: string) => inBrowser.includes(layerOf(file)) && !isTest(file) && !build.includes(file)
  expect(filesWith(/from 'node:/, among)).toEqual([])
})

test('there are no import cycles, type-only and lazy imports included', () => {
  const cycles: string[] = []
  const done = new Set<string>()
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' → '))
    if (done.has(file) || path.includes(file)) return
    for (const { target } of importsOf.get(file) ?? []) visit(target, [...path, file])
    done.add(file)
  }
  for (const file of files) visit(file, [])
  expect(cycles).toEqual([])
})

/** Large libraries that a server loads when it first needs them (ADRs 63 and 308). */
const loadedLater = ['file-type', 'mmdb-lib', 'nodemailer', 'pdfkit', 'sharp']

test('a starting server loads no library that it only needs later', () => {
  const loaded = new Set(['scripts/serve.ts'])
  for (const file of loaded)
    for (const { target, typeOnly } of importsOf.get(file) ?? []) if (!typeOnly) loaded.add(target)
  expect(loaded.size).toBeGreaterThan(500)
  const early = new RegExp(`^import (?!type )[^'"\`;]*from '(${loadedLater.join('|')})'`, 'm')
  expect(filesWith(early, (file) => loaded.has(file))).toEqual([])
})

/** The operations' own states (waiting, sending, done) are changed in server/jobs, where they are processed. */
const mayWriteStates = /^server\/(db|jobs)\//

test('states are changed only by server/db and server/jobs', () => {
  expect(filesWith(/\bset\s+state\b/i, (file) => !mayWriteStates.test(file) && !isOfTests(file))).toEqual([])
})

test('statements name the columns they read, because a newer version may add columns while this one runs (ADR 95)', () => {
  const everyColumn = /\b(select|returning) ([a-z]\.)?\*(?! from (\(|unnest\b|asked\b|counted\b|further\b))/
  expect(filesWith(everyColumn, (file) => file.startsWith('server/') && !isTest(file))).toEqual([])
})

test('file names are specific, files are not too long, and the server has no tsx', () => {
  expect(files.filter((file) => bannedNames.test(file))).toEqual([])
  const linesOf = (file: string) => textOf.get(file)?.split('\n').length ?? 0
  expect(files.filter((file) => !mayBeLong.test(file) && linesOf(file) > linesMax)).toEqual([])
  expect(files.filter((file) => layerOf(file) === 'server' && file.endsWith('.tsx'))).toEqual([])
})

const smallLinesMax = 40
/** With more lines a file is too long to be read in one go. */
const joinedLinesMax = 300
/** Files that are found by their name, and the templates, one for each subject. */
const namedByConvention = /^server\/.*\/(routes|queries|jobs)\.ts$|^server\/mail\/templates\//
/** Their importers list the handlers of a feature and the dialogs of a lazy chunk. */
const listsItsParts = /\/(routes|dialogs)\.ts$/

test('a small file has more than one importer; otherwise it belongs in its importer (docs/architecture.md 2.2)', () => {
  const linesOf = (file: string) => textOf.get(file)?.split('\n').length ?? 0
  const importersOf = (file: string) => files.filter((one) => importsOf.get(one)?.some(({ target }) => target === file))
  /** A chunk, a worker or a process of its own is named by its path. */
  const isLoadedByPath = (file: string, by: string) =>
    new RegExp(`(import|URL|fork)\\([^)]*${basename(file)}`).test(textOf.get(by) ?? '')
  const isPart = (file: string) => {
    const [by, ...others] = importersOf(file)
    if (by === undefined || others.length > 0 || listsItsParts.test(by) || isLoadedByPath(file, by)) return false
    if (mayWriteStates.test(file) && !mayWriteStates.test(by)) return false
    return linesOf(file) <= smallLinesMax && linesOf(file) + linesOf(by) <= joinedLinesMax
  }
  const mayBeSmall = (file: string) => isOfTests(file) || layerOf(file) === 'bench' || namedByConvention.test(file)
  expect(files.filter((file) => !mayBeSmall(file) && isPart(file))).toEqual([])
})

test('only ui uses cascade layers, so that a screen’s own rules win (ADR 21)', () => {
  const sheets = globSync('{portal,office}/**/*.css', { cwd: root })
  expect(sheets.length).toBeGreaterThan(0)
  expect(sheets.filter((sheet) => readFileSync(join(root, sheet), 'utf8').includes('@layer'))).toEqual([])
})

test('journeys open pages by tests/e2e/fixtures.ts, which closes them', () => {
  const journeys = files.filter((file) => /^tests\/e2e\/.*\.spec\.ts$/.test(file))
  expect(journeys.length).toBeGreaterThan(20)
  const usesFixtures = (file: string) => importsOf.get(file)?.some(({ target }) => target === 'tests/e2e/fixtures.ts')
  expect(journeys.filter((file) => !usesFixtures(file))).toEqual([])
})

test('no test is retried, and time-outs are set only in the two configurations', () => {
  const configurations = ['vitest.config.ts', 'playwright.config.ts'].map((file) =>
    readFileSync(join(root, file), 'utf8'),
  )
  expect(configurations.filter((text) => /\bretry: [1-9]|\bretries: [^0]/.test(text))).toEqual([])
  const ofTheirOwn = /\b(retry|retries|timeout): [\d_]+|\btest\.slow\(|\.set(Default)?Timeout\([\d_]|^\}, [\d_]+\)$/m
  expect(filesWith(ofTheirOwn, isOfTests)).toEqual([])
})

test('no test depends on the machine’s speed: none sleeps or measures time (bench/ does)', () => {
  const sleeps =
    /\btimers\/promises\b|\bwaitForTimeout\b|\bnew Promise\b[^;\n]*\bsetTimeout\b|\bselect\b[^'"]*\bpg_sleep\b/
  expect(filesWith(sleeps, (file) => isOfTests(file) && file !== 'tests/until.ts')).toEqual([])
  const measures = /\bperformance\.now\b|\bhrtime\b|\bconsole\.time\b|Date\.now\(\) - (?![\d_])/
  expect(filesWith(measures, isOfTests)).toEqual([])
})

test('only server/db and contract cast by `as unknown as`', () => {
  const forced = /\bas unknown as\b/
  expect(filesWith(forced, (file) => !/^(server\/db|contract)\//.test(file))).toEqual([])
})

test('languages and staff roles are listed only in rules', () => {
  const isOurs = (file: string) => !isOfTests(file) && file !== 'rules/choices.ts' && file !== 'rules/actors.ts'
  expect(filesWith(/'en' \| 'de'|'de' \| 'en'|\['en', 'de'\]/, isOurs)).toEqual([])
  expect(filesWith(/'compliance',\s*'operations',\s*'finance',\s*'administrator'/, isOurs)).toEqual([])
})

test('only the platform’s handshake uses MD5', () => {
  const vendors = /^server\/integrations\/trading-platform\/mt5\/|^simulators\//
  expect(filesWith(/['"]md5['"]/i, (file) => !vendors.test(file))).toEqual([])
})

test.each(bannedWords)('no file contains %s', (word) => {
  expect(filesWith(word)).toEqual([])
})

/** Each surrounds one call of a library that reads untrusted input. */
const mayCatchAll = [
  'server/features/documents/read-mrz.ts',
  'server/features/files/read-pdf.ts',
  'server/features/files/search-pdf.ts',
]

test('the server catches no error without inspecting it, so that no bug looks like an outage', () => {
  const isOfServer = (file: string) => layerOf(file) === 'server' && !isTest(file)
  expect(filesWith(/\bcatch\s*(\(\s*\))?\s*\{/, isOfServer).filter((file) => !mayCatchAll.includes(file))).toEqual([])
})

test('the back office formats dates only by ui/text/time.tsx', () => {
  const otherForms =
    /form="(history|bank)"|\b(historyTime|bankDate|DateTimeFormat|toLocale(Date|Time)?String\(\w*locale, \{)/
  // This screen shows staff the dates of the firm notice as clients see them.
  const ofClients = 'office/screens/settings/previews/notice-date.ts'
  const screens = files.filter((file) => layerOf(file) === 'office' && !isTest(file))
  expect(screens.length).toBeGreaterThan(100)
  expect(screens.filter((file) => file !== ofClients && otherForms.test(textOf.get(file) ?? ''))).toEqual([])
})

test('server and ui have no loose files except those that start and combine the parts', () => {
  const loose = (room: string) => files.filter((file) => new RegExp(`^${room}/[^/]+$`).test(file)).toSorted()
  expect(loose('server')).toEqual(['app', 'dependencies', 'features', 'main'].map((name) => `server/${name}.ts`))
  expect(loose('ui')).toEqual(['ui/assets.d.ts', 'ui/without-eval.ts'])
})

/**
 * A pattern with a directory's name matches nothing once the directory is renamed, so each must still find its files.
 */
test.each([
  ['features', /^server\/features\/[^/]+\//, 250],
  ['queries of features', /^server\/features\/.+\/queries\.ts$/, 25],
  ['integrations', /^server\/integrations\//, 30],
  ['errors of integrations', new RegExp(`^(${errorsOfIntegrations.join('|')})$`), errorsOfIntegrations.length],
  ['files that may write states', mayWriteStates, 40],
  ['files that may use MD5', /^server\/integrations\/trading-platform\/mt5\//, 6],
  ['files that may catch everything', new RegExp(`^(${mayCatchAll.join('|')})$`), mayCatchAll.length],
  ['files that may be long', mayBeLong, 100],
  ['screens of the back office', /^office\/screens\/.+\.tsx$/, 100],
  ['journeys', /^tests\/e2e\/.+\.spec\.ts$/, 20],
])('%s: the patterns of this file match them', (_, pattern, least) => {
  expect(files.filter((file) => pattern.test(file)).length).toBeGreaterThanOrEqual(least)
})

test('imports of integrations, and imports between features, are detected', () => {
  const all = files.flatMap((file) => (importsOf.get(file) ?? []).map(({ target }) => ({ file, target })))
  const ofFeatures = all.filter(({ file }) => file.startsWith('server/features/'))
  expect(ofFeatures.filter(({ target }) => target.startsWith('server/integrations/')).length).toBeGreaterThan(10)
  const other = ({ file, target }: (typeof all)[number]) =>
    target.startsWith('server/features/') && target.split('/')[2] !== file.split('/')[2]
  expect(ofFeatures.filter(other).length).toBeGreaterThan(20)
})
