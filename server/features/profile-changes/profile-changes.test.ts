/** Changes of a verified identity (requirements 5.5, 5.6). */
import { beforeEach, expect, test } from 'vitest'
import { editUser, profile } from '#contract/profile.ts'
import {
  approveProfileChange,
  getProfileChange,
  listProfileChanges,
  rejectProfileChange,
  requestEmailChange,
} from '#contract/office/profile-changes.ts'
import { closeClient } from '#contract/office/client-decisions.ts'
import { getOfficeClient } from '#contract/office/clients.ts'
import { requestErasure } from '#contract/office/retention.ts'
import { getClientMails } from '#contract/office/client-tabs.ts'
import { rows, run, sql } from '#server/db/sql.ts'
import {
  call,
  defaultClientDetails,
  makeAccount,
  makeClient,
  makeStaff,
  type MadeClient,
  type MadeStaff,
} from '#tests/factories.ts'
import { serverForFile, staffForFile } from '#tests/for-file.ts'

const server = serverForFile()
const officer = staffForFile(server, ['compliance'])
let client: MadeClient

beforeEach(async () => {
  client = await makeClient(server)
})

const requestProfileChange = async (change: object) => {
  const reply = await call(server, editUser, { as: client, body: { ...defaultClientDetails, ...change } })
  expect(reply.status).toBe(200)
  const [waiting] = await rows<{ id: string }>(
    server.dependencies.pool,
    sql`select id from profile_changes where client_id = ${client.id} and state = 'pending'`,
  )
  return waiting?.id ?? ''
}
const pageOf = async (id: string) =>
  (await call(server, getProfileChange, { as: officer, params: { id } })).answer.change
const surname = async () => (await call(server, profile, { as: client })).answer.user.surname
const mails = async () =>
  (await call(server, getClientMails, { as: officer, params: { id: client.id } })).answer.rows.map(({ kind }) => kind)

test('the page lists what else an approval affects', async () => {
  const account = await makeAccount(server, client)
  await run(
    server.dependencies.pool,
    sql`insert into documents (client_id, kind, state, country, document_number, expiry_date, created_at)
        values (${client.id}, 'passport', 'approved', 'DE', 'C01', '2030-01-01', ${server.clock.now()})`,
  )
  await run(
    server.dependencies.pool,
    sql`insert into deposits (client_id, account_id, type, method, gateway, amount_minor, currency, reference, requested_at, expires_at)
        values (${client.id}, ${account.id}, 'wire', 'Bank Transfer', 'bank', 100, 'EUR', ${client.id}, ${server.clock.now()}, ${server.clock.now()})`,
  )
  expect((await pageOf(await requestProfileChange({ surname: 'Keller' }))).affects).toEqual([
    { code: 'documents-with-old-value', count: 1 },
    { code: 'wires-compared', count: 1 },
    { code: 'accounts-under-old-name', count: 1 },
  ])
})

test('approval writes the value, closes the work item and notifies the client', async () => {
  const id = await requestProfileChange({ surname: 'Brandt-Ilves' })
  expect(await surname()).toBe('Brandt')
  const page = await pageOf(id)
  expect(page).toMatchObject({ field: 'surname', from: 'Brandt', to: 'Brandt-Ilves', state: 'pending', risk: null })
  expect((await call(server, listProfileChanges, { as: officer })).answer.rows.map((one) => one.id)).toContain(id)
  expect(
    (await call(server, approveProfileChange, { as: officer, params: { id }, body: { version: page.version } })).answer
      .state,
  ).toBe('approved')
  expect(await surname()).toBe('Brandt-Ilves')
  expect(await mails()).toEqual(['profile-change-approved'])
  expect((await pageOf(id)).item).toBeNull()
})

