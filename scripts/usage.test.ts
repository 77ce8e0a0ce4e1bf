/** Every command rejects unknown arguments with one sentence, and `--help` only prints the usage. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

interface Output {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs without a terminal. */
function run(script: string, ...words: string[]): Promise<Output> {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env
  const env = { PATH, HOME, ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }) }
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [join(import.meta.dirname, script), ...words],
      { env },
      (error, out, err) => resolve({ status: error === null ? 0 : Number(error.code), stdout: out, stderr: err }),
    )
    child.stdin?.end()
  })
}

const commands = ['start', 'dev', 'test', 'test:slow', 'pictures', 'bench', 'doctor', 'sbom']
const scripts: (readonly [string, ...string[]])[] = [
  ...commands.map((name) => ['run.mjs', name] as const),
  ...['doctor', 'catalogues', 'generate-docs'].map((name) => [`${name}.ts`] as const),
  ['../bench/main.ts'],
]

test.concurrent.each(scripts)(
  '%s %s --help prints its usage in two lines and does nothing else',
  async (script, ...words) => {
    const { status, stdout, stderr } = await run(script, ...words, '--help')
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout.trim().split('\n')).toHaveLength(2)
  },
)

test.concurrent.each(scripts)('%s %s rejects an unknown argument with one sentence', async (script, ...words) => {
  const { status, stdout, stderr } = await run(script, ...words, '--surprise')
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^"--surprise" is not an argument of [a-z:-]+\. Arguments: [^\n]+\.\n$/)
})

test.concurrent.each([
  ['start', 'surprise'],
  ['doctor', 'surprise'],
  ['test', 'units'],
  ['test', '--shuffle=x'],
  ['test:slow', 'all'],
  ['sbom', 'a', 'b'],
])('%s rejects the argument %s', async (...words) => {
  expect(await run('run.mjs', ...words)).toMatchObject({ status: 1, stdout: '' })
})

test('help lists every npm command, and the scripts that have none', async () => {
  const { scripts: npmScripts } = JSON.parse(
    readFileSync(join(dirname(import.meta.dirname), 'package.json'), 'utf8'),
  ) as { scripts: Record<string, string> }
  const { status, stdout } = await run('run.mjs', 'help')
  expect(status).toBe(0)
  const shown = stdout.split('\n').map((line) => line.split('   ')[0] ?? '')
  const isShown = (name: string) => shown.some((line) => new RegExp(`^npm (run )?${name}$`).test(line))
  expect(Object.keys(npmScripts).filter((name) => !isShown(name))).toEqual([])
  expect(shown).toContain('node scripts/generate-docs.ts')
})

test('an operator command that cannot be undone requires --yes when there is no terminal', async () => {
  const { status, stdout } = await run('operator.ts', 'retention')
  expect(status).toBe(1)
  expect(stdout).toContain('Nothing was done. This cannot be undone. Add --yes to continue.')
})

test('conformance exits with 1 if a check differs or an option is unknown, and --help checks nothing', async () => {
  const help = await run('conformance.ts', '--help')
  expect([help.status, help.stderr]).toEqual([0, ''])
  expect(help.stdout).toContain('conformance <integration> <address>')
  const surprised = await run('conformance.ts', 'mail', 'smtp://127.0.0.1:1', '--surprise')
  expect([surprised.status, surprised.stdout]).toEqual([1, ''])
  expect(surprised.stderr).toContain("Unknown option '--surprise'")
  const differed = await run('conformance.ts', 'mail', 'smtp://127.0.0.1:1')
  expect([differed.status, differed.stderr]).toEqual([1, ''])
  expect(differed.stdout).toContain('0 matched, 1 differed, 3 not tested.')
})
