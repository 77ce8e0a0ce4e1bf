import { unzipSync } from 'fflate'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { getClientEvents } from '#contract/office/client-tabs.ts'
import { getOfficeClient } from '#contract/office/clients.ts'
import { getDocumentCase } from '#contract/office/documents.ts'
import { exportList } from '#contract/office/list-export.ts'
import * as office from '#contract/office/records.ts'
import { readConfig } from '#server/config/config.ts'
import { recordEvent } from '#server/db/events.ts'
import { run, sql, transaction } from '#server/db/sql.ts'
import { csvFilesOf } from '#server/export/csv.ts'
import { piecesOf } from '#server/office/listing.ts'
import { operate } from '#server/operator/commands.ts'
import { madeBank } from '../../../tests/bank-details.ts'
import { call, makeClient, makeStaff, type MadeStaff } from '../../../tests/factories.ts'
import { textsOfZip } from '../../../tests/files.ts'
import { clientForFile, serverForFile, staffForFile } from '../../../tests/for-file.ts'
import { makeApprovedBank } from '../../../tests/funded-account.ts'
import { chainAllEvents } from '../../../tests/chain-all-events.ts'
import { auditListing, eventColumns, type AuditRow } from './queries.ts'

const server = serverForFile()
const compliance = staffForFile(server, ['compliance'], { name: 'Maren Falk' })
const auditor = staffForFile(server, ['auditor'])
const operations = staffForFile(server, ['operations'])
const client = clientForFile(server)

async function write(verb: string, reason: string, details?: Record<string, unknown>) {
  const acting = { kind: 'staff', id: compliance.id, roles: ['compliance'] } as const
  const event = {
    kind: 'client',
    action: verb,
    record: client.id,
    clientId: client.id,
    reason,
    ...(details ? { details } : {}),
  }
  await transaction(server.dependencies.pool, (tx) =>
    recordEvent(tx, { identity: acting, now: server.clock.now(), address: '127.0.0.1' }, event),
  )
}

const reasonOf = ({ reason }: AuditRow) => [reason ?? '']

const search = async (as: MadeStaff, query: Record<string, string>) =>
  (await call(server, office.searchAudit, { as, query })).answer

