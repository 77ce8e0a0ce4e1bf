/**
 * Staff who may see only how many clients share data never see who they are (requirements 24.36, ADR 243).
 */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { approveBankDetails, getOfficeBankDetails } from '#contract/office/bank-details.ts'
import { getDecisionChecks } from '#contract/office/checks.ts'
import { getOfficeClient } from '#contract/office/clients.ts'
import { getDocumentCase } from '#contract/office/documents.ts'
import { evidenceBundle, searchAudit } from '#contract/office/records.ts'
import { officeEndpoints } from '#contract/endpoints.ts'
import { downloadMyData } from '#contract/profile.ts'
import type { StaffRole } from '#rules/actors.ts'
import { row, run, sql } from '#server/db/sql.ts'
import { allAcknowledged } from '#tests/acknowledged.ts'
import { bankDetailsOf, madeBank } from '#tests/bank-details.ts'
import { call, makeAccount, makeClient, makeStaff, type MadeClient } from '#tests/factories.ts'
import { textsOfZip } from '#tests/files.ts'
import { serverForFile } from '#tests/for-file.ts'
import { chainAllEvents } from '#tests/chain-all-events.ts'
import { linkClients } from './link-digests.ts'

const rolesSeeingNames: readonly StaffRole[] = ['compliance', 'administrator']
const rolesSeeingCounts: readonly StaffRole[] = ['operations', 'finance', 'auditor']
const phone = '+493012345678'

const server = serverForFile({ now: new Date('2026-06-19T09:44:00Z') })
let client: MadeClient
let other: MadeClient
let bankId: string
let decidedId: string
/** Any data of the other client that a page could show. */
let otherClientData: RegExp
const ids: string[] = []

beforeAll(async () => {
  client = await makeClient(server, { mobilePhone: phone, identityApproved: true, addressApproved: true })
  other = await makeClient(server, { mobilePhone: phone, surname: 'Zwillinger' })
  const { pool } = server.dependencies
  const now = server.clock.now()
  const written = async (statement: Parameters<typeof row>[1]): Promise<string> => {
    const found = await row<{ id: string }>(pool, statement)
    if (!found) throw new Error('nothing was written')
    return found.id
  }
  const documentOf = ({ id }: MadeClient) =>
    written(sql`insert into documents (id, client_id, kind, state, country, document_number, expiry_date, created_at, sent_at)
      values (${randomUUID()}, ${id}, 'passport', 'pending_approval', 'DE', 'C01X00T47', '2031-01-01', ${now}, ${now}) returning id`)
  const bankOf = ({ id }: MadeClient) => written(bankDetailsOf(id, madeBank.bankIBAN, 'pending', now))
  await documentOf(other)
  await bankOf(other)
  bankId = await bankOf(client)
  decidedId = await bankOf(client)
  const account = await makeAccount(server, client)
  ids.push(client.id, bankId, account.id, await documentOf(client))
  for (const { id } of [client, other]) {
    await run(pool)`update sessions set address = '192.0.2.7', device = 'Firefox/140.0' where client_id = ${id}`
    await run(pool)`insert into events (at, kind, record, client_id, verb, actor)
      values (${now}, 'client', ${id}, ${id}, 'note', 'clock')`
  }
  await chainAllEvents(server)
  await linkClients(server.dependencies)
  const numbered = await row<{ number: string }>(pool)`select number::text from clients where id = ${other.id}`
  otherClientData = new RegExp(`Zwillinger|${other.id}|${other.email}|\\b${numbered?.number}\\b`)
})

const onlyOne = { count: 1, clients: null }

