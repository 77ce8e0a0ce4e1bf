import { strFromU8, unzipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import {
  downloadMyData,
  editUser,
  profile,
  updateEmploymentIncome,
  updateTradingExperience,
} from '#contract/profile.ts'
import { row, rows, run, sql } from '#server/db/sql.ts'
import { call, defaultClientDetails, makeAccount, makeClient, makeStaff } from '#tests/factories.ts'
import { serverForFile } from '#tests/for-file.ts'
import { recordMakers } from '#tests/records.ts'
import { stepAnswers } from '#tests/registering.ts'
import { exportedKinds } from './client-data.ts'

const server = serverForFile()

const employment = { ...stepAnswers('')['2.5'], ...stepAnswers('')['2.6'] }
const experience = stepAnswers('')['3.1']
type Client = Awaited<ReturnType<typeof makeClient>>
const edit = (client: Client, changes: object = {}) =>
  call(server, editUser, { as: client, body: { ...defaultClientDetails, ...changes } })
const shownProfile = async (client: Client) => (await call(server, profile, { as: client, body: {} })).answer
const openItems = (client: Client) =>
  rows<{ summary: { field: string } }>(
    server.dependencies.pool,
    sql`select summary from work_items where client_id = ${client.id} and kind = 'profile_change' and closed_at is null`,
  )

describe('personal details', () => {
  test('that do not establish identity change immediately, with an audit event of values before and after', async () => {
    const client = await makeClient(server)
    expect((await edit(client, { city: 'Potsdam', mobilePhone: '+49 (30) 90-1821' })).answer.pending).toEqual([])
    expect((await shownProfile(client)).user).toMatchObject({ city: 'Potsdam', mobilePhone: '+4930901821' })
    const event = await row<{ details: unknown }>(
      server.dependencies.pool,
      sql`select d.details from events e join event_details d on d.event_id = e.id where e.client_id = ${client.id} and e.verb = 'editUser'`,
    )
    expect(event?.details).toEqual({
      before: { city: 'Berlin', mobilePhone: '+4930901820' },
      after: { city: 'Potsdam', mobilePhone: '+4930901821' },
    })
  })

  test('name, surname, birth date, nationality and country are pending for compliance; the record is unchanged', async () => {
    const client = await makeClient(server)
    const { pending } = (
      await edit(client, {
        surname: 'Weber',
        birthDay: 13,
        nationality: 'AT',
        country: 'AT',
        postcode: '1010',
        city: 'Wien',
      })
    ).answer
    expect(pending.toSorted()).toEqual(['birthDate', 'country', 'nationality', 'surname'])
    const { user, pending: waiting } = await shownProfile(client)
    expect(user).toMatchObject({ surname: 'Brandt', birthDay: 12, nationality: 'DE', country: 'DE', city: 'Wien' })
    expect(waiting.find(({ field }) => field === 'surname')).toMatchObject({ to: 'Weber' })
    expect(await openItems(client)).toHaveLength(4)
  })

  test('a second request for a field replaces the first; an identical one or none changes nothing', async () => {
    const client = await makeClient(server)
    await edit(client, { surname: 'Weber' })
    await edit(client, { surname: 'Weber' })
    await edit(client, { surname: 'Wagner' })
    await edit(client)
    const kept = await rows<{ to: string; state: string }>(
      server.dependencies.pool,
      sql`select to_value as to, state from profile_changes where client_id = ${client.id} order by id`,
    )
    expect(kept).toEqual([
      { to: 'Weber', state: 'replaced' },
      { to: 'Wagner', state: 'pending' },
    ])
    expect(await openItems(client)).toHaveLength(1)
  })

  test.each([
    ['an empty surname', { surname: '  ' }, 'surname'],
    ['a day that does not exist', { birthDay: 31, birthMonth: 2 }, 'birthDay'],
    ['an age of 17', { birthYear: 2009 }, 'birthYear'],
    ['a county over 30 characters', { county: 'x'.repeat(31) }, 'county'],
    ['a number without prefix', { mobilePhone: '030 901820' }, 'mobilePhone'],
    ['a postcode of two characters', { postcode: '10' }, 'postcode'],
    ['a name with a hidden character in it', { surname: 'Bra\u202Endt' }, 'surname'],
    ['an unknown country', { country: 'XX' }, 'country'],
    ['a country that is not available', { country: 'KP' }, 'country'],
    ['a lone surrogate', { city: '\ud800' }, 'city'],
    ['another email address', { email: 'other@example.com' }, 'email'],
    ['another client’s id', { userId: '00000000-0000-7000-8000-000000000000' }, 'userId'],
    ['a status', { status: 'approved' }, 'status'],
    ['a client status', { clientStatus: 'professional' }, 'clientStatus'],
  ])('%s is rejected at its field and changes nothing (requirements 27.3)', async (_, change, field) => {
    const client = await makeClient(server)
    const reply = await edit(client, { city: 'Elsewhere', ...change })
    expect([400, 403]).toContain(reply.status)
    expect(Object.keys(reply.failure.errors)).toEqual([field])
    expect((await shownProfile(client)).user.surname).toBe('Brandt')
  })

  test('errors of several rules are returned together, before a step-up is required', async () => {
    const client = await makeClient(server)
    await run(server.dependencies.pool, sql`update sessions set proved_at = null where id = ${client.sessionId}`)
    const wrong = { birthYear: 2009, country: 'KP', mobilePhone: '+4930901821' }
    const reply = await edit(client, wrong)
    expect([reply.status, reply.failure.code]).toEqual([400, 'check-fields'])
    expect(reply.failure.errors).toEqual({
      birthYear: 'You must be 18 or older.',
      country: expect.any(String),
    })
  })

  test('a postcode of any format is accepted, and invisible characters from pasting are removed', async () => {
    const client = await makeClient(server)
    const pasted = {
      surname: '\u2066Brandt\u2069',
      postcode: '\u200B1\u200E011 \u00AD',
      mobilePhone: '\u202A+49 30 901820\u202C',
    }
    expect((await edit(client, pasted)).status).toBe(200)
    const { user, pending } = await shownProfile(client)
    expect([user.surname, user.postcode, user.mobilePhone, pending]).toEqual(['Brandt', '1011', '+4930901820', []])
  })

  test('a missing birth date has its own message', async () => {
    const client = await makeClient(server)
    expect((await edit(client, { birthDay: undefined })).failure.errors['birthDay']).toBe(
      'Please, set your birth date.',
    )
  })

  test('the client’s own email address and id are accepted in the body', async () => {
    const client = await makeClient(server)
    expect((await edit(client, { email: client.email, userId: client.id })).status).toBe(200)
  })
})

describe('the forms for employment and trading experience', () => {
  test('are null at first, and both are saved and returned', async () => {
    const client = await makeClient(server)
    expect(await shownProfile(client)).toMatchObject({ employmentIncome: null, tradingExperience: null })
    expect((await call(server, updateEmploymentIncome, { as: client, body: employment })).status).toBe(200)
    expect(
      (await call(server, updateTradingExperience, { as: client, body: { userId: client.id, ...experience } })).status,
    ).toBe(200)
    expect(await shownProfile(client)).toMatchObject({ employmentIncome: employment, tradingExperience: experience })
  })

  test('require all fields, with values of the lists', async () => {
    const client = await makeClient(server)
    const reply = await call(server, updateEmploymentIncome, {
      as: client,
      body: { ...employment, savings: 'much', industry: '' },
    })
    expect(Object.keys(reply.failure.errors).toSorted()).toEqual(['industry', 'savings'])
    expect((await call(server, updateTradingExperience, { as: client, body: {} })).status).toBe(400)
  })
})

test('profile changes are limited to 100 an hour, as each is kept permanently in the audit log', async () => {
  const client = await makeClient(server)
  const body = { ...defaultClientDetails, birthYear: 2020 }
  const change = async () => (await call(server, editUser, { as: client, body })).status
  const statuses = await Promise.all(Array.from({ length: 101 }, change))
  expect(statuses.filter((status) => status === 429)).toHaveLength(1)
  expect((await call(server, profile, { as: client, body: {} })).status).toBe(200)
})

describe('access to the profile (requirements 27.2, 27.5)', () => {
  test('lets a client who is not approved read the profile but not change it', async () => {
    const client = await makeClient(server, { state: 'pending' })
    expect((await shownProfile(client)).user.status).toBe('pending')
    expect((await edit(client, { city: 'Potsdam' })).failure.code).toBe('approval-first')
    expect((await call(server, updateEmploymentIncome, { as: client, body: employment })).status).toBe(403)
  })

  test('is refused with another client’s email address or id, and to staff', async () => {
    const client = await makeClient(server)
    const other = await makeClient(server)
    expect((await call(server, profile, { as: client, body: { email: other.email } })).status).toBe(403)
    expect((await call(server, profile, { as: client, body: { userId: other.id } })).status).toBe(403)
    expect(
      (await call(server, updateTradingExperience, { as: client, body: { ...experience, userId: other.id } })).status,
    ).toBe(403)
    const staff = await makeStaff(server, ['administrator'])
    expect((await call(server, profile, { as: staff, body: {} })).status).toBe(401)
  })
})

describe('the download of a client’s own data', () => {
  test('is a ZIP file without secrets, limited to three an hour', async () => {
    const client = await makeClient(server)
    const other = await makeClient(server)
    const { login } = await makeAccount(server, client)
    const reply = await call(server, downloadMyData, { as: client })
    expect(reply.headers['content-type']).toBe('application/zip')
    const files = unzipSync(reply.bytes)
    const all = Object.values(files)
      .map((bytes) => strFromU8(bytes))
      .join('\n')
    expect(Object.keys(files)).toContain('client.json')
    expect(all).toContain(client.email)
    expect(all).toContain(login)
    expect(all).not.toContain(other.id)
    expect(all).not.toMatch(/argon2|password_hash|factor_secret/)
    for (let turn = 0; turn < 2; turn += 1) await call(server, downloadMyData, { as: client })
    expect((await call(server, downloadMyData, { as: client })).status).toBe(429)
  })

  test('contains no column that names a member of staff', async () => {
    const columns = await rows<{ table: string; column: string }>(
      server.dependencies.pool,
      sql`select c.conrelid::regclass::text as "table", a.attname as "column" from pg_constraint c
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
        where c.contype = 'f' and c.confrelid = 'staff'::regclass`,
    )
    const naming = columns.filter(({ table, column }) =>
      Object.values(exportedKinds).some((kind) => kind.table === table && !kind.without.includes(column)),
    )
    expect(columns.length).toBeGreaterThan(20)
    expect(naming).toEqual([])
  })

  test('shows requests as the client sees them: no second approval, no threshold of the firm', async () => {
    const client = await makeClient(server)
    const [account, other] = [await makeAccount(server, client), await makeAccount(server, client)]
    const colleague = await makeStaff(server, ['operations'])
    const make = (life: string, state: string, bankId = '') =>
      recordMakers[life]?.({ server, client, account, other, bankId, colleague }, state, colleague, '')
    const bankId = await make('bank_details', 'approved')
    await make('withdrawal', 'second_approval', bankId)
    await make('account', 'processing')
    const { bytes } = await call(server, downloadMyData, { as: client, headers: { 'accept-language': 'de' } })
    const files = unzipSync(bytes)
    const read = (name: string) => strFromU8(files[`${name}.json`] ?? new Uint8Array())
    expect(JSON.parse(read('withdrawals'))).toMatchObject([{ status: 'pending', status_text: 'Offen' }])
    expect(JSON.parse(read('trading-accounts'))).toContainEqual(expect.objectContaining({ status: 'pending' }))
    expect(read('withdrawals')).not.toMatch(/second_approval|threshold|first_approved|confirmed|payout_file/)
    expect(read('deposits') + read('withdrawals') + read('trading-accounts')).not.toContain('"state"')
  })
})
