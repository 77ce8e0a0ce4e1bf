/**
 * A list of stolen passwords provided by the operator (ASVS 6.2.12): plain words, one a line, read into memory; or
 * SHA-1 hashes in ascending order, as Have I Been Pwned publishes them, of any size, searched in the file. Nothing is
 * sent to others.
 */
import { createHash } from 'node:crypto'
import { open, type FileHandle } from 'node:fs/promises'
import { BadConfig } from '../config/read-variable.ts'

export interface BreachedPasswords {
  has(password: string): Promise<boolean>
  close(): Promise<void>
}

const emptyPasswordList: BreachedPasswords = { has: async () => false, close: async () => undefined }

/** "5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8:9545824", or the hash alone. */
const hashLine = /^([0-9A-Fa-f]{40})(:\d{1,12})?$/
const hashLetters = 40
/** Longer than any line of such a file. */
const windowBytes = 256
const wordBytesMax = 8 * 1024 * 1024
/** Positions of a hash file that are read when the server starts: enough to detect a file that is not sorted. */
const sampledPositions = 1000

/** Opens the list at `path`; without a path no password is in it. Throws BadConfig if the file is unusable. */
export async function openBreachedPasswords(path: string | null): Promise<BreachedPasswords> {
  if (path === null) return emptyPasswordList
  const file = await open(path, 'r').catch(() => {
    throw passwordFileError(path, 'cannot be read')
  })
  try {
    const { size } = await file.stat()
    if (size === 0) throw passwordFileError(path, 'is empty')
    const first = await lineAt(file, 0)
    if (first !== null && hashLine.test(first.text)) return await openHashList(file, path, size)
    const words = await readWordList(file, path, size)
    await file.close()
    return words
  } catch (error) {
    await file.close()
    throw error
  }
}

function passwordFileError(path: string, why: string): BadConfig {
  return new BadConfig(`BREACHED_PASSWORDS_FILE is "${path}", which ${why}.`)
}

/** Returns the words in lower case, because the list of common passwords is compared in the same way. */
async function readWordList(file: FileHandle, path: string, size: number): Promise<BreachedPasswords> {
  if (size > wordBytesMax)
    throw passwordFileError(path, 'has more than 8 MB of words; give their SHA-1 hashes in order instead')
  const bytes = await file.readFile()
  const text = decodeUtf8(bytes)
  if (text === null) throw passwordFileError(path, 'is not UTF-8 text')
  const words = new Set(text.split('\n').map((line) => line.replace(/\r$/, '').toLowerCase()))
  words.delete('')
  return { ...emptyPasswordList, has: async (password) => words.has(password.toLowerCase()) }
}

function decodeUtf8(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return null
  }
}

async function openHashList(file: FileHandle, path: string, size: number): Promise<BreachedPasswords> {
  let before = ''
  for (let place = 0; place <= sampledPositions; place += 1) {
    const line = await lineAt(file, Math.floor((Math.max(0, size - hashLetters - 1) / sampledPositions) * place))
    if (line === null) break
    const hash = hashOf(line.text)
    if (hash === null) throw passwordFileError(path, `has no SHA-1 hash in the line at byte ${line.start}`)
    if (hash < before) throw passwordFileError(path, `is not in ascending order at byte ${line.start}`)
    before = hash
  }
  return {
    has: async (password) => (await isListed(file, size, password)) || isListed(file, size, password.toLowerCase()),
    close: () => file.close(),
  }
}

/** Searches by bisection until the line is found or no line is left. */
async function isListed(file: FileHandle, size: number, password: string): Promise<boolean> {
  const wanted = createHash('sha1').update(password).digest('hex').toUpperCase()
  let [from, to] = [0, size]
  while (from < to) {
    const middle = Math.floor((from + to) / 2)
    const line = await lineAt(file, middle)
    const hash = line && hashOf(line.text)
    if (!line || hash === null || line.start >= to) to = middle
    else if (hash === wanted) return true
    else if (hash < wanted) from = line.end
    else to = middle
  }
  return false
}

function hashOf(line: string): string | null {
  return hashLine.exec(line)?.[1]?.toUpperCase() ?? null
}

interface Line {
  readonly text: string
  readonly start: number
  /** The start of the next line. */
  readonly end: number
}

/**
 * Returns the first line that starts at or after `place`, or null if there is none or it is longer than a line of the
 * list can be.
 */
async function lineAt(file: FileHandle, place: number): Promise<Line | null> {
  const begin = Math.max(0, place - 1)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(windowBytes), 0, windowBytes, begin)
  const window = buffer.subarray(0, bytesRead)
  const start = place === 0 ? 0 : window.indexOf(0x0a) + 1
  if (place > 0 && start === 0) return null
  const feed = window.indexOf(0x0a, start)
  if (feed < 0 && bytesRead === windowBytes) return null
  const end = feed < 0 ? bytesRead : feed
  if (end === start) return null
  const text = window.toString('latin1', start, end).replace(/\r$/, '')
  return { text, start: begin + start, end: begin + end + 1 }
}
