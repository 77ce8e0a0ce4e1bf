/** Metadata of files: only the known fields are stored, for staff (requirements 24.53, 29.8). */
import { crc32 } from 'node:zlib'
import { strFromU8, unzipSync } from 'fflate'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { getDocuments, saveDocuments } from '#contract/documents.ts'
import { downloadMyData } from '#contract/profile.ts'
import { getDocumentCase } from '#contract/office/documents.ts'
import { row, rows, run, sql } from '#server/db/sql.ts'
import { restOffset, softwareExif, makeTiff, withExif } from '#tests/exif.ts'
import { call, makeClient, makeStaff, type MadeClient } from '#tests/factories.ts'
import { serverForFile } from '#tests/for-file.ts'
import { tablesContaining } from '#tests/tables-with.ts'
import { billBody } from '#tests/documents.ts'
import { makeJpeg, makePdf, uploadTo } from '#tests/files.ts'

const server = serverForFile({ now: new Date('2026-06-19T09:44:00Z') })

const serial = 'CANARY-SERIAL-4711'

/** A photo as a phone writes it, then changed by an editor. */
const photo = () =>
  sharp({ create: { width: 40, height: 20, channels: 3, background: '#804020' } })
    .withExif({
      IFD0: { Make: 'CANARY-MAKER', Software: 'Adobe Photoshop 25.0', Artist: serial },
      IFD2: { DateTimeOriginal: '2025:03:02 10:14:05', BodySerialNumber: serial, LensSerialNumber: serial },
      IFD3: { GPSLatitude: '52/1 31/1 0/1', GPSLatitudeRef: 'N', GPSAreaInformation: 'CANARY-PLACE' },
    })
    .jpeg()
    .toBuffer()

async function saveDocument(
  bytes: Buffer,
  filename: string,
): Promise<{ client: MadeClient; label: string; url: string }> {
  const client = await makeClient(server, { state: 'pending' })
  const { status, json } = await uploadTo(server, client, bytes, filename)
  expect(status).toBe(201)
  expect((await call(server, saveDocuments, { as: client, body: billBody(json.filename) })).status).toBe(200)
  return { client, label: json.filename, url: json.url }
}

async function documentOf(client: MadeClient) {
  const as = await makeStaff(server, ['compliance'])
  const found = (await call(server, getDocumentCase, { as, params: { id: client.id } })).answer.case.documents[0]
  if (!found) throw new Error('no document')
  return found
}

const metadataOf = async (bytes: Buffer, filename: string) =>
  (await documentOf((await saveDocument(bytes, filename)).client)).front?.metadata

const recordOf = (label: string) =>
  row<object>(
    server.dependencies.pool,
    sql`select to_jsonb(m) - 'file_id' as metadata from file_metadata m join files f on f.id = m.file_id where f.label = ${label}`,
  )

