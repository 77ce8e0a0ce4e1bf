/** Files (requirements 29.1 to 29.11; ASVS V5). */
import { randomUUID } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { once } from 'node:events'
import { request, type ClientRequest } from 'node:http'
import { connect } from 'node:net'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import sharp from 'sharp'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { fileLink } from '#contract/files.ts'
import { documentOriginal, documentImage } from '#contract/office/documents.ts'
import { fileBytesPerClientMax, uploadBytesMax } from '#rules/constants.ts'
import { row, rows, sql } from '#server/db/sql.ts'
import { call, makeClient, makeStaff, type MadeClient } from '#tests/factories.ts'
import { makeJpeg, makePdf, makeInflatingPdf, uploadTo } from '#tests/files.ts'
import { clientForFile, serverForFile } from '#tests/for-file.ts'
import { deleteStrayFiles } from './jobs.ts'
import type { PdfBounds } from './pdf-process.ts'
import { checkPdf, renderPage, type PdfRefusal } from './read-pdf.ts'

const server = serverForFile()
const client = clientForFile(server, { state: 'pending' })

const filesOf = (of: MadeClient) =>
  rows<{ id: string }>(server.dependencies.pool, sql`select id from files where client_id = ${of.id}`)
const stored = async (label: string) => {
  const found = await row<{ id: string }>(server.dependencies.pool, sql`select id from files where label = ${label}`)
  if (!found) throw new Error('not stored')
  return found.id
}
const pathOf = (id: string) => join(server.dependencies.config.dataDir, 'files', id.slice(-2), id)
const fetchFile = (url: string, headers: Record<string, string> = {}) => fetch(new URL(url, server.url), { headers })

