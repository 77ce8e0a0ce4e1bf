/** Where bytes of files lie. What is handed in is encrypted already; names are generated, never a person's. */
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

export interface FileStore {
  /** Writes whole or not at all. */
  put(name: string, bytes: Buffer): Promise<void>
  /** Null where nothing lies under the name. */
  get(name: string): Promise<Buffer | null>
  remove(name: string): Promise<void>
  /** Names and ages, for the sweep of bytes without a record. */
  list(): Promise<{ name: string; writtenAt: Date }[]>
}

const namePattern = /^[\w-]{8,64}$/

/** A store in a folder: two-letter sub-folders, written aside, synced, then renamed. */
export function folderStore(folder: string): FileStore {
  const pathOf = (name: string) => {
    if (!namePattern.test(name)) throw new Error('a stored file has a generated name')
    return join(folder, name.slice(-2), name)
  }
  return {
    async put(name, bytes) {
      const path = pathOf(name)
      await mkdir(join(folder, name.slice(-2)), { recursive: true, mode: 0o700 })
      try {
        const handle = await open(`${path}.part`, 'w', 0o600)
        try {
          await handle.writeFile(bytes)
          await handle.sync()
        } finally {
          await handle.close()
        }
        await rename(`${path}.part`, path)
      } catch (error) {
        // A full disk gets back what the half of a file took.
        await rm(`${path}.part`, { force: true }).catch(() => undefined)
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
      // With what a crash may have left of a half-written one.
      await rm(pathOf(name), { force: true })
      await rm(`${pathOf(name)}.part`, { force: true })
    },
    async list() {
      const found: { name: string; writtenAt: Date }[] = []
      const shelves = await readdir(folder).catch(() => [] as string[])
      for (const shelf of shelves) {
        for (const name of await readdir(join(folder, shelf))) {
          found.push({ name, writtenAt: (await stat(join(folder, shelf, name))).mtime })
        }
      }
      return found
    },
  }
}
