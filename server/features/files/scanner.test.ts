/** Uploads with a configured virus scanner (requirements 29.6; ASVS 5.4.3). */
import { createServer, type Server, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentsApproval, saveDocuments } from '#contract/documents.ts'
import { fileLink } from '#contract/files.ts'
import { getDocumentCase } from '#contract/office/documents.ts'
import { passportImage } from '#scripts/seed/pictures.ts'
import { row, rows, run, sql } from '#server/db/sql.ts'
import { billBody, passportBearer, passportBody } from '#tests/documents.ts'
import { call, makeClient, makeStaff, startTestServer, type MadeClient, type TestServer } from '#tests/factories.ts'
import { makeJpeg, makePdf, uploadTo } from '#tests/files.ts'
import { readZones } from '../documents/jobs.ts'
import { rescanFiles } from './jobs.ts'

const eicar = String.raw`X5O!P%@AP[4\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*`
let daemon: Server
let server: TestServer
let client: MadeClient
let daemonMode: 'working' | 'silent' | 'dying' = 'working'

beforeAll(async () => {
  daemon = createServer((socket) => {
    let seen = Buffer.alloc(0)
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      seen = Buffer.concat([seen, chunk])
      if (daemonMode === 'dying') return socket.destroy()
      if (!seen.subarray(-4).equals(Buffer.alloc(4))) return
      return socket.end(seen.includes(eicar) ? 'stream: Eicar-Test-Signature FOUND\0' : 'stream: OK\0')
    })
    if (daemonMode === 'silent') socket.end()
  })
  await new Promise<void>((resolve) => daemon.listen(0, '127.0.0.1', resolve))
  server = await startTestServer({ env: { CLAMD_ADDRESS: `127.0.0.1:${(daemon.address() as AddressInfo).port}` } })
  client = await makeClient(server, { state: 'pending' })
})
afterAll(async () => {
  await server.stop()
  daemon.close()
})

const stateOf = async (label: string) =>
  (await row<{ state: string }>(server.dependencies.pool, sql`select state from files where label = ${label}`))?.state
const fetchStatus = (url: string) => fetch(new URL(url, server.url)).then(({ status }) => status)

test('a virus in a PDF or after an image is rejected with a message and an audit event', async () => {
  daemonMode = 'working'
  const before = (await server.dependencies.files.list()).length
  for (const bytes of [await makePdf(1), await makeJpeg()]) {
    const answer = await uploadTo(server, client, Buffer.concat([bytes, Buffer.from(`\n${eicar}`)]), 'x.pdf')
    expect([answer.status, answer.json.code]).toEqual([422, 'file-infected'])
  }
  expect((await server.dependencies.files.list()).length).toBe(before)
  const events = await rows(
    server.dependencies.pool,
    sql`select 1 from events where verb = 'refuseInfected' and client_id = ${client.id}`,
  )
  expect(events).toHaveLength(2)
})

test.each(['silent', 'dying'] as const)(
  'while the scanner is %s a file is quarantined and not served; it is served once it has passed the scan',
  async (how) => {
    daemonMode = how
    const { status, json } = await uploadTo(server, client, await makeJpeg(), `${how}.jpg`)
    expect([status, await stateOf(json.filename), await fetchStatus(json.url)]).toEqual([201, 'quarantined', 404])
    await rescanFiles(server.dependencies, server.clock.now())
    expect(await stateOf(json.filename)).toBe('quarantined')
    daemonMode = 'working'
    await rescanFiles(server.dependencies, server.clock.now())
    expect([await stateOf(json.filename), await fetchStatus(json.url)]).toEqual(['clean', 200])
  },
)

test('the machine-readable zone of a quarantined file is read only once it has passed the scan', async () => {
  const { dependencies, clock } = server
  const officer = await makeStaff(server, ['compliance'])
  const bearer = await makeClient(server, { state: 'pending' })
  const picture = await passportImage(passportBearer)
  daemonMode = 'silent'
  const { json } = await uploadTo(server, bearer, picture, 'passport.jpg')
  const bill = (await uploadTo(server, bearer, await makeJpeg(), 'bill.jpg')).json.filename
  for (const body of [passportBody(json.filename, { documentNumber: passportBearer.number }), billBody(bill)])
    expect((await call(server, saveDocuments, { as: bearer, body })).status).toBe(200)
  expect((await call(server, documentsApproval, { as: bearer })).status).toBe(200)
  const shownReading = async () => {
    const answer = await call(server, getDocumentCase, { as: officer, params: { id: bearer.id } })
    return answer.answer.case.documents.find(({ kind }) => kind === 'passport')?.reading
  }
  const kept = () =>
    rows(dependencies.pool)`
      select z.state from zone_readings z join files f on f.id = z.file_id where f.label = ${json.filename}`
  await readZones(dependencies, clock.now())
  expect([await stateOf(json.filename), await kept()]).toEqual(['quarantined', []])
  expect(await shownReading()).toMatchObject({ state: 'waiting', lines: [] })
  daemonMode = 'working'
  await rescanFiles(dependencies, clock.now())
  await readZones(dependencies, clock.now())
  expect([await stateOf(json.filename), await kept()]).toEqual(['clean', [{ state: 'read' }]])
  expect(await shownReading()).toMatchObject({ state: 'read', side: 'front' })
})

test('a quarantined file whose bytes are damaged does not block the files behind it', async () => {
  daemonMode = 'silent'
  const labels: string[] = []
  for (const name of ['damaged.jpg', 'behind.jpg'])
    labels.push((await uploadTo(server, client, await makeJpeg(), name)).json.filename)
  const [damaged = '', behind = ''] = labels
  const found = await row<{ id: string }>(server.dependencies.pool, sql`select id from files where label = ${damaged}`)
  await server.dependencies.files.put(found?.id ?? '', Buffer.from('not what was stored'))
  daemonMode = 'working'
  await rescanFiles(server.dependencies, server.clock.now())
  expect([await stateOf(damaged), await stateOf(behind)]).toEqual(['quarantined', 'clean'])
  await run(server.dependencies.pool, sql`delete from files where label = ${damaged}`)
})

test('a quarantined file that turns out to be infected loses its bytes and is never served or used', async () => {
  daemonMode = 'silent'
  const { json } = await uploadTo(
    server,
    client,
    Buffer.concat([await makePdf(1), Buffer.from(`\n% ${eicar}\n`)]),
    'late.pdf',
  )
  daemonMode = 'working'
  const kept = (await server.dependencies.files.list()).length
  await rescanFiles(server.dependencies, server.clock.now())
  expect([await stateOf(json.filename), await fetchStatus(json.url)]).toEqual(['infected', 404])
  const link = await call(server, fileLink, { as: client, body: { filename: json.filename } })
  expect(link.status).toBe(404)
  const expiry = { expiryDay: 22, expiryMonth: 9, expiryYear: server.clock.now().getFullYear() + 3 }
  const data = { country: 'DE', documentNumber: 'C01X00T47', ...expiry, documentFront: json.filename }
  const used = await call(server, saveDocuments, { as: client, body: { documentType: 'passport', data } })
  expect(used.failure.code).toBe('file-unknown')
  expect((await server.dependencies.files.list()).length).toBe(kept - 1)
})