describe('metadata of an image', () => {
  test('is not stored if no process can be started; the image is accepted', async () => {
    const { execPath } = process
    process.execPath = '/nowhere/node'
    try {
      const { label } = await saveDocument(await photo(), 'phone.jpg')
      expect(await recordOf(label)).toBeNull()
    } finally {
      process.execPath = execPath
    }
  })

  test('keeps time and software; maker, location and serial number are stored nowhere', async () => {
    const { client, label, url } = await saveDocument(await photo(), 'phone.jpg')
    expect(await recordOf(label)).toEqual({
      metadata: {
        taken_at: '2025-03-02T10:14:05',
        software: 'Adobe Photoshop 25.0',
        producer: null,
        produced_at: null,
        modified_at: null,
      },
    })
    for (const canary of [serial, 'CANARY-PLACE', 'CANARY-MAKER'])
      expect(await tablesContaining(server, canary)).toEqual([])
    const bytes = Buffer.from(await (await fetch(new URL(url, server.url))).arrayBuffer())
    for (const canary of [serial, 'CANARY', 'Photoshop', '2025:03:02']) expect(bytes.includes(canary)).toBe(false)
    expect((await sharp(bytes).metadata()).exif).toBeUndefined()

    const document = await documentOf(client)
    expect(document.front?.metadata).toEqual({
      takenAt: '2025-03-02T10:14:05',
      software: 'Adobe Photoshop 25.0',
      producer: null,
      producedAt: null,
      modifiedAt: null,
      warnings: ['image-editor', 'taken-before'],
    })
    expect(document.checks.find(({ code }) => code === 'metadata')).toMatchObject({ verdict: 'warn', theirs: '2' })
  })

  test('is not shown to the client, neither in the portal nor in the download of their data', async () => {
    const { client } = await saveDocument(await photo(), 'phone.jpg')
    const portal = await call(server, getDocuments, { as: client, params: { id: client.id } })
    expect(portal.status).toBe(200)
    expect(JSON.stringify(portal.answer)).not.toMatch(/photoshop|2025-03-02|metadata/i)
    const files = unzipSync((await call(server, downloadMyData, { as: client })).bytes)
    expect(Object.keys(files).some((name) => name.endsWith('_phone.jpg'))).toBe(true)
    for (const [name, bytes] of Object.entries(files))
      expect([name, /photoshop|2025[-:]03[-:]02|CANARY/i.test(strFromU8(bytes, true))]).toEqual([name, false])
  })

  test('that is absent gives no record and no warning', async () => {
    const { client, label } = await saveDocument(await makeJpeg(), 'plain.jpg')
    expect(await recordOf(label)).toBeNull()
    const document = await documentOf(client)
    expect(document.front?.metadata).toBeNull()
    expect(document.checks.map(({ code }) => code)).not.toContain('metadata')
  })

  test('is deleted with its file', async () => {
    const { label } = await saveDocument(await photo(), 'phone.jpg')
    await run(server.dependencies.pool, sql`update documents set front_file = null where front_file is not null`)
    await run(server.dependencies.pool, sql`delete from files where label = ${label}`)
    const left = await rows(
      server.dependencies.pool,
      sql`select from file_metadata where not exists (select from files where id = file_id)`,
    )
    expect([await recordOf(label), left]).toEqual([null, []])
  })
})

