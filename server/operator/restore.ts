/**
 * `operator restore`: copies a backup into empty directories, compares every file with its sum, and marks the cluster,
 * so that no server starts on it before `operator restored` has run (ADR 194).
 */
import { appendFile, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import * as z from 'zod/mini'
import type { Config } from '../config/config.ts'
import { restoredBackupSetting } from '../recovery/database-identity.ts'
import {
  copyFolder,
  clearFolder,
  backupPaths,
  readDescription,
  hashOfFile,
  prepareEmptyFolder,
} from './backup-folder.ts'
import type { Print } from './command-line.ts'
import { CommandError } from './context.ts'

/** PostgreSQL's manifest: the data of each file except those of its log. */
const manifest = z.object({
  Files: z.array(
    z.object({
      Path: z.optional(z.string()),
      'Encoded-Path': z.optional(z.string()),
      'Checksum-Algorithm': z.optional(z.string()),
      Checksum: z.optional(z.string()),
    }),
  ),
})

/** Returns whether a file is not listed in the manifest. */
const isOutsideManifest = (path: string) => path.startsWith('pg_wal/') || path === 'backup_manifest'

/** Returns whether PostgreSQL needs this file to start: copied last, it keeps an interrupted restore from starting. */
const isControlFile = (path: string) => path === 'global/pg_control'

/** Restores both parts, or leaves both directories empty and throws a sentence. */
export async function restore(
  config: Pick<Config, 'dataDir'>,
  from: string,
  to: string,
  print: Print,
): Promise<boolean> {
  if (from === '' || to === '')
    throw new CommandError('Enter the folder of the backup, then an empty or a new folder for the database.')
  const parts = backupPaths(resolve(from))
  const description = await readDescription(resolve(from))
  const cluster = resolve(to)
  const files = join(config.dataDir, 'files')
  await prepareEmptyFolder(cluster)
  await prepareEmptyFolder(files)
  try {
    assertEqual(await hashOfFile(parts.clusterManifest), description.clusterManifest, 'database/backup_manifest')
    assertEqual(await hashOfFile(parts.fileSums), description.fileSums, 'files.sha256')
    const copied = await copyFolder(parts.cluster, cluster, (path) => !isControlFile(path))
    // The last setting counts, in case an earlier restore has left its own.
    const mark = `${restoredBackupSetting} = '${description.id}'\n`
    await appendFile(join(cluster, 'postgresql.auto.conf'), mark, { flush: true })
    assertSameFiles(await copyFolder(parts.files, files), await sumsOfFiles(parts.fileSums), 'files')
    for (const [path, sum] of await copyFolder(parts.cluster, cluster, isControlFile)) copied.set(path, sum)
    assertSameFiles(copied, await sumsOfCluster(parts.clusterManifest), 'database')
    if (![...copied.keys()].some((path) => /^pg_wal\/[0-9A-F]{24}$/.test(path)))
      throw new CommandError('The backup has no log of the database (database/pg_wal). Choose another backup.')
  } catch (error) {
    await clearFolder(cluster)
    await clearFolder(files)
    throw error
  }
  print(`The backup of ${description.startedAt} is in ${cluster} and ${files}, and every checksum matches.`)
  print(`Start PostgreSQL ${description.postgres.split('.')[0]} on ${cluster}, with no server running.`)
  print('Then: npm run operator -- restored --yes. Until it has run, no server starts on this database.')
  return true
}

async function sumsOfCluster(path: string): Promise<Map<string, string>> {
  const { Files } = manifest.parse(JSON.parse(await readFile(path, 'utf8')))
  return new Map(
    Files.map((file) => {
      if (file['Checksum-Algorithm'] !== 'SHA256')
        throw new CommandError(
          "The manifest of the database has no SHA-256 sums. Choose a backup that 'operator backup' created.",
        )
      return [file.Path ?? Buffer.from(file['Encoded-Path'] ?? '', 'hex').toString(), file.Checksum ?? '']
    }),
  )
}

async function sumsOfFiles(path: string): Promise<Map<string, string>> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '')
  return new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]))
}

function assertEqual(sum: string, wanted: string, name: string): void {
  if (sum !== wanted) throw damagedFileError(name)
}

/** Throws a sentence that names the first file that is missing, damaged, or not part of the backup. */
function assertSameFiles(copied: ReadonlyMap<string, string>, wanted: ReadonlyMap<string, string>, part: string): void {
  for (const [path, sum] of wanted) if (copied.get(path) !== sum) throw damagedFileError(join(part, path))
  for (const path of copied.keys())
    if (!wanted.has(path) && !(part === 'database' && isOutsideManifest(path))) throw damagedFileError(join(part, path))
}

const damagedFileError = (name: string) =>
  new CommandError(
    `${name} in the backup is damaged, missing or not part of it. Nothing was restored. Choose another backup.`,
  )
