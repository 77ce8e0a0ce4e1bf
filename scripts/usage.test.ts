/** Every command rejects unknown arguments with one sentence, and `--help` does nothing else. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

interface Said {
  readonly status: number
  readonly said: string
  readonly refused: string
}

/** Runs without a terminal. */
function run(script: string, ...words: string[]): Promise<Said> {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env
  const env = { PATH, HOME, ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }) }
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [join(import.meta.dirname, script), ...words],
      { env },
      (error, out, err) => resolve({ status: error === null ? 0 : Number(error.code), said: out, refused: err }),
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

test.concurrent.each(scripts)('%s %s --help says what it takes, and nothing else', async (script, ...words) => {
  const { status, said, refused } = await run(script, ...words, '--help')
  expect([status, refused]).toEqual([0, ''])
  expect(said.trim().split('\n')).toHaveLength(2)
})

test.concurrent.each(scripts)(
  '%s %s refuses an argument that it does not know, with one sentence',
  async (script, ...words) => {
    const { status, said, refused } = await run(script, ...words, '--surprise')
    expect([status, said]).toEqual([1, ''])
    expect(refused).toMatch(/^"--surprise" is not an argument of [a-z:-]+, which takes [^\n]+\.\n$/)
  },
)

test.concurrent.each([
  ['start', 'surprise'],
  ['doctor', 'surprise'],
  ['test', 'units'],
  ['test', '--shuffle=x'],
  ['test:slow', 'all'],
  ['sbom', 'a', 'b'],
])('%s refuses the word %s', async (...words) => {
  expect(await run('run.mjs', ...words)).toMatchObject({ status: 1, said: '' })
})

test('help has a line for each npm command, and for the scripts that have none', async () => {
  const { scripts: npmScripts } = JSON.parse(
    readFileSync(join(dirname(import.meta.dirname), 'package.json'), 'utf8'),
  ) as { scripts: Record<string, string> }
  const { status, said } = await run('run.mjs', 'help')
  expect(status).toBe(0)
  const shown = said.split('\n').map((line) => line.split('   ')[0] ?? '')
  const isShown = (name: string) => shown.some((line) => new RegExp(`^npm (run )?${name}$`).test(line))
  expect(Object.keys(npmScripts).filter((name) => !isShown(name))).toEqual([])
  expect(shown).toContain('node scripts/generate-docs.ts')
})

test('the operator’s command that cannot be undone needs --yes without a terminal', async () => {
  const { status, said } = await run('operator.ts', 'retention')
  expect(status).toBe(1)
  expect(said).toContain('Nothing was done. This cannot be undone. Add --yes to continue.')
})

test('conformance exits with 1 where something differed or nothing could be asked, and --help asks nothing', async () => {
  const help = await run('conformance.ts', '--help')
  expect([help.status, help.refused]).toEqual([0, ''])
  expect(help.said).toContain('conformance <integration> <address>')
  const surprised = await run('conformance.ts', 'mail', 'smtp://127.0.0.1:1', '--surprise')
  expect([surprised.status, surprised.said]).toEqual([1, ''])
  expect(surprised.refused).toContain("Unknown option '--surprise'")
  const differed = await run('conformance.ts', 'mail', 'smtp://127.0.0.1:1')
  expect([differed.status, differed.refused]).toEqual([1, ''])
  expect(differed.said).toContain('0 agreed, 1 differed, 3 not tried.')
})
