/**
 * Thumbnails of files: rendered once, encrypted, deleted with the file, visible to those who may read the file
 * (requirements 24.54).
 */
import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { getOfficeClient } from '#contract/office/clients.ts'
import { saveDocuments } from '#contract/documents.ts'
import { documentImage, documentThumbnail } from '#contract/office/documents.ts'
import { row, rows, run, sql } from '#server/db/sql.ts'
import { softwareExif, withExif } from '#tests/exif.ts'
import { call, makeClient, makeStaff, type MadeClient, type MadeStaff } from '#tests/factories.ts'
import { billBody } from '#tests/documents.ts'
import { makeJpeg, makePdf, uploadTo } from '#tests/files.ts'
import { clientForFile, serverForFile, staffForFile } from '#tests/for-file.ts'

const server = serverForFile({ now: new Date('2026-06-19T09:44:00Z') })
const client = clientForFile(server, { state: 'pending' })
const officer = staffForFile(server, ['compliance'])

async function uploadStored(bytes: Buffer, filename: string, of = client): Promise<{ id: string; label: string }> {
  const { filename: label } = (await uploadTo(server, of, bytes, filename)).json
  const found = await row<{ id: string }>(server.dependencies.pool, sql`select id from files where label = ${label}`)
  if (!found) throw new Error('not stored')
  return { id: found.id, label }
}
const fetchThumbnail = (id: string, as: MadeStaff | MadeClient = officer, query: { reason?: string } = {}) =>
  call(server, documentThumbnail, { as, params: { id }, query })
const storedThumbnail = (id: string) =>
  row<{ sealed: Buffer }>(server.dependencies.pool, sql`select sealed from file_thumbnails where file_id = ${id}`)
const pathOf = (id: string) => join(server.dependencies.config.dataDir, 'files', id.slice(-2), id)

test('an image’s thumbnail is rendered once, at 400 pixels, without metadata, and not cached by browsers', async () => {
  const { id } = await uploadStored(withExif(await makeJpeg(1200), softwareExif('CANARY')), 'large.jpg')
  const first = await fetchThumbnail(id)
  expect(first.headers).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  const { format, width, height, exif } = await sharp(first.bytes).metadata()
  expect([format, width, height, exif]).toEqual(['webp', 400, 400, undefined])
  const kept = await storedThumbnail(id)
  expect([kept?.sealed.includes('WEBP'), kept?.sealed.includes('CANARY')]).toEqual([false, false])
  // Without the original: the response must come from the stored thumbnail.
  await rm(pathOf(id))
  expect((await fetchThumbnail(id)).bytes.equals(first.bytes)).toBe(true)
  expect((await call(server, documentImage, { as: officer, params: { id, page: '1' } })).failure.code).toBe(
    'file-damaged',
  )
})

test('a PDF’s thumbnail shows its first page', async () => {
  const { id } = await uploadStored(await makePdf(2), 'statement.pdf')
  const { width, height } = await sharp((await fetchThumbnail(id)).bytes).metadata()
  expect([height, width < height]).toEqual([400, true])
})

test('a file that cannot be rendered returns an error and stores no thumbnail', async () => {
  const { id } = await uploadStored(await makeJpeg(), 'damaged.jpg')
  await writeFile(pathOf(id), 'nothing')
  expect((await fetchThumbnail(id)).failure.code).toBe('file-damaged')
  expect(await storedThumbnail(id)).toBeNull()
  expect((await fetchThumbnail(randomUUID())).status).toBe(404)
})

test('a thumbnail is visible to those who may read the file; an auditor gives a reason, which is logged', async () => {
  const { id } = await uploadStored(await makeJpeg(), 'passport.jpg')
  expect((await fetchThumbnail(id, client)).status).toBe(401)
  expect((await fetchThumbnail(id, await makeStaff(server, ['finance']))).status).toBe(403)
  expect((await fetchThumbnail(id, await makeStaff(server, ['operations']))).status).toBe(404)
  expect(await storedThumbnail(id)).toBeNull()
  const auditor = await makeStaff(server, ['auditor'])
  expect((await fetchThumbnail(id, auditor)).failure.code).toBe('picture-reason')
  expect((await fetchThumbnail(id, auditor, { reason: 'Sample 12' })).status).toBe(200)
  expect((await fetchThumbnail(id, auditor)).failure.code).toBe('picture-reason')
  const logged = await rows(
    server.dependencies.pool,
    sql`select e.verb, e.reason, d.details->'thumbnail' as thumbnail from events e join event_details d on d.event_id = e.id
      where e.kind = 'file' and e.record = ${id} and e.verb <> 'upload'`,
  )
  expect(logged).toEqual([{ verb: 'view', reason: 'Sample 12', thumbnail: true }])
})

test('an additional role does not spare an auditor the reason for viewing identity documents', async () => {
  const { id } = await uploadStored(await makeJpeg(), 'passport.jpg')
  for (const role of ['operations', 'finance'] as const) {
    const both = await makeStaff(server, [role, 'auditor'])
    const page = call(server, documentImage, { as: both, params: { id, page: '1' } })
    expect([(await fetchThumbnail(id, both)).failure.code, (await page).failure.code]).toEqual([
      'picture-reason',
      'picture-reason',
    ])
  }
  expect((await fetchThumbnail(id, await makeStaff(server, ['auditor', 'compliance']))).status).toBe(200)
})

test('a thumbnail is deleted with its file; a quarantined file has none', async () => {
  const [deleted, waiting] = [
    await uploadStored(await makeJpeg(), 'gone.jpg'),
    await uploadStored(await makeJpeg(), 'waiting.jpg'),
  ]
  expect((await fetchThumbnail(deleted.id)).status).toBe(200)
  await run(server.dependencies.pool, sql`delete from files where id = ${deleted.id}`)
  expect(await storedThumbnail(deleted.id)).toBeNull()
  await run(server.dependencies.pool, sql`update files set state = 'quarantined' where id = ${waiting.id}`)
  expect((await fetchThumbnail(waiting.id)).status).toBe(404)
  expect(await storedThumbnail(waiting.id)).toBeNull()
})

test('a thumbnail that was exchanged for another file’s is rendered again, never served', async () => {
  const red = await uploadStored(await makeJpeg(60), 'a.jpg')
  const other = await uploadStored(await makePdf(1), 'b.pdf')
  const [first] = [await fetchThumbnail(red.id), await fetchThumbnail(other.id)] as const
  await run(
    server.dependencies.pool,
    sql`update file_thumbnails set sealed = (select sealed from file_thumbnails where file_id = ${other.id}) where file_id = ${red.id}`,
  )
  expect((await fetchThumbnail(red.id)).bytes.equals(first.bytes)).toBe(true)
})

test('the client’s page names the thumbnail’s file for staff who need no reason', async () => {
  const owner = await makeClient(server, { state: 'pending' })
  const { id, label } = await uploadStored(await makeJpeg(), 'bill.jpg', owner)
  expect((await call(server, saveDocuments, { as: owner, body: billBody(label) })).status).toBe(200)
  const fileFor = async (as: MadeStaff) =>
    (await call(server, getOfficeClient, { as, params: { id: owner.id } })).answer.client.documents[0]?.thumbnailFileId
  expect(await fileFor(officer)).toBe(id)
  for (const role of ['operations', 'finance', 'auditor'] as const)
    expect([role, await fileFor(await makeStaff(server, [role]))]).toEqual([role, null])
})