describe('hostile metadata in an image', () => {
  test.each<[string, Buffer | string, string | null]>([
    ['script', '<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['hidden characters and line breaks', 'A\u202Eb\u200B\r\nSet-Cookie:\x1b[2J \x00c', 'Ab Set-Cookie: [2J c'],
    ['bytes that are not text', Buffer.from([0xff, 0xfe, 0xc0]), null],
    ['60 kB', 'x'.repeat(60_000), 'x'.repeat(100)],
    ['spaces', '   ', null],
    ['statements', `'); drop table files; --`, `'); drop table files; --`],
  ])('with %s as the software is stored as one line of visible text, or not at all', async (_, written, software) => {
    const found = await metadataOf(withExif(await makeJpeg(), softwareExif(written)), 'hostile.jpg')
    expect(found?.software ?? null).toBe(software)
  })

  const exifTag = 0x8769
  const pointer = (value: number) => ({ tag: exifTag, type: 4, count: 1, value })
  const swelling = makeTiff(
    Array.from({ length: 5_000 }, (_, tag) => (tag === 0 ? pointer(8) : { tag, type: 1, count: 60_000, value: 0 })),
    8,
    Buffer.alloc(100, 'A'),
  )
  test.each<[string, Buffer]>([
    ['directories that refer to themselves', makeTiff([pointer(8)], 8, Buffer.alloc(0))],
    ['a directory beyond its end', makeTiff([pointer(0xff_ff_ff)], 0xff_ff_ff, Buffer.alloc(0))],
    ['a count above the number of entries', Buffer.from('II*\0\x08\0\0\0\xff\xff', 'latin1')],
    [
      'a text longer than the data',
      makeTiff([{ tag: 0x131, type: 2, count: 0xffff_ffff, value: restOffset(1) }], 0, Buffer.alloc(0)),
    ],
    ['a header alone', Buffer.from('II*\0', 'latin1')],
    ['noise', Buffer.alloc(5_000, 0xa5)],
    ['five thousand lists of 60 kB in 60 kB', swelling],
  ])('with %s: the image is accepted without metadata', async (_, data) => {
    expect(await metadataOf(withExif(await makeJpeg(), data), 'hostile.jpg')).toBeNull()
  })

  test('of a megabyte in a PNG is not read', async () => {
    const png = await sharp(await makeJpeg())
      .withExif({ IFD0: { Software: 'Adobe Photoshop 25.0' } })
      .png()
      .toBuffer()
    expect((await metadataOf(png, 'editor.png'))?.software).toBe('Adobe Photoshop 25.0')
    const plain = await sharp(await makeJpeg())
      .png()
      .toBuffer()
    const data = Buffer.concat([softwareExif('Adobe Photoshop 25.0'), Buffer.alloc(1_000_000)])
    const huge = Buffer.concat([plain.subarray(0, ihdrEnd), pngChunk('eXIf', data), plain.subarray(ihdrEnd)])
    expect((await sharp(huge).metadata()).exif?.length).toBeGreaterThan(1_000_000)
    expect(await metadataOf(huge, 'huge.png')).toBeNull()
  })

  test.each([
    ['0000:00:00 00:00:00', null],
    ['9999:12:31 23:59:59', null],
    ['yesterday', null],
    ['2026:06:21 12:00:00', '2026-06-21T12:00:00'],
  ])('with the time %s is checked against possible dates', async (DateTimeOriginal, takenAt) => {
    const picture = await sharp(await makeJpeg())
      .withExif({ IFD2: { DateTimeOriginal } })
      .jpeg()
      .toBuffer()
    const found = await metadataOf(picture, 'clock.jpg')
    expect(found?.takenAt ?? null).toBe(takenAt)
    expect(found?.warnings ?? []).toEqual(takenAt === null ? [] : ['taken-after'])
  })
})

describe('metadata of a PDF', () => {
  const pdfWith = async (info: Record<string, string>) => makePdf(1, { info })

  test('keeps producer and dates, and no other field', async () => {
    const { client, label } = await saveDocument(
      pdfOfInfo(
        "/Producer (Microsoft\\256 Word for Microsoft 365) /CreationDate (D:20260601120000+02'00') /ModDate (D:20260610) /Author (CANARY-AUTHOR) /Title (CANARY-TITLE)",
      ),
      'statement.pdf',
    )
    expect((await documentOf(client)).front?.metadata).toEqual({
      takenAt: null,
      software: null,
      producer: 'Microsoft® Word for Microsoft 365',
      producedAt: new Date('2026-06-01T10:00:00Z'),
      modifiedAt: new Date('2026-06-10T00:00:00Z'),
      warnings: ['pdf-editor', 'pdf-modified'],
    })
    expect(await recordOf(label)).not.toBeNull()
    for (const canary of ['CANARY-AUTHOR', 'CANARY-TITLE']) expect(await tablesContaining(server, canary)).toEqual([])
  })

  test.each<[string, string]>([
    ['a producer of 100 kB', `/Producer (${'x'.repeat(100_000)})`],
    ['invalid dates', '/CreationDate (D:99999999999999) /ModDate (<script>)'],
    ['impossible years', "/CreationDate (D:00010101) /ModDate (D:29991231235959-23'59')"],
    ['values of other types', '/Producer 5 0 R /CreationDate << /A 1 >> /ModDate [ 1 2 ]'],
    ['a reference to itself', '/Producer 4 0 R'],
    ['no fields', ''],
  ])('with %s is not stored; the PDF is accepted', async (_, info) => {
    expect(await metadataOf(pdfOfInfo(info), 'hostile.pdf')).toBeNull()
  })

  test('with hostile text is stored as one line of visible text', async () => {
    const found = await metadataOf(pdfOfInfo('/Producer <FEFF003C0062003E202E00000041D800>'), 'hostile.pdf')
    expect(found?.producer).toBe('<b> A')
  })

  test('is read from PDFs of any library', async () => {
    expect(await metadataOf(await pdfWith({ Producer: 'iText' }), 'any.pdf')).toMatchObject({
      producer: 'iText',
      warnings: [],
    })
  })
})

/** The offset after the signature and the first chunk of a PNG. */
const ihdrEnd = 33

function pngChunk(name: string, data: Buffer): Buffer {
  const typeAndData = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const numbers = Buffer.alloc(8)
  numbers.writeUInt32BE(data.length, 0)
  numbers.writeUInt32BE(crc32(typeAndData), 4)
  return Buffer.concat([numbers.subarray(0, 4), typeAndData, numbers.subarray(4)])
}

function pdfOfInfo(info: string): Buffer {
  return Buffer.from(
    `%PDF-1.7
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >> endobj
4 0 obj << ${info} >> endobj
trailer << /Root 1 0 R /Info 4 0 R >>
%%EOF
`,
    'latin1',
  )
}