test('rejection requires a reason and changes nothing', async () => {
  const id = await requestProfileChange({ birthDay: 13 })
  const { version } = await pageOf(id)
  expect(
    (await call(server, rejectProfileChange, { as: officer, params: { id }, body: { version } })).failure.code,
  ).toBe('reason-required')
  expect(
    (
      await call(server, rejectProfileChange, {
        as: officer,
        params: { id },
        body: { version, reason: 'Please send a document.' },
      })
    ).status,
  ).toBe(200)
  expect((await call(server, profile, { as: client })).answer.user.birthDay).toBe(12)
  expect(await mails()).toEqual(['profile-change-rejected'])
})

test('a new country shows its risk, and one that has become unavailable is not applied', async () => {
  const id = await requestProfileChange({ country: 'FR' })
  expect((await pageOf(id)).risk).toMatchObject({ toAvailable: true })
  await run(server.dependencies.pool, sql`update profile_changes set to_value = 'KP' where id = ${id}`)
  const page = await pageOf(id)
  expect(page.risk).toMatchObject({ toLevel: 5, toAvailable: false })
  expect(page.verbs.find(({ verb }) => verb === 'approve')?.refusal?.code).toBe('country-unavailable')
  expect(
    (await call(server, approveProfileChange, { as: officer, params: { id }, body: { version: page.version } })).failure
      .code,
  ).toBe('country-unavailable')
  expect(page.checks).toMatchObject([{ code: 'countryRisk', verdict: 'differs', theirs: '5' }])
  // Today's risk levels are not shown with a change that has been decided.
  const body = { version: page.version, reason: 'Not served.' }
  await call(server, rejectProfileChange, { as: officer, params: { id }, body })
  expect(await pageOf(id)).toMatchObject({ state: 'rejected', risk: null, checks: [] })
})

test('a decision is for compliance, never about oneself, and succeeds once', async () => {
  const id = await requestProfileChange({ name: 'Johanna' })
  const { version } = await pageOf(id)
  const approve = (as: MadeStaff) => call(server, approveProfileChange, { as, params: { id }, body: { version } })
  expect((await approve(await makeStaff(server, ['finance']))).status).toBe(403)
  expect((await approve(await makeStaff(server, ['auditor']))).status).toBe(403)
  expect((await approve(await makeStaff(server, ['compliance'], { email: client.email }))).failure.code).toBe(
    'own-request',
  )
  const both = await Promise.all([approve(officer), approve(officer)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect((await call(server, getProfileChange, { as: client, params: { id } })).status).toBe(401)
  const unknown = { as: officer, params: { id: 'nothing' } }
  expect((await call(server, getProfileChange, unknown)).status).toBe(404)
  expect((await call(server, approveProfileChange, { ...unknown, body: { version: 1 } })).status).toBe(404)
})

test('a client with a pending change is neither closed nor erased before it is decided', async () => {
  const second = await makeStaff(server, ['administrator'])
  const close = async () => {
    const { version } = (await call(server, getOfficeClient, { as: officer, params: { id: client.id } })).answer.client
    const body = { version, reason: 'as agreed' }
    return call(server, closeClient, { as: officer, params: { id: client.id }, body })
  }
  const erase = () =>
    call(server, requestErasure, {
      as: second,
      params: { id: client.id },
      body: { askedFor: 'client', reason: 'wrote to us on Monday' },
    })
  const reject = (id: string) =>
    call(server, rejectProfileChange, { as: officer, params: { id }, body: { version: 1, reason: 'Not proved.' } })

  const asked = await requestProfileChange({ surname: 'Keller' })
  expect((await close()).failure.code).toBe('requests-open')
  expect((await reject(asked)).status).toBe(200)
  expect((await close()).status).toBe(200)

  // Staff can still request another email address of a closed client.
  const body = { email: 'other@example.com', reason: 'The mailbox is closed.' }
  const change = await call(server, requestEmailChange, { as: second, params: { id: client.id }, body })
  expect(change.status, change.bytes.toString()).toBe(201)
  expect((await erase()).failure.code).toBe('requests-open')
  expect((await reject(change.answer.id)).status).toBe(200)
  expect((await erase()).status).toBe(201)
})
