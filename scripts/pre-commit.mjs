/**
 * Checks the staged files before a commit: format, lint without type information, and the style sheets. Types and tests
 * take longer and are part of `npm test`. Plain JavaScript, so that any Node from 20.19 runs it.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const staged = spawnSync('git', ['diff', '--cached', '--name-only', '--diff-filter=ACMR', '-z'], { encoding: 'utf8' })
const files = staged.stdout.split('\0').filter((file) => /\.(ts|tsx|mjs|css)$/.test(file) && existsSync(file))

if (files.length === 0) process.exit(0)
if (!existsSync('node_modules/oxfmt') || !existsSync('node_modules/oxlint')) {
  console.error('Format and lint were not checked: run npm start once, which installs the tools.')
  process.exit(0)
}

const checks = [
  {
    tool: 'node_modules/oxfmt/bin/oxfmt',
    args: ['--check'],
    advice: 'Run npm run format, then stage the files again.',
  },
  { tool: 'node_modules/oxlint/bin/oxlint', args: ['--deny-warnings'], advice: 'Fix the problems listed above.' },
  {
    tool: join(import.meta.dirname, 'check-css.mjs'),
    args: [],
    reads: /\.(css|tsx)$/,
    advice: 'Fix the problems listed above.',
  },
]
for (const { tool, args, reads = /\.(ts|tsx|mjs)$/, advice } of checks) {
  const read = files.filter((file) => reads.test(file))
  if (read.length === 0) continue
  const { status } = spawnSync(process.execPath, [tool, ...args, ...read], { stdio: 'inherit' })
  if (status === 0) continue
  console.error(`\nNot committed. ${advice} (git commit --no-verify commits without the check.)`)
  process.exit(1)
}
