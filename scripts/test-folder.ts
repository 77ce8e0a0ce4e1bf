/**
 * Vitest's global set-up for every run: temporary files of tests are in one directory of the run, which is removed with
 * it, even if a test failed or a process was killed before its clean-up.
 */
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from './is-alive.ts'

const prefix = 'portal-files-'
/** The variables from which Node and other programs read the directory of temporary files. */
const variables = ['TMPDIR', 'TEMP', 'TMP']

/** Creates the directory and returns a function that removes it; those of killed runs are removed first. */
export default function setUp(): () => void {
  const outer = tmpdir()
  for (const name of readdirSync(outer).filter((entry) => entry.startsWith(prefix)))
    if (!isAlive(Number(name.slice(prefix.length).split('-')[0]))) remove(join(outer, name))
  const folder = mkdtempSync(join(outer, `${prefix}${process.pid}-`))
  // Databases that tests start have a separate account and their sockets in here.
  chmodSync(folder, 0o711)
  for (const name of variables) process.env[name] = folder
  return () => remove(folder)
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}
