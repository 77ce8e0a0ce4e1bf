/** `npm start` makes git use the hooks of the repository, and the hook checks staged changes. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { useGitHooks } from './git-hooks.mjs'

const root = dirname(import.meta.dirname)
const hasGit = spawnSync('git', ['--version']).status === 0
/** Without the git settings of the person who runs the tests. */
const env = { PATH: process.env['PATH'], HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' }
let folder = ''

const git = (...args: string[]) => spawnSync('git', args, { cwd: folder, encoding: 'utf8', env })
const hooksPath = () => git('config', '--get', 'core.hooksPath').stdout.trim()

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'portal-hooks-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe.skipIf(!hasGit)('the path of the hooks', () => {
  test('is set if none is configured', () => {
    git('init')
    useGitHooks(folder, env)
    expect(hooksPath()).toBe('.githooks')
  })

  test('is left unchanged if another one is configured', () => {
    git('init')
    git('config', 'core.hooksPath', 'mine')
    useGitHooks(folder, env)
    expect(hooksPath()).toBe('mine')
  })

  test('is not set in an automated build or in a directory that is not a repository', () => {
    useGitHooks(folder, env)
    git('init')
    useGitHooks(folder, { ...env, CI: 'true' })
    expect(hooksPath()).toBe('')
  })
})

test.skipIf(!hasGit)(
  'the hook rejects staged files that are unformatted or use physical sides in CSS, and accepts the others',
  () => {
    git('init')
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
    copyFileSync(join(root, '.oxfmtrc.json'), join(folder, '.oxfmtrc.json'))
    mkdirSync(join(folder, 'rules'))
    const check = () =>
      spawnSync(process.execPath, [join(root, 'scripts/pre-commit.mjs')], { cwd: folder, encoding: 'utf8' })
    writeFileSync(join(folder, 'rules/one.ts'), 'export   const one = 1\n')
    expect(check().status).toBe(0)
    git('add', 'rules')
    const { status, stderr } = check()
    expect([status, stderr]).toEqual([1, expect.stringContaining('npm run format')])
    writeFileSync(join(folder, 'rules/one.ts'), 'export const one = 1\n')
    git('add', 'rules')
    expect(check().status).toBe(0)
    writeFileSync(join(folder, 'rules/one.css'), 'p { margin-left: 1px; padding: 1px 2px 3px 4px }\n')
    git('add', 'rules')
    expect(check().stderr.match(/a physical side/g)).toHaveLength(2)
  },
)