describe('an accepted upload', () => {
  test('that is a JPEG is stored under client, time and name, and served by the link of the response', async () => {
    const answer = await uploadTo(server, client, await makeJpeg(), 'My passport.JPG')
    expect(answer.status).toBe(201)
    expect(answer.json.filename).toBe(`${client.id}_${server.clock.now().getTime()}_My-passport.jpg`)
    const shown = await fetchFile(answer.json.url)
    expect(shown.status).toBe(200)
    expect(shown.headers.get('content-type')).toBe('image/jpeg')
    expect(shown.headers.get('content-security-policy')).toContain('sandbox')
    expect(shown.headers.get('cache-control')).toContain('no-store')
    expect((await sharp(Buffer.from(await shown.arrayBuffer())).metadata()).format).toBe('jpeg')
  })

  test('with the same name in the same millisecond as another gets a different label', async () => {
    const bytes = await makeJpeg()
    const labels = await Promise.all(
      [1, 2, 3].map(async () => (await uploadTo(server, client, bytes, 'twin.jpg')).json.filename),
    )
    expect(new Set(labels).size).toBe(3)
  })

  test('that is an image loses location, serial numbers and trailing data, and is rotated upright', async () => {
    const raw = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#804020' } })
      .withExif({
        IFD0: { Make: 'PhoneMaker', Artist: 'CANARY-SERIAL' },
        IFD3: { GPSLatitude: '52/1 31/1 0/1', GPSLatitudeRef: 'N' },
      })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const sent = Buffer.concat([raw, Buffer.from('<script>alert(1)</script>PK\x03\x04')])
    const { json } = await uploadTo(server, client, sent, 'phone.jpg')
    const bytes = Buffer.from(await (await fetchFile(json.url)).arrayBuffer())
    expect(bytes.includes('CANARY-SERIAL')).toBe(false)
    expect(bytes.includes('<script>')).toBe(false)
    const metadata = await sharp(bytes).metadata()
    expect(metadata.exif).toBeUndefined()
    expect([metadata.width, metadata.height]).toEqual([20, 40])
  })

  test('that is a PDF is stored unchanged with its page count and served in a sandbox without scripts and requests', async () => {
    const pdf = await makePdf(2)
    const { json } = await uploadTo(server, client, pdf, 'statement.pdf')
    const shown = await fetchFile(json.url)
    expect(shown.headers.get('content-disposition')).toMatch(/^inline; filename="/)
    expect(shown.headers.get('x-content-type-options')).toBe('nosniff')
    expect(shown.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
    expect(Buffer.from(await shown.arrayBuffer()).equals(pdf)).toBe(true)
    expect(
      (
        await row<{ pages: number }>(
          server.dependencies.pool,
          sql`select pages from files where label = ${json.filename}`,
        )
      )?.pages,
    ).toBe(2)
  })

  test('may be a PDF whose images and text only look like scripts and streams', async () => {
    const inert = [
      page,
      objectsOf('4 0 << /Title (4 0 obj) >>', '/Type /ObjStm'),
      streamOf('/Subtype /Image', Buffer.from('\xff\xd8 /JS /JavaScript obj 7obj /Launch \xff\xd9', 'latin1')),
      '<< /Title (endobj \\( >> stream /JS) /Author <2F4A53> >> % /JS',
    ]
    const { status } = await uploadTo(server, client, pdfOf(inert, { before: '% a stream of /JS\n' }), 'any.pdf')
    expect(status).toBe(201)
  })

  test('has up to 15 MB; one byte more is rejected with 413 during the transfer', async () => {
    const picture = await makeJpeg()
    const largest = Buffer.concat([picture, Buffer.alloc(uploadBytesMax - picture.length)])
    expect((await uploadTo(server, client, largest, 'big.jpg')).status).toBe(201)
    const refused = await uploadTo(server, client, Buffer.concat([largest, Buffer.alloc(1)]), 'bigger.jpg')
    expect(refused.status).toBe(413)
    expect(refused.json.code).toBe('file-large')
  })
})

test('an upload that is too large gets its response even if the sender reads only after the last byte', async () => {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  let answer = ''
  socket.setEncoding('latin1').on('data', (text: string) => (answer += text))
  await once(socket, 'connect')
  socket.pause()
  const begin = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n'
  const size = 3 * uploadBytesMax
  const head = [
    'POST /upload HTTP/1.1',
    'host: a',
    'content-type: multipart/form-data; boundary=b',
    `authorization: Bearer ${client.token}`,
    'transfer-encoding: chunked',
    '\r\n',
  ].join('\r\n')
  const chunk = (bytes: Buffer) =>
    Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
  const send = (bytes: Buffer | string) =>
    new Promise<void>((done, failed) => socket.write(bytes, (error) => (error ? failed(error) : done())))
  await send(head)
  await send(chunk(Buffer.from(begin)))
  for (let sent = 0; sent < size; sent += 1_000_000) await send(chunk(Buffer.alloc(1_000_000)))
  await send('0\r\n\r\n')
  socket.resume()
  await expect.poll(() => answer).toContain('"code":"file-large"')
  expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  socket.destroy()
})

test('an endless upload is rejected soon after 15 MB and then disconnected, and the server keeps serving others', async () => {
  const chunk = Buffer.alloc(1024 * 1024)
  let sent = 0
  let status = 0
  await new Promise<void>((resolve) => {
    const asked = request(new URL('/upload', server.url), {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b', authorization: `Bearer ${client.token}` },
    })
    const more = () => {
      if (asked.destroyed) return
      sent += 1
      asked.write(chunk, more)
    }
    asked.on('response', (response) => {
      status = response.statusCode ?? 0
      response.on('error', () => undefined).resume()
    })
    asked.on('error', () => undefined)
    asked.on('close', () => resolve())
    asked.write('--b\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n', more)
  })
  expect(status).toBe(413)
  // Includes what the server discards and what is in the buffers between the two.
  expect(sent).toBeLessThan(120)
  expect((await uploadTo(server, client, await makeJpeg(), 'after.jpg')).status).toBe(201)
})

test('interrupted uploads leave nothing behind and block no other upload', async () => {
  const before = (await server.dependencies.files.list()).length
  const broken = Array.from({ length: 12 }, async () => {
    const asked = request(new URL('/upload', server.url), {
      method: 'POST',
      headers: {
        'content-type': 'multipart/form-data; boundary=b',
        authorization: `Bearer ${client.token}`,
        'content-length': '900000',
      },
    })
    const ended = new Promise<void>((resolve) => asked.on('close', resolve).on('error', () => undefined))
    asked.write('--b\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n')
    await new Promise<void>((resolve) => asked.write(Buffer.alloc(300_000), () => resolve()))
    asked.destroy()
    await ended
  })
  await Promise.all(broken)
  const after = async () => (await uploadTo(server, client, await makeJpeg(), 'after.jpg')).status
  await expect.poll(after).toBe(201)
  expect((await server.dependencies.files.list()).length).toBe(before + 1)
})

test.each<[string, () => string]>([
  ['without its end', () => part('file')],
  [
    'without the end of a field behind the file',
    () => `${part('file')}--b\r\ncontent-disposition: form-data; name="z"\r\n\r\nz`,
  ],
  ['with a second file that does not end', () => `${part('file')}${part('file')}`],
  ['under another boundary', () => `${part('file')}--b--`.replaceAll('--b', '--c')],
  ['that ends inside a header', () => '--b\r\ncontent-dispo'],
  ['of a thousand parts', () => `${part('z').repeat(1000)}--b--`],
  ['with a field named after a prototype', () => `${part('__proto__')}--b--`],
])('a body %s is rejected immediately and leaves nothing behind (requirements 29.9)', async (_, body) => {
  const before = (await server.dependencies.files.list()).length
  const sender = await makeClient(server, { state: 'pending' })
  const refused = await fetch(new URL('/upload', server.url), {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=b', authorization: `Bearer ${sender.token}` },
    body: body(),
  })
  expect(refused.status).toBe(400)
  expect(await filesOf(sender)).toEqual([])
  expect((await server.dependencies.files.list()).length).toBe(before)
})

describe('slow uploads', () => {
  const open: ClientRequest[] = []
  afterEach(() => {
    vi.useRealTimers()
    for (const asked of open.splice(0)) asked.destroy()
  })

  /** Begins uploads without an end; returns the statuses of those that have been rejected. */
  function beginUploads(count: number, { token }: MadeClient, localAddress: string): number[] {
    const refused: number[] = []
    for (let left = count; left > 0; left -= 1) {
      const asked = request(new URL('/upload', server.url), {
        method: 'POST',
        localAddress,
        headers: { 'content-type': 'multipart/form-data; boundary=b', authorization: `Bearer ${token}` },
      }).on('error', () => undefined)
      asked.on('response', ({ statusCode = 0, headers }) => {
        expect(headers['retry-after']).toBe('5')
        refused.push(statusCode)
      })
      asked.write('--b\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n')
      open.push(asked)
    }
    return refused
  }
  const makeSender = () => makeClient(server, { state: 'pending' })

  test('of three clients from different addresses do not prevent others from uploading (requirements 29.9, 32.2)', async () => {
    const first = beginUploads(8, await makeSender(), '127.8.0.1')
    await expect.poll(() => first).toEqual([503, 503, 503, 503, 503])
    const others: number[][] = []
    for (const address of ['127.8.0.2', '127.8.0.3']) {
      const refused = beginUploads(3, await makeSender(), address)
      await expect.poll(() => refused).toEqual([503, 503])
      others.push(refused)
    }
    expect((await uploadTo(server, client, await makeJpeg(), 'meanwhile.jpg')).status).toBe(201)
  })

  test('from one address do not occupy all places, however many clients send them', async () => {
    const refused: number[][] = []
    for (let sender = 0; sender < 6; sender += 1) refused.push(beginUploads(1, await makeSender(), '127.8.0.4'))
    await expect.poll(() => refused.flat()).toEqual([503, 503])
    expect((await uploadTo(server, client, await makeJpeg(), 'elsewhere.jpg')).status).toBe(201)
  })

  test('end after some seconds, and free their places', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const refused = beginUploads(3, await makeSender(), '127.8.0.5')
    expect(refused).toEqual([])
    await expect
      .poll(() => {
        vi.advanceTimersByTime(5_000)
        return refused
      })
      .toEqual([503, 503, 503])
    vi.useRealTimers()
    const again = beginUploads(4, await makeSender(), '127.8.0.5')
    await expect.poll(() => again).toEqual([503])
  })
})

test('a client who has used the storage quota gets the error file-quota', async () => {
  const full = await makeClient(server, { state: 'pending' })
  await uploadTo(server, full, await makeJpeg(), 'first.jpg')
  await server.dependencies.pool.query('update files set size = $2 where client_id = $1', [
    full.id,
    fileBytesPerClientMax,
  ])
  const refused = await uploadTo(server, full, await makeJpeg(), 'second.jpg')
  expect([refused.status, refused.json.code]).toEqual([409, 'file-quota'])
})

test('a client can store 300 files and no more', async () => {
  const many = await makeClient(server, { state: 'pending' })
  await uploadTo(server, many, await makeJpeg(), 'first.jpg')
  await server.dependencies.pool.query(
    `insert into files (client_id, label, media_type, size, sha256, kid, state, created_at)
      select client_id, label || n, media_type, size, sha256, kid, state, created_at from files, generate_series(1, 298) n
        where client_id = $1`,
    [many.id],
  )
  const more = async () => (await uploadTo(server, many, await makeJpeg(), 'more.jpg')).json.code
  expect([await more(), await more()]).toEqual([undefined, 'file-quota'])
})

describe('a rejected upload leaves no file and no record', () => {
  test.each([
    ['HTML named .jpg', () => Buffer.from('<!doctype html><script>1</script>'), 415, 'file-kind'],
    ['SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 415, 'file-kind'],
    ['ZIP', () => Buffer.from('504b0304140000000800', 'hex'), 415, 'file-kind'],
    ['GIF', () => Buffer.from('GIF89a\x01\x00\x01\x00/*', 'latin1'), 415, 'file-kind'],
    ['HEIC', () => Buffer.from('00000018667479706865696300000000686569636d696631', 'hex'), 415, 'file-heic'],
    ['an empty file', () => Buffer.alloc(0), 400, 'file-missing'],
    ['half a JPEG', async () => (await makeJpeg(400)).subarray(0, 1200), 422, 'file-broken'],
    ['a PNG of 50 000 by 50 000', () => hugePng(50_000), 422, 'file-broken'],
    ['an animated WebP', () => animatedWebp(), 422, 'file-broken'],
    ['a file with only the signature of a PDF', () => Buffer.from('%PDF-1.7\nnothing'), 422, 'file-broken'],
    ['an encrypted PDF', () => makePdf(1, { userPassword: 'secret' }), 422, 'file-broken'],
    ['a PDF of too many pages', () => makePdf(51), 422, 'file-pages'],
    ['a PDF of ten thousand pages', () => pdfOfPages(10_000), 422, 'file-pages'],
    ['a PDF of one kilobyte that grows to a hundred megabytes', () => doublyCompressedPdf(), 422, 'file-broken'],
    ['a PDF with a script', () => scriptedPdf('/JavaScript'), 422, 'file-active'],
    ['a PDF with an escaped script', () => scriptedPdf('/J#61vaScript'), 422, 'file-active'],
    ['a PDF after HTML', async () => Buffer.concat([Buffer.from('<b>'), await makePdf(1)]), 415, 'file-kind'],
    [
      'a PDF whose script stands between comments that look like a stream',
      () => pdfOf([page, script], { before: '%stream\n', after: '%endstream\n' }),
      422,
      'file-active',
    ],
    [
      'a PDF whose script stands behind a text that looks like a stream',
      () => pdfOf([page, '<< /A (>>\nstream\n) /S /JavaScript /JS (1) /B (\nendstream) >>']),
      422,
      'file-active',
    ],
    [
      'a PDF whose tables lead into a stream, where the script stands',
      () => pdfOf([page, streamOf('', Buffer.from(`4 0 %\n obj ${script} endobj\n`))]),
      422,
      'file-active',
    ],
    [
      'a PDF whose compressed objects hold a script and are named with an escape',
      () => pdfOf([page, objectsOf(`4 0 ${script}`, '/Type /Obj#53tm')]),
      422,
      'file-active',
    ],
    [
      'a PDF whose compressed objects hold a script and have a long dictionary',
      () => pdfOf([page, objectsOf(`4 0 ${script}`, `/Type /ObjStm /A (${'x'.repeat(5000)})`)]),
      422,
      'file-active',
    ],
    [
      'a PDF whose compressed objects are packed twice',
      () => pdfOf([page, objectsOf('4 0 null', '/Type /ObjStm /DecodeParms << /Predictor 12 >>')]),
      422,
      'file-active',
    ],
    [
      'a PDF whose compressed objects grow beyond all bounds together',
      () => pdfOf([page, ...Array.from({ length: 6 }, () => objectsOf(' '.repeat(7_000_000), '/Type /ObjStm'))]),
      422,
      'file-active',
    ],
  ] as const)('%s', async (_, bytes, status, code) => {
    const other = await makeClient(server, { state: 'pending' })
    const before = (await server.dependencies.files.list()).length
    const answer = await uploadTo(server, other, await bytes(), 'photo.jpg')
    expect([answer.status, answer.json.code]).toEqual([status, code])
    expect(await filesOf(other)).toEqual([])
    expect((await server.dependencies.files.list()).length).toBe(before)
  })

  test('two files, another content type, no bearer token, a staff token', async () => {
    const jpeg = await makeJpeg()
    expect((await uploadTo(server, client, jpeg, 'a.jpg', { twice: true })).json.code).toBe('file-many')
    const plain = await fetch(new URL('/upload', server.url), {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${client.token}` },
    })
    expect(plain.status).toBe(415)
    expect((await uploadTo(server, { token: '' }, jpeg, 'a.jpg')).status).toBe(401)
    expect((await uploadTo(server, await makeStaff(server, ['compliance']), jpeg, 'a.jpg')).status).toBe(401)
  })

  test('from a client who has not completed the registration', async () => {
    const registering = await makeClient(server, { state: 'registering' })
    expect((await uploadTo(server, registering, await makeJpeg(), 'a.jpg')).status).toBe(403)
  })

  test('beyond the configured number of uploads in an hour', async () => {
    const eager = await makeClient(server, { state: 'pending' })
    const answers = []
    for (let i = 0; i < 61; i += 1) answers.push((await uploadTo(server, eager, Buffer.from('x'), 'x.jpg')).status)
    expect(answers.at(-1)).toBe(429)
    expect(answers.slice(0, 60)).not.toContain(429)
  })
})

const unbounded: PdfBounds = {
  workMsMax: Infinity,
  clockMsMax: 2 ** 31 - 1,
  memoryBytesMax: Infinity,
  residentBytesMax: Infinity,
}

test.each<[PdfRefusal, string, () => Buffer, Partial<PdfBounds>]>([
  ['memory', 'grows to a hundred megabytes', () => doublyCompressedPdf(), { memoryBytesMax: 64 * 1024 * 1024 }],
  [
    'memory',
    'opens fourteen million lists',
    () => pdfWithoutTail('9 0 obj '.padEnd(14_000_000, '[')),
    { memoryBytesMax: 64 * 1024 * 1024 },
  ],
  ['memory', 'starts a process when no resident memory is allowed', () => pdfWithoutTail(''), { residentBytesMax: 0 }],
  ['time', 'needs any work when none is allowed', () => pdfWithoutTail(''), { workMsMax: 0 }],
  ['time', 'has no result when no waiting time is allowed', () => pdfWithoutTail(''), { clockMsMax: 1 }],
  [
    'unreadable',
    'has page trees that contain each other',
    () => pdfWithoutTail('2 0 obj << /Type /Pages /Kids [2 0 R 2 0 R] >> endobj '),
    {},
  ],
])(
  'checking is abandoned for the reason “%s” if a PDF %s, while others are served (requirements 29.4)',
  async (bound, _, bytes, given) => {
    const reading = checkPdf(bytes(), { ...unbounded, ...given })
    expect((await fetch(new URL('/healthz', server.url))).status).toBe(200)
    expect(await reading).toEqual({ refused: bound })
  },
)

describe('rendering a page of a PDF', () => {
  const megabyte = 1024 * 1024
  const fileOf = (bytes: Buffer) => ({ id: randomUUID(), read: async () => bytes })
  const howItWent = async (drawn: ReturnType<typeof renderPage>) => {
    const found = await drawn
    return 'picture' in found ? 'drawn' : found.refused
  }

  test('stays within its memory limit, whatever the file unpacks to', async () => {
    const bounds = { ...unbounded, memoryBytesMax: 48 * megabyte }
    const drawn = async (bytes: number, within: PdfBounds) =>
      howItWent(renderPage(fileOf(await makeInflatingPdf(bytes)), 1, 200, within))
    expect(await drawn(100 * megabyte, bounds)).toBe('memory')
    expect(await drawn(megabyte, bounds)).toBe('drawn')
    // The limit also covers resident memory, wherever it is allocated.
    expect(await drawn(megabyte, { ...unbounded, residentBytesMax: megabyte })).toBe('memory')
  })

  test('runs once at a time for each file, and reads the file only when its turn comes', async () => {
    const bytes = await makePdf(4)
    const now = { atWork: 0, most: 0 }
    const read = async () => {
      now.atWork += 1
      now.most = Math.max(now.most, now.atWork)
      return bytes
    }
    const id = randomUUID()
    const pages = [1, 2, 3, 4, 5].map((page) => renderPage({ id, read }, page, 100).finally(() => (now.atWork -= 1)))
    expect(await Promise.all(pages.map(howItWent))).toEqual(['drawn', 'drawn', 'drawn', 'drawn', 'page'])
    expect(now.most).toBe(1)
  })

  test('can fail: staff see that the file cannot be displayed and can download it, with a reason, as an opaque attachment', async () => {
    const { filename } = (await uploadTo(server, client, await makeInflatingPdf(400 * megabyte), 'swelling.pdf')).json
    const id = await stored(filename)
    const officer = await makeStaff(server, ['compliance'])
    const shown = () => call(server, documentImage, { as: officer, params: { id, page: '1' } })
    const original = (query: Record<string, string> = {}) =>
      call(server, documentOriginal, { as: officer, params: { id }, query })
    expect((await shown()).failure).toMatchObject({
      code: 'file-undisplayable',
      error: expect.stringContaining('This file cannot be displayed') as string,
    })
    expect((await original()).failure.code).toBe('picture-reason')
    const { headers, status } = await original({ reason: 'The client insists that it opens.' })
    expect([status, headers['content-type']]).toEqual([200, 'application/octet-stream'])
    expect(headers['content-disposition']).toMatch(/^attachment/)
    const logged = await row<{ reason: string }>(
      server.dependencies.pool,
      sql`select reason from events where kind = 'file' and verb = 'download' and record = ${id}`,
    )
    expect(logged?.reason).toBe('The client insists that it opens.')
    await server.dependencies.pool.query(`update files set state = 'quarantined' where id = $1`, [id])
    expect((await original({ reason: 'Again.' })).status).toBe(404)
  })
})

test.each([
  ['../../x.jpg', 'x.jpg'],
  ['a\0.html', 'a.jpg'],
  ['\u202Egpj.exe', 'gpj.jpg'],
  ['...', 'file.jpg'],
  ['CON', 'file.jpg'],
  ['😀.jpg', 'file.jpg'],
  [`${'ü'.repeat(300)}.png`, `${'ü'.repeat(60)}.jpg`],
])('the file name %j is sanitised', async (given, safe) => {
  const { json } = await uploadTo(server, client, await makeJpeg(), given)
  expect(json.filename.split('_').slice(2).join('_')).toBe(safe)
  expect(Buffer.byteLength(json.filename)).toBeLessThanOrEqual(255)
  expect((await fetchFile(json.url)).status).toBe(200)
})

test('a file name with a line break is rejected', async () => {
  expect((await uploadTo(server, client, await makeJpeg(), 'x.jpg\r\nSet-Cookie: a=b')).status).toBe(400)
})

describe('access to a file', () => {
  test('by link ends after 5 minutes, is for one file only, and fails if any byte of the link is changed', async () => {
    const a = (await uploadTo(server, client, await makeJpeg(), 'a.jpg')).json
    const b = (await uploadTo(server, client, await makeJpeg(), 'b.jpg')).json
    expect(
      (await fetchFile(a.url.replace(/signature=./, (found) => (found.endsWith('A') ? 'signature=B' : 'signature=A'))))
        .status,
    ).toBe(404)
    for (const sign of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_='.replace(
      a.url.at(-1) ?? '',
      '',
    ))
      expect((await fetchFile(a.url.slice(0, -1) + sign)).status).toBe(404)
    expect(
      (await fetchFile(a.url.replace(encodeURIComponent(a.filename), encodeURIComponent(b.filename)))).status,
    ).toBe(404)
    expect((await fetchFile(a.url.split('?')[0] ?? '')).status).toBe(404)
    expect((await fetch(new URL(a.url, server.url), { method: 'HEAD' })).status).toBe(200)
    expect((await fetch(new URL(a.url.split('?')[0] ?? '', server.url), { method: 'HEAD' })).status).toBe(404)
    const fresh = await call(server, fileLink, { as: client, body: { filename: a.filename } })
    expect((await fetchFile(fresh.answer.url)).status).toBe(200)
    server.clock.turn(301)
    expect((await fetchFile(fresh.answer.url)).status).toBe(404)
    // Setting the clock back by a day does not extend its validity (requirements 33.10).
    server.clock.turn(-24 * 3600)
    expect((await fetchFile(fresh.answer.url)).status).toBe(404)
    server.clock.turn(24 * 3600)
  })

  test('by link fails if a query parameter is added', async () => {
    const { url, filename } = (await uploadTo(server, client, await makeJpeg(), 'more.jpg')).json
    expect((await fetchFile(url)).status).toBe(200)
    for (const more of ['x=1', 'download=1', 'Expires=1', 'label=other.jpg', 'x'])
      expect((await fetchFile(`${url}&${more}`)).status, more).toBe(404)
    const signature = new URLSearchParams(url.split('?')[1]).get('signature') ?? ''
    expect((await fetchFile(`${url}&signature=${signature}`)).status).toBe(404)
    const bearer = { authorization: `Bearer ${client.token}` }
    const path = new URL(`/public/files/${encodeURIComponent(filename)}?x=1`, server.url)
    expect((await fetch(path, { headers: bearer })).status).toBe(404)
  })

  test('by bearer token is for its owner; another client gets not found', async () => {
    const { filename } = (await uploadTo(server, client, await makeJpeg(), 'own.jpg')).json
    const path = `/public/files/${encodeURIComponent(filename)}`
    const other = await makeClient(server)
    expect((await fetchFile(path, { authorization: `Bearer ${client.token}` })).status).toBe(200)
    expect((await fetchFile(path, { authorization: `Bearer ${other.token}` })).status).toBe(404)
    expect((await call(server, fileLink, { as: other, body: { filename } })).status).toBe(404)
  })

  test('by staff: compliance sees pages of a PDF as images, operations only bank statements, an auditor gives a reason', async () => {
    const { filename } = (await uploadTo(server, client, await makePdf(2), 'seen.pdf')).json
    const id = await stored(filename)
    const params = { id, page: '2' }
    const officer = await makeStaff(server, ['compliance'])
    const page = await call(server, documentImage, { as: officer, params })
    expect(page.status).toBe(200)
    const picture = await sharp(page.bytes).metadata()
    expect([picture.format, picture.width]).toEqual(['png', 1600])
    const { data } = await sharp(page.bytes).raw().toBuffer({ resolveWithObject: true })
    expect([...data.subarray(0, 3)]).toEqual([255, 255, 255])
    expect((await call(server, documentImage, { as: officer, params: { id, page: '3' } })).status).toBe(404)
    expect((await call(server, documentImage, { as: await makeStaff(server, ['operations']), params })).status).toBe(
      404,
    )
    expect((await call(server, documentImage, { as: await makeStaff(server, ['finance']), params })).status).toBe(403)
    expect((await call(server, documentImage, { as: client, params })).status).toBe(401)
    const auditor = await makeStaff(server, ['auditor'])
    expect((await call(server, documentImage, { as: auditor, params })).failure.code).toBe('picture-reason')
    expect((await call(server, documentImage, { as: auditor, params, query: { reason: 'Sample 12' } })).status).toBe(
      200,
    )
    const seen = await row<{ reason: string }>(
      server.dependencies.pool,
      sql`select reason from events where kind = 'file' and verb = 'view' and record = ${id}`,
    )
    expect(seen?.reason).toBe('Sample 12')
    const original = await call(server, documentOriginal, { as: officer, params: { id } })
    expect(original.headers['content-type']).toBe('application/pdf')
    expect(original.headers['content-disposition']).toContain('attachment')
  })
})

describe('stored files', () => {
  test('are encrypted', async () => {
    const pdf = await makePdf(1)
    const { filename } = (await uploadTo(server, client, pdf, 'plain.pdf')).json
    const onDisk = await readFile(pathOf(await stored(filename)))
    expect(onDisk.includes('%PDF')).toBe(false)
  })

  test('that were altered by a bit, swapped or truncated are reported as damaged and never served', async () => {
    const first = (await uploadTo(server, client, await makeJpeg(), 'first.jpg')).json
    const second = (await uploadTo(server, client, await makeJpeg(), 'second.jpg')).json
    const [one, two] = [await stored(first.filename), await stored(second.filename)]
    const bytes = await readFile(pathOf(one))
    await writeFile(pathOf(two), bytes)
    expect((await fetchFile(second.url)).status).toBe(500)
    await writeFile(pathOf(two), bytes.subarray(0, 40))
    expect((await (await fetchFile(second.url)).json()) as object).toMatchObject({ code: 'file-damaged' })
    bytes[20] = (bytes[20] ?? 0) ^ 1
    await writeFile(pathOf(one), bytes)
    expect((await fetchFile(first.url)).status).toBe(500)
  })

  test('on a full disk: uploads are rejected without a record, and accepted once there is space (requirements 33.9)', async () => {
    const owner = await makeClient(server, { state: 'pending' })
    const { files } = server.dependencies
    const { put } = files
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    files.put = () => Promise.reject(full)
    const refused = await uploadTo(server, owner, await makeJpeg(), 'page.jpg')
    expect([refused.status, refused.json.code]).toEqual([503, 'storage-full'])
    const kept = () => rows(server.dependencies.pool, sql`select id from files where client_id = ${owner.id}`)
    const entries = () =>
      rows(
        server.dependencies.pool,
        sql`select id from events where client_id = ${owner.id} and kind = 'file' and verb = 'upload'`,
      )
    expect([await kept(), await entries()]).toEqual([[], []])
    files.put = put
    expect((await uploadTo(server, owner, await makeJpeg(), 'page.jpg')).status).toBeLessThan(300)
    expect(await kept()).toHaveLength(1)
  })

  test('without a record are deleted after the grace period; those with a record are kept', async () => {
    const owner = await makeClient(server, { state: 'pending' })
    const kept = await stored((await uploadTo(server, owner, await makeJpeg(), 'kept.jpg')).json.filename)
    await server.dependencies.files.put('stray-bytes-1', Buffer.from('x'))
    await server.dependencies.files.put('half-written-1', Buffer.from('x'))
    const half = join(server.dependencies.config.dataDir, 'files', '-1', 'half-written-1')
    await rename(half, `${half}.part`)
    // Left over from a crash during re-encryption.
    await writeFile(`${pathOf(kept)}.part`, 'x')
    // Such entries exist on a separate volume or are created by an operator.
    await mkdir(join(server.dependencies.config.dataDir, 'files', 'lost+found'))
    await writeFile(join(server.dependencies.config.dataDir, 'files', 'read me'), 'x')
    const later = new Date(Math.max(Date.now(), server.clock.now().getTime()) + 31 * 86_400_000)
    await deleteStrayFiles(server.dependencies, later)
    const names = await readdir(join(server.dependencies.config.dataDir, 'files'), { recursive: true })
    expect(names.some((name) => name.includes('stray-bytes-1') || name.includes('half-written-1'))).toBe(false)
    expect(names.filter((name) => name.includes(kept)).map((name) => basename(name))).toEqual([kept])
    expect(names).toContain('read me')
  })
})

/** Returns a PNG whose header declares far more pixels than it contains. */
function hugePng(side: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    const typed = Buffer.concat([Buffer.from(type), data])
    const crc = Buffer.alloc(4)
    crc.writeUInt32BE(crc32(typed))
    return Buffer.concat([length, typed, crc])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([1, 0, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(60_000))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}

async function animatedWebp(): Promise<Buffer> {
  const frame = (background: string) =>
    sharp({ create: { width: 10, height: 10, channels: 3, background } })
      .png()
      .toBuffer()
  const frames = await Promise.all(['#123456', '#654321', '#abcdef'].map(frame))
  return sharp(frames, { join: { animated: true } })
    .webp({ loop: 0, delay: [100, 100, 100] })
    .toBuffer()
}

async function scriptedPdf(name: string): Promise<Buffer> {
  const pdf = (await makePdf(1)).toString('latin1')
  return Buffer.from(
    pdf.replace('/Type /Catalog', `/Type /Catalog /OpenAction << /S ${name} /JS (app.alert(1)) >>`),
    'latin1',
  )
}

/** Returns one part of a multipart body with a small file. */
function part(name: string): string {
  return `--b\r\ncontent-disposition: form-data; name="${name}"; filename="a.jpg"\r\n\r\nx\r\n`
}

const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>'
const script = '<< /S /JavaScript /JS (app.alert(1)) >>'

function streamOf(entries: string, data: Buffer): string {
  return `<< ${entries} /Length ${data.length} >>\nstream\n${data.toString('latin1')}\nendstream`
}

/** Returns a compressed object stream. */
function objectsOf(text: string, entries: string): string {
  return streamOf(`${entries} /N 1 /First 4 /Filter /FlateDecode`, deflateSync(Buffer.from(text)))
}

/** Returns a PDF of one page with further content at its end, and without a cross-reference table. */
function pdfWithoutTail(more: string): Buffer {
  const pages = `2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj\n3 0 obj ${page} endobj\n`
  const root = '1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n'
  return Buffer.from(`%PDF-1.7\n${root}${pages}${more}\ntrailer << /Root 1 0 R >>\n%%EOF`, 'latin1')
}

/** Returns a PDF whose object stream is compressed twice. */
function doublyCompressedPdf(): Buffer {
  const packed = deflateSync(deflateSync(Buffer.alloc(100_000_000, '0')))
  const entries = '/Type /ObjStm /N 100000 /First 900000 /Filter [/FlateDecode /FlateDecode]'
  return pdfWithoutTail(`4 0 obj ${streamOf(entries, packed)} endobj`)
}

function pdfOfPages(count: number): Buffer {
  const numbers = Array.from({ length: count }, (_, place) => place + 3)
  const tree = `2 0 obj << /Type /Pages /Kids [${numbers.map((number) => `${number} 0 R`).join(' ')}] /Count ${count} >> endobj`
  return pdfWithoutTail([tree, ...numbers.map((number) => `${number} 0 obj ${page} endobj`)].join('\n'))
}

/** Returns a PDF of one page with these objects from the third on, and content before and after the fourth. */
function pdfOf(objects: readonly string[], around: { before?: string; after?: string } = {}): Buffer {
  const all = ['<< /Type /Catalog /Pages 2 0 R /OpenAction 4 0 R >>', '<< /Type /Pages /Kids [3 0 R] /Count 1 >>']
  let text = '%PDF-1.7\n'
  const places = [...all, ...objects].map((object, place) => {
    if (place === 3) text += around.before ?? ''
    const at = text.length
    text += `${place + 1} 0 obj\n${object}\nendobj\n`
    if (place === 3) text += around.after ?? ''
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  const size = places.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}`
  const end = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`
  return Buffer.from(text + table + end, 'latin1')
}
