/** `npm run pictures`: takes a screenshot of every screen into .cache/pictures (tests/pictures). */
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buildApps } from './build-apps.ts'
import { findChromium } from './chromium.ts'
import { readUsage } from './usage.mjs'

readUsage('pictures')

const root = dirname(import.meta.dirname)
const [chromium] = await Promise.all([findChromium(), buildApps()])
rmSync(join(root, '.cache', 'pictures'), { recursive: true, force: true })
const child = spawn(
  process.execPath,
  ['node_modules/@playwright/test/cli.js', 'test', '--project=pictures', '--reporter=line'],
  { cwd: root, stdio: 'inherit', env: { ...process.env, CHROMIUM: chromium ?? '', PW_DISABLE_TS_ESM: '1' } },
)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill('SIGTERM'))
child.once('exit', (code) => (process.exitCode = code ?? 1))
