/**
 * The output of `operator backup` in a directory: the cluster as `pg_basebackup` copied it, the files of clients, their
 * SHA-256 in the format of sha256sum, and, written last, `backup.json` (ADR 194).
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chown, mkdir, open, readdir, readFile, rm, stat, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as z from 'zod/mini'
import { CommandError } from './context.ts'

export const backupPaths = (folder: string) => ({
  cluster: join(folder, 'database'),
  clusterManifest: join(folder, 'database', 'backup_manifest'),
  files: join(folder, 'files'),
  fileSums: join(folder, 'files.sha256'),
  description: join(folder, 'backup.json'),
})

const description = z.object({
  id: z.string(),
  product: z.string(),
  postgres: z.string(),
  startedAt: z.string(),
  endedAt: z.string(),
  files: z.number(),
  /** SHA-256 of PostgreSQL's own manifest and of the list of files. */
  clusterManifest: z.string(),
  fileSums: z.string(),
})
export type BackupDescription = z.output<typeof description>

/** Returns the description of a complete backup. Throws a sentence for anything else. */
export async function readDescription(folder: string): Promise<BackupDescription> {
  const text = await readFile(backupPaths(folder).description, 'utf8').catch(() => null)
  if (text === null)
    throw new CommandError(
      `${folder} contains no complete backup: backup.json, which is written last, is missing. Choose the folder of a backup that ended without an error.`,
    )
  const read = description.safeParse(JSON.parse(text))
  if (!read.success)
    throw new CommandError(`backup.json in ${folder} was not written by 'operator backup'. Choose another backup.`)
  return read.data
}

/**
 * Creates a directory, or accepts an empty one; files created by root belong to the owner of the parent directory.
 * Throws a sentence if it is not empty.
 */
export async function prepareEmptyFolder(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${folder} cannot be created (${error.code}). Choose a folder that this account may write.`)
  })
  if (made !== undefined && process.getuid?.() === 0) {
    const { uid, gid } = await stat(dirname(made))
    for (let path = folder; path.length >= made.length; path = dirname(path)) await chown(path, uid, gid)
  }
  if ((await readdir(folder)).length > 0)
    throw new CommandError(`${folder} is not empty. Choose an empty or a new folder.`)
}

/** Returns the relative paths of all files below a directory; directories end in a slash. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1) + (entry.isDirectory() ? '/' : ''))
    .toSorted()
}

/** Returns the SHA-256 of a file in hexadecimal digits. */
export async function hashOfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const part of createReadStream(path)) hash.update(part as Buffer)
  return hash.digest('hex')
}

/** Copies a file, synced, and returns its SHA-256. */
async function copyAndHash(from: string, to: string): Promise<string> {
  const hash = createHash('sha256')
  const source = createReadStream(from)
  let target: FileHandle | null = null
  try {
    for await (const part of source) {
      hash.update(part as Buffer)
      target ??= await open(to, 'wx', 0o600)
      await target.write(part as Buffer)
    }
    target ??= await open(to, 'wx', 0o600)
    await target.sync()
  } finally {
    await target?.close()
  }
  return hash.digest('hex')
}

/**
 * Copies a directory's files, except those that disappear meanwhile; returns their sums by path. `owner` becomes the
 * owner of all created files.
 */
export async function copyFolder(
  from: string,
  to: string,
  isTaken: (path: string) => boolean = () => true,
): Promise<Map<string, string>> {
  const { uid, gid } = await stat(to)
  const give = async (path: string) => {
    if (process.getuid?.() === 0) await chown(path, uid, gid)
  }
  const sums = new Map<string, string>()
  for (const path of (await filesBelow(from)).filter(isTaken)) {
    const target = join(to, path)
    if (path.endsWith('/')) await mkdir(target, { recursive: true, mode: 0o700 })
    else {
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      const sum = await copyAndHash(join(from, path), target).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null
        throw error
      })
      if (sum === null) continue
      sums.set(path, sum)
    }
    await give(target)
  }
  return sums
}

/** Removes what a failed command has created in a directory; the directory itself stays. */
export async function clearFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true })
}
