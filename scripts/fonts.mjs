/**
 * Installs the text engines and the fonts of PDF documents (`fonts/package.json`, ADR 245 and 305) if they are missing.
 * Plain JavaScript, because `run.mjs` uses it.
 */
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = dirname(import.meta.dirname)
const folder = join(root, 'fonts')
const modules = join(folder, 'node_modules')

/** Returns whether the directory contains exactly what its lock file names. */
export function hasFonts() {
  const installed = join(modules, '.package-lock.json')
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
 * They are installed beside their place and moved there when complete, because two processes may install them at once.
 */
export async function installFonts(signal) {
  if (hasFonts()) return true
  const cache = join(root, '.cache')
  mkdirSync(cache, { recursive: true })
  const work = mkdtempSync(join(cache, 'fonts-'))
  try {
    for (const name of ['package.json', 'package-lock.json', '.npmrc']) cpSync(join(folder, name), join(work, name))
    if ((await runInstall(work, signal)) && !hasFonts()) moveThere(work)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return hasFonts()
}

function runInstall(work, signal) {
  const npm = process.env.npm_execpath
  const [command, ...first] = npm?.endsWith('.js')
    ? [process.execPath, npm]
    : [process.platform === 'win32' ? 'npm.cmd' : 'npm']
  const { NODE_ENV: _, ...env } = process.env
  const child = spawn(command, [...first, 'ci'], {
    cwd: work,
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

function moveThere(work) {
  try {
    if (existsSync(modules)) renameSync(modules, join(work, 'before'))
    renameSync(join(work, 'node_modules'), modules)
  } catch {
    // Another process has moved its own there in between; if not, they are missing, as the caller finds.
  }
}