describe('the audit log', () => {
  test('can be searched by client, action, person and text, newest first and page by page', async () => {
    for (const reason of ['first', 'second', 'third']) await write('searched', reason)
    const found = await search(auditor, { client: client.id, verb: 'searched', actor: compliance.id })
    expect(found.rows.map(({ reason }) => reason)).toEqual(['third', 'second', 'first'])
    expect(found.rows[0]?.actor).toMatchObject({ kind: 'staff', id: compliance.id, name: 'Maren Falk' })
    expect((await search(auditor, { q: 'SECOND', verb: 'searched' })).rows).toHaveLength(1)
    const page = await search(auditor, { verb: 'searched', size: '2' })
    const rest = await search(auditor, { verb: 'searched', size: '2', cursor: page.next ?? '' })
    expect(rest.rows.map(({ reason }) => reason)).toEqual(['first'])
    expect((await search(auditor, { client: 'not-an-id' })).rows).toEqual([])
  })

  test('names the staff account that a failed sign-in was for, but not the account of a person’s own action', async () => {
    const { id } = await makeStaff(server, ['operations'], { name: 'Olga Brink' })
    const at = { now: server.clock.now(), address: '127.0.0.1' }
    await transaction(server.dependencies.pool, async (tx) => {
      const event = { kind: 'staff', record: id }
      const details = { device: 'Firefox', count: 1 }
      await recordEvent(tx, { ...at, identity: { kind: 'external' } }, { ...event, action: 'codeRefused', details })
      const own = { ...at, identity: { kind: 'staff', id, roles: ['operations'] } } as const
      await recordEvent(tx, own, { ...event, action: 'logOut' })
    })
    const { rows } = await search(auditor, { record: id })
    expect(rows.map(({ verb, actor, after }) => [verb, actor.name, after?.['staffAccount']])).toEqual([
      ['logOut', 'Olga Brink', undefined],
      ['codeRefused', null, 'Olga Brink'],
    ])
  })

  test('masks bank account numbers for auditors but not for compliance', async () => {
    await write('numbers', 'x', {
      before: { iban: 'DE02120300000000202051' },
      after: { iban: 'DE91100000000123456789' },
    })
    expect((await search(auditor, { verb: 'numbers' })).rows[0]?.after).toEqual({ iban: '•••• 6789' })
    expect((await search(compliance, { verb: 'numbers' })).rows[0]?.after).toEqual({ iban: 'DE91100000000123456789' })
  })

  test('is exported with spreadsheet formulas escaped, and the export is itself an audit event', async () => {
    await write('exported', '=HYPERLINK("http://x")')
    const exports = async () => (await search(auditor, { kind: 'audit', verb: 'export' })).rows.length
    const before = await exports()
    const { bytes, headers } = await call(server, office.auditCsv, { as: auditor, query: { verb: 'exported' } })
    expect(String(headers['content-type'])).toContain('text/csv')
    expect(bytes.toString()).toContain(`"'=HYPERLINK(""http://x"")"`)
    expect(await exports()).toBe(before + 1)
  })

  test('records the filters of an export, but only the presence of a search text', async () => {
    const as = await makeStaff(server, ['compliance'])
    const query = { q: 'hannah.brandt@example.com', sort: 'number', direction: 'asc' } as const
    expect((await call(server, exportList, { as, params: { list: 'clients' }, query })).status).toBe(200)
    const words = { q: 'Hannah Brandt', verb: 'exported' }
    expect((await call(server, office.auditCsv, { as, query: words })).status).toBe(200)
    const { rows } = await search(auditor, { actor: as.id, verb: 'export' })
    expect(rows.map(({ after }) => after?.['filter'])).toEqual([
      { searched: true, verb: 'exported' },
      { searched: true, sort: 'number', direction: 'asc' },
    ])
  })

  test('records the reference that an export was filtered by if the log contains it, otherwise only its presence', async () => {
    const as = await makeStaff(server, ['compliance'])
    const exported = async (query: { verb: string } | { reference: string }) => {
      expect((await call(server, office.auditCsv, { as, query })).status).toBe(200)
      return (await search(auditor, { actor: as.id, verb: 'export' })).rows[0]
    }
    const reference = (await exported({ verb: 'none' }))?.reference ?? ''
    expect(reference).not.toBe('')
    expect((await exported({ reference }))?.after?.['filter']).toEqual({ reference })
    const name = 'hannah.brandt@example.com'
    expect((await exported({ reference: name }))?.after?.['filter']).toEqual({ reference: true })
  })

  test('is exported completely, read 1000 rows at a time and split into files above the row limit', async () => {
    await run(
      server.dependencies.pool,
      sql`insert into events (at, kind, verb, actor, reason)
          select ${server.clock.now()}, 'client', 'many', 'clock', n::text from generate_series(1, 1050) n`,
    )
    const asked = { list: auditListing(['auditor']), columns: eventColumns, query: { verb: 'many' }, most: 1040 }
    const pieces = await piecesOf(server.dependencies, asked, (rows: readonly AuditRow[]) =>
      rows.map(({ reason }) => reason),
    )
    expect(pieces.map(({ length }) => length)).toEqual([1000, 40])
    expect(pieces.flat()).toEqual(Array.from({ length: 1040 }, (_, place) => String(1050 - place)))
    const { bytes } = await call(server, office.auditCsv, { as: auditor, query: { verb: 'many' } })
    expect(bytes.toString().trimEnd().split('\n')).toHaveLength(1051)
    const files: string[][] = []
    for await (const file of csvFilesOf(server.dependencies, { ...asked, most: 500 }, ['reason'], reasonOf))
      files.push(file.toString().trimEnd().split('\n'))
    expect(files.map(([heading, ...lines]) => [heading, lines.length])).toEqual([
      ['\uFEFFreason', 500],
      ['\uFEFFreason', 500],
      ['\uFEFFreason', 50],
    ])
    expect(files.flatMap(([, ...lines]) => lines)).toEqual(
      Array.from({ length: 1050 }, (_, place) => String(1050 - place)),
    )
  })

  test('can be neither searched nor exported by operations, who cannot create evidence bundles either', async () => {
    expect((await call(server, office.searchAudit, { as: operations })).failure.code).toBe('wrong-role')
    expect((await call(server, office.auditCsv, { as: operations })).failure.code).toBe('wrong-role')
    expect(
      (await call(server, office.evidenceBundle, { as: operations, params: { id: client.id }, body: { reason: 'x' } }))
        .failure.code,
    ).toBe('wrong-role')
  })
})

test('an evidence bundle contains the records and events of one client and no secrets', async () => {
  const other = await makeClient(server, { surname: 'Stranger' })
  await write('bundled', 'for the regulator')
  const { bytes } = await call(server, office.evidenceBundle, {
    as: auditor,
    params: { id: client.id },
    body: { reason: 'request of the regulator' },
  })
  const files = unzipSync(bytes)
  const text = (name: string) => Buffer.from(files[name] ?? []).toString()
  expect(Object.keys(files)).toEqual(
    expect.arrayContaining(['client.json', 'documents.json', 'events.csv', 'SHA256SUMS']),
  )
  expect(text('events.csv')).toContain('for the regulator')
  expect(text('client.json')).toContain(client.email)
  expect(text('client.json')).not.toContain('password_hash')
  expect(Object.keys(files).map(text).join()).not.toContain(other.email)
  const unknown = await call(server, office.evidenceBundle, {
    as: auditor,
    params: { id: compliance.id },
    body: { reason: 'x' },
  })
  expect(unknown.status).toBe(404)
})