describe.each(rolesSeeingCounts)('%s', (role) => {
  test('sees the number of clients with shared data on each page about a client', async () => {
    const as = await makeStaff(server, [role])
    const { linked } = (await call(server, getOfficeClient, { as, params: { id: client.id } })).answer.client
    expect(linked).toEqual(onlyOne)
    const { bankDetails } = (await call(server, getOfficeBankDetails, { as, params: { id: bankId } })).answer
    expect(bankDetails.elsewhere).toEqual(onlyOne)
    const checks = await call(server, getDecisionChecks, { as, query: { kind: 'bank_details', id: bankId } })
    const shared = checks.answer.checks.find(({ name }) => name === 'same-elsewhere')
    expect(shared).toMatchObject({ result: 'warn', text: 'Other clients with the same details: 1.' })
    expect(shared?.facts.map(({ name, value }) => [name, value])).toEqual([
      ['Clients with the same bank account', '1'],
      ['Clients with the same device', '1'],
      ['Clients with the same document number', '1'],
      ['Clients with the same phone number', '1'],
    ])
    if (!getDocumentCase.access.includes(role)) return
    const { documents } = (await call(server, getDocumentCase, { as, params: { id: client.id } })).answer.case
    expect(documents.map(({ elsewhere }) => elsewhere)).toEqual([onlyOne])
  })

  test('receives nothing that identifies the other client from any endpoint about this client', async () => {
    const as = await makeStaff(server, [role])
    const read = officeEndpoints.filter(
      ({ method, path, access, produces }) =>
        method === 'GET' && path.includes('/:id') && produces === 'application/json' && access.includes(role),
    )
    const answered = new Set<string>()
    for (const endpoint of read)
      for (const id of ids) {
        const reply = await call(server, endpoint, { as, params: { id, operation: '1' } })
        if (reply.status === 200) answered.add(endpoint.name)
        expect(reply.bytes.toString(), endpoint.name).not.toMatch(otherClientData)
      }
    expect([...answered]).toEqual(
      expect.arrayContaining(['getOfficeClient', 'getOfficeBankDetails', 'getClientEvents']),
    )
  })
})

test.each(rolesSeeingNames)('%s sees which client shares the data', async (role) => {
  const as = await makeStaff(server, [role])
  const { linked } = (await call(server, getOfficeClient, { as, params: { id: client.id } })).answer.client
  expect(linked).toMatchObject({
    count: 1,
    clients: [{ id: other.id, kinds: expect.arrayContaining(['bank']) as never }],
  })
  const { bankDetails } = (await call(server, getOfficeBankDetails, { as, params: { id: bankId } })).answer
  expect(bankDetails.elsewhere).toMatchObject({ count: 1, clients: [{ id: other.id }] })
  const { documents } = (await call(server, getDocumentCase, { as, params: { id: client.id } })).answer.case
  expect(documents).toMatchObject([{ elsewhere: { count: 1, clients: [{ id: other.id }] } }])
})

test('a decision stores only the number of clients, so evidence bundle, data export and audit log do not identify them', async () => {
  const by = await makeStaff(server, ['operations'])
  const approved = await call(server, approveBankDetails, {
    as: by,
    params: { id: decidedId },
    body: { version: 1, ...allAcknowledged, holder: 'Hannah Brandt' },
  })
  expect(approved.status).toBe(200)
  await chainAllEvents(server)
  const officer = await makeStaff(server, ['compliance'])
  const bundle = await call(server, evidenceBundle, {
    as: officer,
    params: { id: client.id },
    body: { reason: 'An access request' },
  })
  const files = textsOfZip(bundle.bytes)
  expect(files['checks.json']).toContain('Other clients with the same details: 1.')
  expect(JSON.stringify(files)).not.toMatch(otherClientData)

  const own = await call(server, downloadMyData, { as: client })
  const texts = Object.values(textsOfZip(own.bytes))
  expect(texts.join()).toContain(client.id)
  expect(texts.join()).not.toMatch(otherClientData)
  expect(texts.join()).not.toMatch(/same-elsewhere|same details|payment_holds/i)

  const audit = await call(server, searchAudit, {
    as: await makeStaff(server, ['auditor']),
    query: { client: client.id },
  })
  expect(audit.status).toBe(200)
  expect(audit.bytes.toString()).toContain('Same details as another client')
  expect(audit.bytes.toString()).not.toMatch(otherClientData)
})
