/**
 * A start does not wait for the fonts of documents, a document rendered without them states that characters are
 * missing, and two processes can install them at the same time.
 */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { pdfText } from '#tests/files.ts'

const root = dirname(import.meta.dirname)
const runs = promisify(execFile)
let place: string

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'portal-fonts-'))
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(root, file), join(place, file))
  symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'))
})

afterEach(() => rmSync(place, { recursive: true, force: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(place, path)), { recursive: true })
  writeFileSync(join(place, path), text)
}

/** Runs a program as on a machine on which the fonts were never installed, and returns the JSON that it prints. */
async function runWithoutFonts<Result>(program: string): Promise<Result> {
  for (const folder of ['server', 'contract', 'rules']) symlinkSync(join(root, folder), join(place, folder))
  write('draw.ts', program)
  // The fonts are looked up next to the links and not next to their targets.
  const asIfHere = ['--preserve-symlinks', '--preserve-symlinks-main']
  const { stdout } = await runs(process.execPath, [...asIfHere, join(place, 'draw.ts')], { maxBuffer: 1e7 })
  return JSON.parse(stdout) as Result
}

test('npm start is ready before the fonts are installed and the pages compressed, which continue in the background', async () => {
  for (const name of ['run.mjs', 'start.ts', 'usage.mjs', 'node-version.mjs'])
    cpSync(join(root, 'scripts', name), join(place, 'scripts', name))
  write('scripts/git-hooks.mjs', 'export function useGitHooks() {}')
  write('scripts/demo-sign-ins.ts', 'export const demoSignIns = []')
  write(
    'scripts/build-apps.ts',
    `export const buildApps = async () => []
export const compressApps = async () => console.log('The copies are being compressed.')`,
  )
  write('scripts/server-programs.ts', 'export const bundledPrograms = async () => ({})')
  write('scripts/stack.ts', 'export const startStack = async () => ({ serverEnv: {}, demoData: null })')
  write('scripts/simulators.ts', "export const moveMarkets = async () => console.log('The market moves.')")
  write('server/config/config.ts', "export const readConfig = () => ({ portalUrl: '', officeUrl: '', dataDir: '' })")
  write(
    'scripts/fonts.mjs',
    `export async function installFonts() {
  console.log('The fonts are being installed.')
  await null
  console.log('The fonts are installed.')
}`,
  )
  const { stdout } = await runs(process.execPath, [join(place, 'scripts/run.mjs'), 'start'])
  expect(stdout.match(/Ready|The (fonts|copies|market).*\./g)).toEqual([
    'Ready',
    'The fonts are being installed.',
    'The copies are being compressed.',
    'The market moves.',
    'The fonts are installed.',
  ])
})

test('a document rendered without fonts keeps the rest of its text and states that characters are missing', async () => {
  const { pdf, awaitsFonts } = await runWithoutFonts<{ pdf: string; awaitsFonts: boolean }>(
    `import { createPdf } from '#server/pdf/document.ts'
const { page, printed, awaitsFonts } = await createPdf({ size: 'A4' }, 'en')
page.text('Account holder: Αλέξης အောင် محمد, 12 May')
page.end()
process.stdout.write(JSON.stringify({ pdf: (await printed).toString('base64'), awaitsFonts: awaitsFonts() }))`,
  )
  const text = await pdfText(Buffer.from(pdf, 'base64'))
  expect(text).toContain('Account holder: Αλέξης')
  expect(text).not.toContain('محمد')
  expect(text).toContain('Some characters in this document')
  expect(awaitsFonts).toBe(true)
})

test('without the fonts of a client’s name a yearly statement is rendered with a note, and a monthly one is not rendered', async () => {
  const { year, plain, month } = await runWithoutFonts<{ year: string; plain: string; month: string }>(
    `import { render as renderMonth } from '#server/features/statements/render-month.ts'
import { render as renderYear } from '#server/features/statements/render-year.ts'
const plain = { firm: 'Harbour Markets Ltd', client: 'Hannah Brandt', platform: 'MT5', number: '50124471',
  accountType: 'Standard', currency: 'EUR', language: 'en', createdAt: new Date('2026-09-03T09:00:00Z'), timeZone: 'Europe/London' }
const named = { ...plain, client: 'கார்த்திக் Brandt' }
const end = { balance: '100000', credit: '0', floating: '0' }
const months = [{ month: '2026-08', edition: 1, opening: end, closing: end, rows: {} }]
const facts = { opening: end, closing: end, rows: {}, trades: [], movements: [], positions: [], positionsMs: null, offsetMinutes: 180 }
const base64 = async (pdf) => Buffer.from(await pdf).toString('base64')
process.stdout.write(JSON.stringify({
  year: await base64(renderYear({ head: named, year: '2026', months, missing: [] })),
  plain: await base64(renderYear({ head: plain, year: '2026', months, missing: [] })),
  month: await base64(renderMonth({ head: named, month: '2026-08-01', edition: 1, facts })),
}))`,
  )
  const read = (pdf: string) => pdfText(Buffer.from(pdf, 'base64'))
  // The PDF reader omits the end of a page that contains replacement boxes.
  const lacking = 'Some characters'
  const text = await read(year)
  for (const words of ['Brandt', 'August 2026', lacking]) expect(text).toContain(words)
  expect(await read(plain)).not.toContain(lacking)
  expect(month).toBe('')
})

test('two processes that install the fonts at the same time both succeed and leave no temporary files', async () => {
  cpSync(join(root, 'scripts/fonts.mjs'), join(place, 'scripts/fonts.mjs'))
  write('fonts/package.json', '{}')
  write('fonts/.npmrc', '')
  write('fonts/package-lock.json', '{"packages":{"":{},"node_modules/one":{"integrity":"sha512-new"}}}')
  write('fonts/node_modules/.package-lock.json', '{"packages":{"node_modules/one":{"integrity":"sha512-old"}}}')
  const waiting: ServerResponse[] = []
  const bothBegan = createServer((_, response) => {
    if (waiting.push(response) === 2) for (const one of waiting) one.end()
  })
  await once(bothBegan.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void bothBegan.close())
  // Like npm, this empties the folder first and writes the list of packages last.
  write(
    'npm.js',
    `import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
rmSync('node_modules', { recursive: true, force: true })
mkdirSync('node_modules')
writeFileSync('node_modules/' + process.pid, '')
await fetch('http://127.0.0.1:${(bothBegan.address() as AddressInfo).port}')
if (readdirSync('node_modules').join() !== String(process.pid)) process.exit(1)
cpSync('package-lock.json', 'node_modules/.package-lock.json')`,
  )
  write('install.mjs', "import { installFonts } from './scripts/fonts.mjs'\nconsole.log(await installFonts())")
  const env = { ...process.env, npm_execpath: join(place, 'npm.js') }
  const install = async () => (await runs(process.execPath, [join(place, 'install.mjs')], { env })).stdout.trim()
  expect(await Promise.all([install(), install()])).toEqual(['true', 'true'])
  expect(readdirSync(join(place, '.cache'))).toEqual([])
  expect(readdirSync(join(place, 'fonts')).toSorted()).toEqual([
    '.npmrc',
    'node_modules',
    'package-lock.json',
    'package.json',
  ])
})