test('account and document numbers are masked for auditors on pages and in files, document numbers for operations too', async () => {
  const owner = await makeClient(server)
  const [iban, documentNumber] = [madeBank.bankIBAN, 'L01X00T47']
  const lines = ['P<D<<BRANDT<<HANNAH', `${documentNumber}8D<<8603142F3103144`].map((line) => line.padEnd(44, '<'))
  await makeApprovedBank(server, owner)
  await run(
    server.dependencies.pool,
    sql`insert into documents (client_id, kind, country, document_number, mrz, expiry_date, created_at)
        values (${owner.id}, 'passport', 'DE', ${documentNumber}, ${lines}::text[], '2031-01-01',
          ${server.clock.now()})`,
  )
  const after = { iban, document_number: documentNumber, mrz: lines }
  const event = { kind: 'document', action: 'upload', record: owner.id, clientId: owner.id, details: { after } }
  await transaction(server.dependencies.pool, (tx) =>
    recordEvent(tx, { identity: { kind: 'client', id: owner.id }, now: server.clock.now() }, event),
  )
  const read = async (
    as: MadeStaff,
    endpoint: Endpoint,
    more: { query?: Record<string, string>; body?: object } = {},
  ) => {
    const { bytes } = await call(server, endpoint, { as, params: { id: owner.id }, ...more })
    const isZip = endpoint === (office.evidenceBundle as Endpoint)
    const text = isZip ? Object.values(textsOfZip(bytes)).join() : bytes.toString()
    return { iban: text.includes(iban), documentNumber: text.includes(documentNumber), any: text.includes(owner.id) }
  }
  const ways: [Endpoint, { query?: Record<string, string>; body?: object }][] = [
    [office.searchAudit, { query: { client: owner.id } }],
    [office.auditCsv, { query: { client: owner.id } }],
    [office.evidenceBundle, { body: { reason: 'request of the regulator' } }],
    [getClientEvents, {}],
    [getDocumentCase, {}],
    [getOfficeClient, {}],
  ]
  for (const [endpoint, more] of ways) {
    expect(await read(auditor, endpoint, more), endpoint.name).toEqual({
      iban: false,
      documentNumber: false,
      any: true,
    })
    expect(await read(compliance, endpoint, more), endpoint.name).toEqual({
      // A document case and a client's overview have no bank details.
      iban: ![getDocumentCase.name, getOfficeClient.name].includes(endpoint.name),
      documentNumber: true,
      any: true,
    })
  }
  expect(await read(operations, getClientEvents)).toEqual({ iban: true, documentNumber: false, any: true })
  expect(await read(operations, getOfficeClient)).toEqual({ iban: false, documentNumber: false, any: true })
})

test('verification reports an intact log, then the first event that was inserted or altered', async () => {
  await write('verify', 'first')
  await write('verify', 'second')
  await chainAllEvents(server)
  const verify = async () => (await call(server, office.verifyAudit, { as: auditor })).answer
  expect(await verify()).toMatchObject({ whole: true, first: null })
  const owner = new pg.Client({ connectionString: server.database.ownerUrl })
  await owner.connect()
  await owner.query('alter table events disable trigger events_append_only')
  const added = await owner.query<{ id: string }>(
    "insert into events (at, kind, verb, actor, transaction_id) values (now(), 'client', 'forged', 'staff', '1') returning id",
  )
  const forged = added.rows[0]?.id
  expect(await verify()).toMatchObject({ whole: false, first: { eventId: String(forged), what: 'added' } })
  const output: string[] = []
  expect(await operate(readConfig(server.env), ['verify'], (line) => output.push(line))).toBe(false)
  expect(output[0]).toBe(`✗ Audit log: event ${forged} was inserted among sealed events.`)
  await owner.query('delete from events where id = $1', [forged])
  const { rows } = await owner.query<{ event_id: string; number: string }>(
    'select event_id, number from event_seals order by number offset 1 limit 1',
  )
  await owner.query('update events set reason = $1 where id = $2', ['forged', rows[0]?.event_id])
  await owner.end()
  expect(await verify()).toMatchObject({
    whole: false,
    first: { number: Number(rows[0]?.number), eventId: String(rows[0]?.event_id), what: 'altered' },
  })
})
