/**
 * The storage of files' bytes. The bytes are encrypted already (features/files/upload-file.ts); names are generated,
 * never a person's.
 */
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export interface FileStore {
  /** Writes a file completely or not at all. */
  put(name: string, bytes: Buffer): Promise<void>
  /** Returns null if there is no file of the name. */
  get(name: string): Promise<Buffer | null>
  remove(name: string): Promise<void>
  /** Removes an incomplete file that a crash left; a complete file of the name stays. */
  removeHalf(name: string): Promise<void>
  /**
   * Returns names and ages, for the sweep of bytes without a record; also those of incomplete files beside complete
   * ones.
   */
  list(): Promise<StoredName[]>
}

interface StoredName {
  readonly name: string
  /** True for an incomplete file, left by a crash or still being written. */
  readonly isHalf: boolean
  readonly writtenAt: Date
}

const half = '.part'
const namePattern = /^[\w-]{8,64}$/
const shelfPattern = /^[\w-]{2}$/

/**
 * Returns a store in a directory: two-letter subdirectories; files are written under a temporary name, synced, then
 * renamed.
 */
export function folderStore(folder: string): FileStore {
  const pathOf = (name: string) => {
    if (!namePattern.test(name)) throw new Error('the name of a stored file must be a generated one')
    return join(folder, name.slice(-2), name)
  }
  return {
    async put(name, bytes) {
      const path = pathOf(name)
      const isNewShelf = (await mkdir(dirname(path), { recursive: true, mode: 0o700 })) !== undefined
      try {
        const handle = await open(`${path}${half}`, 'w', 0o600)
        try {
          await handle.writeFile(bytes)
          await handle.sync()
        } finally {
          await handle.close()
        }
        await rename(`${path}${half}`, path)
        await syncFolder(dirname(path))
        if (isNewShelf) await syncFolder(folder)
      } catch (error) {
        // On a full disk the space of the incomplete file is freed.
        await rm(`${path}${half}`, { force: true }).catch(() => undefined)
        throw error
      }
    },
    async get(name) {
      try {
        return await readFile(pathOf(name))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
        throw error
      }
    },
    async remove(name) {
      // Including an incomplete file that a crash may have left.
      await rm(pathOf(name), { force: true })
      await rm(`${pathOf(name)}${half}`, { force: true })
    },
    async removeHalf(name) {
      await rm(`${pathOf(name)}${half}`, { force: true })
    },
    async list() {
      const found: StoredName[] = []
      const shelves = await readdir(folder).catch(noneIfAbsent)
      // Other directories that a volume or an operator may add (lost+found) are skipped.
      for (const shelf of shelves.filter((one) => shelfPattern.test(one))) {
        for (const entry of await readdir(join(folder, shelf))) {
          const isHalf = entry.endsWith(half)
          const name = isHalf ? entry.slice(0, -half.length) : entry
          const writtenAt = namePattern.test(name) ? await writtenAtOf(join(folder, shelf, entry)) : null
          if (writtenAt) found.push({ name, isHalf, writtenAt })
        }
      }
      return found
    },
  }
}

function noneIfAbsent(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return []
  throw error
}

/** Syncs the directory, so that the file’s name survives a power failure. Windows cannot do that. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Returns when a file was written, or null if it was completed or removed after its directory was read. */
async function writtenAtOf(path: string): Promise<Date | null> {
  try {
    return (await stat(path)).mtime
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
