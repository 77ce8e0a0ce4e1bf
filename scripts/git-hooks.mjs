/** Git hooks of this repository: plain JavaScript, because run.mjs calls it on Node 20. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Sets `core.hooksPath` to `.githooks` if it is not set. Leaves a directory without `.git`, an automated build (`CI`)
 * and a machine without git as they are.
 */
export function useGitHooks(root, env = process.env) {
  if (env.CI !== undefined || !existsSync(join(root, '.git'))) return
  const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8', env })
  const current = git('config', '--get', 'core.hooksPath')
  if (current.status === 1) git('config', 'core.hooksPath', '.githooks')
}
