/** The directory for clients' files (DATA_DIR), checked before anything else starts. */
import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { BadConfig } from './read-variable.ts'

/**
 * Throws one sentence if the directory is not writable. In production it must exist: one created in the wrong place
 * would receive the files of clients.
 */
export async function assertDataFolder({ dataDir, production }: Pick<Config, 'dataDir' | 'production'>): Promise<void> {
  const probe = join(dataDir, `.probe-${randomUUID()}`)
  try {
    if (!production) await mkdir(dataDir, { recursive: true, mode: 0o700 })
    await writeFile(probe, '')
    await rm(probe)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new BadConfig(
      code === 'ENOENT'
        ? `DATA_DIR is ${dataDir}, which does not exist. Create the folder for the server's account, or set DATA_DIR to another one.`
        : `DATA_DIR is ${dataDir}, where the server cannot write (${code ?? message}). Give the folder to the server's account, or set DATA_DIR to another one.`,
    )
  }
}
