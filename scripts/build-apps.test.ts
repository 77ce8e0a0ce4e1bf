/** Builds of two small apps by the product's own program: their marks, and what the operator reads about failures. */
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
let place: string

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'portal-build-'))
  write('package.json', '{ "type": "module" }')
  write(
    'start.ts',
    `import { buildApps, compressApps } from './scripts/build-apps.ts'
await buildApps()
console.log('served')
await compressApps().catch((error) => console.error(error.message))
`,
  )
  mkdirSync(join(place, 'scripts'))
  cpSync(join(import.meta.dirname, 'build-apps.ts'), join(place, 'scripts/build-apps.ts'))
  symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'))
  for (const app of ['portal', 'office']) {
    write(`${app}/index.html`, `<script type="module" src="./main.ts"></script>`)
    write(`${app}/main.ts`, `document.title = '${app}'\n`)
    const config = { root: join(place, app), build: { outDir: `../dist/${app}`, emptyOutDir: true } }
    write(`${app}/vite.config.ts`, `export default ${JSON.stringify(config)}\n`)
  }
})

afterEach(() => rmSync(place, { recursive: true, force: true }))

function write(path: string, text: string): void {
  mkdirSync(join(place, path, '..'), { recursive: true })
  writeFileSync(join(place, path), text)
}

const isThere = (path: string) => existsSync(join(place, 'dist', path))
const marks = () =>
  ['portal.built', 'portal.compressed', 'office.built', 'office.compressed'].filter((mark) => isThere(mark))

interface End {
  readonly code: number
  readonly said: string
  readonly complained: string
}

/** Runs a program of the place until it and the build that it began have ended. */
function run(program: string): Promise<End> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [join(place, program)], (_error, said, complained) =>
      resolve({ code: child.exitCode ?? -1, said, complained }),
    )
  })
}

/** Makes the compressed copy of the portal's page impossible: its place is taken by a directory. */
const takePlaceOfCopy = () => write('portal/public/index.html.part/taken', '')
const freePlaceOfCopy = () => rmSync(join(place, 'dist/portal/index.html.part'), { recursive: true })

test('a build is marked, and not repeated until a source changes', async () => {
  expect(await run('scripts/build-apps.ts')).toMatchObject({ code: 0, said: 'Built portal and office.\n' })
  expect(marks()).toEqual(['portal.built', 'portal.compressed', 'office.built', 'office.compressed'])
  expect([isThere('portal/index.html.br'), isThere('office/index.html.br')]).toEqual([true, true])
  expect(await run('scripts/build-apps.ts')).toMatchObject({ code: 0, said: 'Portal and office are up to date.\n' })
  write('office/main.ts', "document.title = 'changed'\n")
  expect(await run('scripts/build-apps.ts')).toMatchObject({ code: 0, said: 'Built office.\n' })
})

test('a start whose copies could not be compressed serves its pages and says so; the next one makes the copies', async () => {
  takePlaceOfCopy()
  const first = await run('start.ts')
  expect(first).toMatchObject({ code: 0, said: 'served\n' })
  expect(first.complained).toContain('portal and office could not be compressed.\n')
  expect(first.complained).toContain('index.html.part')
  expect(marks()).toEqual(['portal.built', 'office.built'])
  const builtAt = statSync(join(place, 'dist/portal/index.html')).mtimeMs

  freePlaceOfCopy()
  expect(await run('start.ts')).toEqual({ code: 0, said: 'served\n', complained: '' })
  expect(marks()).toEqual(['portal.built', 'portal.compressed', 'office.built', 'office.compressed'])
  expect(isThere('portal/index.html.br')).toBe(true)
  expect(statSync(join(place, 'dist/portal/index.html')).mtimeMs).toBe(builtAt)
})

test('npm run build fails without its copies', async () => {
  takePlaceOfCopy()
  const { code, complained } = await run('scripts/build-apps.ts')
  expect(code).toBe(1)
  expect(complained).toContain('portal and office could not be compressed.\n')
  expect(marks()).toEqual(['portal.built', 'office.built'])
})

test('an app that cannot be built is no longer marked, and the other one stays', async () => {
  await run('scripts/build-apps.ts')
  write('office/main.ts', 'document.title = (\n')
  const { code, complained } = await run('start.ts')
  expect(code).toBe(1)
  expect(complained).toContain('office could not be built.\n')
  expect(complained).toContain('main.ts')
  expect(marks()).toEqual(['portal.built', 'portal.compressed'])
})
