/** The evidence of a client and a client's own data, created while they are sent (requirements 33.30, 34.11). */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { request, type IncomingMessage } from 'node:http'
import { unzipSync } from 'fflate'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { evidenceBundle } from '#contract/office/records.ts'
import { downloadMyData } from '#contract/profile.ts'
import { settings } from '#contract/settings.ts'
import { run, sql } from '#server/db/sql.ts'
import { call, makeClient, type MadeClient } from '#tests/factories.ts'
import { serverForFile, staffForFile } from '#tests/for-file.ts'
import { encrypt } from '../crypto/keys.ts'

const megabyte = 1024 * 1024
const logged: string[] = []
const server = serverForFile({ env: { LOG_LEVEL: 'info' }, logTo: { write: (line) => void logged.push(line) } })
const auditor = staffForFile(server, ['auditor'])
let client: MadeClient
beforeEach(async () => {
  client = await makeClient(server)
})
afterEach(() => void vi.restoreAllMocks())

interface FileRecord {
  readonly id: string
  readonly label: string
  readonly bytes: Buffer
}

/** Creates the file records of uploads by the client; there are no files on disk, `store` returns the bytes. */
async function insertFileRecords(sizes: readonly number[]): Promise<FileRecord[]> {
  const { kid } = server.dependencies.keys.file.current
  const drawn = randomBytes(Math.max(...sizes))
  const files = sizes.map((size, place) => ({
    id: randomUUID(),
    label: `${client.id}_${place}_paper.jpg`,
    bytes: drawn.subarray(0, size),
  }))
  for (const { id, label, bytes } of files) {
    const sha256 = createHash('sha256').update(bytes).digest()
    await run(
      server.dependencies.pool,
      sql`insert into files (id, client_id, label, media_type, size, sha256, kid, state, created_at)
          values (${id}, ${client.id}, ${label}, 'image/jpeg', ${bytes.length}, ${sha256}, ${kid}, 'clean', ${server.clock.now()})`,
    )
  }
  return files
}

/** Returns a store with these files, and records which were requested; `before` may delay one. */
function store(files: readonly FileRecord[], before: (asked: number) => Promise<void> = () => Promise.resolve()) {
  const asked: string[] = []
  const { bytes: key } = server.dependencies.keys.file.current
  vi.spyOn(server.dependencies.files, 'get').mockImplementation(async (id) => {
    asked.push(id)
    await before(asked.length)
    const file = files.find((one) => one.id === id)
    return file ? encrypt(key, id, file.bytes) : null
  })
  return asked
}

const bundle = () =>
  call(server, evidenceBundle, { as: auditor, params: { id: client.id }, body: { reason: 'request of the regulator' } })
const downloadOwnData = () => call(server, downloadMyData, { as: client })

/** Starts the download of the evidence and returns its response head. */
function startDownload(): Promise<IncomingMessage> {
  const url = new URL(evidenceBundle.path.replace(':id', client.id), server.url)
  const headers = { authorization: `Bearer ${auditor.token}`, 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const asked = request(url, { method: 'POST', headers }, resolve)
    asked.on('error', reject)
    asked.end(JSON.stringify({ reason: 'request of the regulator' }))
  })
}

const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString()
const shaOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

test('evidence contains each file exactly as stored and ends with the checksum of every entry', async () => {
  const files = await insertFileRecords([1, 256 * 1024, 256 * 1024 + 1, 3 * megabyte])
  store(files)
  const { bytes } = await bundle()
  const entries = unzipSync(bytes)
  for (const { label, bytes: stored } of files)
    expect(stored.equals(entries[`files/${label}`] ?? Buffer.alloc(0))).toBe(true)
  const { SHA256SUMS: sums, ...others } = entries
  expect(text(sums)).toBe(
    Object.entries(others)
      .map(([name, entry]) => `${shaOf(entry)}  ${name}\n`)
      .join(''),
  )
})

test('a missing file does not stop the rest of the download and is listed as missing', async () => {
  const files = await insertFileRecords([1000, 1001, 1002])
  const [first, missing, last] = files
  store(files.filter((one) => one !== missing))
  const evidence = unzipSync((await bundle()).bytes)
  expect(Object.keys(evidence)).toEqual(
    expect.arrayContaining([
      `files/${first?.label}`,
      `files/${missing?.label}.missing.txt`,
      `files/${last?.label}`,
      'events.csv',
    ]),
  )
  expect(text(evidence['SHA256SUMS'])).toContain(`files/${missing?.label}.missing.txt`)
  const own = unzipSync((await downloadOwnData()).bytes)
  expect(own[`files/${last?.label}`]).toEqual(new Uint8Array(last?.bytes ?? []))
  const listed = JSON.parse(text(own['files.json'])) as { label: string; added: boolean }[]
  expect(listed.toSorted((a, b) => a.label.localeCompare(b.label))).toMatchObject([
    { label: first?.label, added: true },
    { label: missing?.label, added: false },
    { label: last?.label, added: true },
  ])
})

test('files are read only as fast as the recipient reads, and no longer once the connection is idle or closed', async () => {
  const files = await insertFileRecords(Array.from({ length: 40 }, () => megabyte))
  const asked = store(files)
  const reading = await startDownload()
  await expect.poll(() => asked.length).toBeGreaterThan(0)
  // Enough time to read all files, if the reader were not idle.
  for (let others = 0; others < 40; others += 1) await call(server, settings)
  expect(asked.length).toBeLessThan(files.length / 2)
  reading.destroy()
  await expect.poll(() => logged.some((line) => line.includes('download incomplete'))).toBe(true)
  const readUntilThen = asked.length
  for (let others = 0; others < 10; others += 1) await call(server, settings)
  expect(asked.length).toBe(readUntilThen)
  expect(readUntilThen).toBeLessThan(files.length / 2)
})

test('a database failure during the download aborts it, so that an incomplete archive cannot pass for a complete one', async () => {
  const files = await insertFileRecords([megabyte])
  const terminated = Object.assign(new Error('terminating connection'), { code: '57P01' })
  store(files, async (asked) => {
    if (asked === 1) vi.spyOn(server.dependencies.pool, 'query').mockRejectedValueOnce(terminated as never)
  })
  const broken = await startDownload()
  expect(broken.statusCode).toBe(200)
  await expect(broken.toArray().then(({ length }) => length)).rejects.toThrow()
  expect(logged.find((line) => line.includes('download interrupted'))).toContain('"level":50')
  expect((await bundle()).status).toBe(200)
})

test('a database failure before the first byte gives the usual 503 with Retry-After instead of a file', async () => {
  const terminated = Object.assign(new Error('terminating connection'), { code: '57P01' })
  const { pool } = server.dependencies
  const query = pool.query.bind(pool) as (...given: unknown[]) => unknown
  vi.spyOn(pool, 'query').mockImplementation(((...given: unknown[]) =>
    String(given[0]).startsWith('select to_jsonb') ? Promise.reject(terminated) : query(...given)) as never)
  const refused = await bundle()
  expect([refused.status, refused.failure.code, refused.headers['retry-after']]).toEqual([503, 'unavailable', '5'])
  expect(refused.headers['content-type']).toContain('application/json')
  expect(refused.headers['content-disposition']).toBeUndefined()
})
