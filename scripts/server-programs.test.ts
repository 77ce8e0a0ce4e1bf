/** Bundles two small programs with the product's own script: when they are bundled again, and which files they find. */
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
let place: string

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'portal-programs-'))
  mkdirSync(join(place, 'scripts'))
  cpSync(join(import.meta.dirname, 'server-programs.ts'), join(place, 'scripts/server-programs.ts'))
  symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'))
  write('package.json', '{ "type": "module", "imports": { "#server/*": "./server/*" } }')
  write('server/text.ts', "export const text: string = 'first'\n")
  write('server/beside.txt', 'beside')
  write(
    'server/file.ts',
    `import { readFileSync } from 'node:fs'
import { join } from 'node:path'
export const texts = [new URL('./beside.txt', import.meta.url), join(import.meta.dirname, 'beside.txt')].map((path) =>
  readFileSync(path, 'utf8'),
)
`,
  )
  write('scripts/serve.ts', "export { text } from '#server/text.ts'\nexport { texts } from '#server/file.ts'\n")
  write('scripts/seed.ts', "export { text } from '#server/text.ts'\n")
  write(
    'start.ts',
    `import { bundledPrograms } from './scripts/server-programs.ts'
const { serve, seed } = await bundledPrograms()
const [{ text, texts }, played] = await Promise.all([import(serve), import(seed)])
console.log(text, played.text, texts.join(' '))
`,
  )
})

afterEach(() => rmSync(place, { recursive: true, force: true }))

function write(path: string, text: string): void {
  mkdirSync(join(place, path, '..'), { recursive: true })
  writeFileSync(join(place, path), text)
}

/** Starts both programs and returns what they print, or the error's text. */
function start(): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, [join(place, 'start.ts')], (error, output, complained) =>
      resolve(error === null ? output.trim() : complained),
    )
  })
}

const bundleTime = () => statSync(join(place, '.cache/server/sources.json')).ctimeMs

test('programs are bundled at the first start, and again only when a source has changed', async () => {
  expect(await start()).toBe('first first beside beside')
  const first = bundleTime()
  expect(await start()).toBe('first first beside beside')
  expect(bundleTime()).toBe(first)
  write('server/text.ts', "export const text: string = 'second'\n")
  expect(await start()).toBe('second second beside beside')
})

test('programs are bundled again after their folder was moved, so that they find their files', async () => {
  await start()
  const before = place
  place = `${before}-moved`
  renameSync(before, place)
  expect(await start()).toBe('first first beside beside')
})

test('a source with a syntax error ends the start with the file’s name, and the next start bundles the corrected source', async () => {
  await start()
  write('server/text.ts', 'export const text = (\n')
  expect(await start()).toContain('text.ts')
  write('server/text.ts', "export const text: string = 'mended'\n")
  expect(await start()).toBe('mended mended beside beside')
})
