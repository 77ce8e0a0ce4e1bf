/** The context of the operator's commands: database, keys and settings of the deployment, without a server. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase, assertDatabaseReachable } from '../db/database.ts'
import { operatorReference, type AuditContext } from '../db/events.ts'
import type { Config } from '../config/config.ts'
import { openKeys, readMasterKey } from '../crypto/keys.ts'
import type { Dependencies } from '../dependencies.ts'
import { folderStore, type FileStore } from '../integrations/file-store/file-store.ts'
import { openSettings } from '../settings/settings.ts'

export interface OperatorContext extends Pick<Dependencies, 'config' | 'pool' | 'jobs' | 'keys' | 'settings' | 'now'> {
  readonly masterKey: Buffer
  close(): Promise<void>
}

/** The error of a command, as a sentence for the terminal. */
export class CommandError extends Error {}

/** Returns the content of a file named in a command. */
export async function textOf(file: string): Promise<string> {
  if (file === '') throw new CommandError('Enter a file name.')
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    throw new CommandError(
      `${file} could not be read (${code ?? message}). Check the path, and who may read the file.`,
      { cause },
    )
  }
}

/** Opens the configured deployment. Throws a sentence if something is missing. */
export async function openContext(config: Config, now: () => Date = () => new Date()): Promise<OperatorContext> {
  if (!config.database)
    throw new CommandError("No database found. Set DATABASE_URL, or run 'npm start' in another terminal.")
  await assertDatabaseReachable(config.database.url, 'DATABASE_URL')
  const database = openDatabase(config.database.url, () => undefined, { requests: 4, jobs: 4 })
  try {
    const { requests: pool, jobs } = database
    const masterKey = await readMasterKey(jobs, config.masterKeyFile, false)
    const keys = await openKeys(jobs, masterKey, now)
    const settings = openSettings(database.settings, now)
    return { config, pool, jobs, masterKey, keys, settings, now, close: () => database.close() }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Returns the audit context of the operator, who has no role. */
export function auditContextOf(context: Pick<OperatorContext, 'now'>): AuditContext {
  return { identity: { kind: 'external' }, now: context.now(), reference: operatorReference }
}

/** Returns the store of the deployment's files. */
export function filesOf({ config }: Pick<OperatorContext, 'config'>): FileStore {
  return folderStore(join(config.dataDir, 'files'))
}
