/**
 * Vitest's global set-up for every run: what tests lay down for a while lies in one folder of the run's own, which goes
 * with it, also where a test failed or a process was killed before it could tidy up.
 */
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from './is-alive.ts'

const prefix = 'portal-files-'
/** Where Node and other programs read the place of temporary files. */
const variables = ['TMPDIR', 'TEMP', 'TMP']

/** Makes the folder and answers how it is removed; those of runs that were killed go first. */
export default function setUp(): () => void {
  const outer = tmpdir()
  for (const name of readdirSync(outer).filter((entry) => entry.startsWith(prefix)))
    if (!isAlive(Number(name.slice(prefix.length).split('-')[0]))) remove(join(outer, name))
  const folder = mkdtempSync(join(outer, `${prefix}${process.pid}-`))
  // Databases that tests start have an account of their own and their sockets in here.
  chmodSync(folder, 0o711)
  for (const name of variables) process.env[name] = folder
  return () => remove(folder)
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}
