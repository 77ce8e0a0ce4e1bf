/**
 * The patches of docs/guides match their guides: they apply to the current code, and the types are correct afterwards.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = dirname(import.meta.dirname)
const patches = globSync('docs/guides/*.patch', { cwd: root })
const product = ['rules', 'contract', 'server', 'ui', 'portal', 'office', 'scripts']
const howToRenew = 'the end of docs/guides/add-a-field.md says how a patch is renewed'
const hasGit = spawnSync('git', ['--version']).status === 0

test.skipIf(!hasGit)('the patches of the guides apply to a copy of the code, which then passes the type check', () => {
  const copy = mkdtempSync(join(tmpdir(), 'portal-guides-'))
  try {
    for (const name of [...product, 'tests', 'docs', 'package.json', 'tsconfig.json'])
      cpSync(join(root, name), join(copy, name), {
        recursive: true,
        filter: (path) => basename(path) !== 'node_modules',
      })
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction')
    const run = (program: string, ...args: string[]) => {
      // Prevents git from treating the copy as part of a surrounding repository, in which it would silently skip the
      // patch.
      const env = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(copy) }
      const { status, stdout, stderr } = spawnSync(program, args, { cwd: copy, encoding: 'utf8', env })
      return { said: stdout + stderr, status }
    }
    for (const patch of patches)
      expect(run('git', 'apply', '-C1', join(root, patch)), `${patch}: ${howToRenew}`).toEqual({ said: '', status: 0 })
    // Only the product and the tests that a patch changes are checked, because other code does not use its additions.
    const changed = patches.flatMap(
      (patch) => readFileSync(join(root, patch), 'utf8').match(/(?<=^\+\+\+ b\/).+\.test\.ts$/gm) ?? [],
    )
    const config = { extends: './tsconfig.json', include: product, exclude: ['**/*.test.ts'], files: changed }
    writeFileSync(join(copy, 'tsconfig.guides.json'), JSON.stringify(config))
    const types = run(process.execPath, 'node_modules/typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.guides.json')
    expect(types, howToRenew).toEqual({ said: '', status: 0 })
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
  expect(patches).not.toEqual([])
})
