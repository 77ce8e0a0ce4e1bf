/**
 * Installs the text engines and the fonts of PDF documents (`fonts/package.json`, ADR 245 and 305) if they are missing.
 * Plain JavaScript, because `run.mjs` uses it.
 */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const folder = join(dirname(import.meta.dirname), 'fonts')

/** Returns whether the directory contains exactly what its lock file names. */
export function hasFonts() {
  const installed = join(folder, 'node_modules', '.package-lock.json')
  if (!existsSync(installed)) return false
  const wanted = packagesOf(join(folder, 'package-lock.json'))
  const present = packagesOf(installed)
  return Object.entries(wanted).every(([path, { integrity }]) => path === '' || present[path]?.integrity === integrity)
}

function packagesOf(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages
}

/**
 * Returns whether they are installed afterwards; the signal ends it. Without them documents omit characters and say so.
 */
export async function installFonts(signal) {
  if (hasFonts()) return true
  const npm = process.env.npm_execpath
  const [command, ...first] = npm?.endsWith('.js')
    ? [process.execPath, npm]
    : [process.platform === 'win32' ? 'npm.cmd' : 'npm']
  const { NODE_ENV: _, ...env } = process.env
  const child = spawn(command, [...first, 'ci'], {
    cwd: folder,
    stdio: 'ignore',
    env,
    shell: command.endsWith('.cmd'),
    signal,
  })
  return new Promise((resolve) => {
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })
}
