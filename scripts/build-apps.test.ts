/** Builds two small apps with the product's own script: the files that mark a build, and the reports of failures. */
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

const isInDist = (path: string) => existsSync(join(place, 'dist', path))
const marks = () =>
  ['portal.built', 'portal.compressed', 'office.built', 'office.compressed'].filter((mark) => isInDist(mark))

interface ProgramResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program of the temporary folder until it and the build that it started have ended. */
function run(program: string): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [join(place, program)], (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}

/** Makes compressing the portal's page fail: a directory occupies the path of the copy. */
const blockCopy = () => write('portal/public/index.html.part/taken', '')
const unblockCopy = () => rmSync(join(place, 'dist/portal/index.html.part'), { recursive: true })

test('a build leaves files that mark it as complete, and is not repeated until a source changes', async () => {
  expect(await run('scripts/build-apps.ts')).toMatchObject({ code: 0, stdout: 'Built portal and office.\n' })
  expect(marks()).toEqual(['portal.built', 'portal.compressed', 'office.built', 'office.compressed'])
  expect([isInDist('portal/index.html.br'), isInDist('office/index.html.br')]).toEqual([true, true])
  expect(await run('scripts/build-apps.ts')).toMatchObject({
    code: 0,
    stdout: 'Portal and back office are up to date.\n',
  })
  write('office/main.ts', "document.title = 'changed'\n")
  expect(await run('scripts/build-apps.ts')).toMatchObject({ code: 0, stdout: 'Built office.\n' })
})

test('a start that cannot compress its pages serves them and reports the error, and the next start compresses them', async () => {
  blockCopy()
  const first = await run('start.ts')
  expect(first).toMatchObject({ code: 0, stdout: 'served\n' })
  expect(first.stderr).toContain('portal and office could not be compressed.\n')
  expect(first.stderr).toContain('index.html.part')
  expect(marks()).toEqual(['portal.built', 'office.built'])
  const builtAt = statSync(join(place, 'dist/portal/index.html')).mtimeMs

  unblockCopy()
  expect(await run('start.ts')).toEqual({ code: 0, stdout: 'served\n', stderr: '' })
  expect(marks()).toEqual(['portal.built', 'portal.compressed', 'office.built', 'office.compressed'])
  expect(isInDist('portal/index.html.br')).toBe(true)
  expect(statSync(join(place, 'dist/portal/index.html')).mtimeMs).toBe(builtAt)
})

test('npm run build fails if the pages cannot be compressed', async () => {
  blockCopy()
  const { code, stderr } = await run('scripts/build-apps.ts')
  expect(code).toBe(1)
  expect(stderr).toContain('portal and office could not be compressed.\n')
  expect(marks()).toEqual(['portal.built', 'office.built'])
})

test('an app that cannot be built is no longer marked as complete, while the other app still is', async () => {
  await run('scripts/build-apps.ts')
  write('office/main.ts', 'document.title = (\n')
  const { code, stderr } = await run('start.ts')
  expect(code).toBe(1)
  expect(stderr).toContain('office could not be built.\n')
  expect(stderr).toContain('main.ts')
  expect(marks()).toEqual(['portal.built', 'portal.compressed'])
})
