/** The search of the command palette (requirements 24.6, 24.8). */
import { describe, expect, test } from 'vitest'
import { requestWirePayment } from '#contract/deposits.ts'
import { getClientEvents } from '#contract/office/client-tabs.ts'
import { searchClients } from '#contract/office/clients.ts'
import { listCorrections } from '#contract/office/accounting.ts'
import { listOfficeBankDetails } from '#contract/office/bank-details.ts'
import { listOfficeDeposits } from '#contract/office/deposits.ts'
import { countedMax, lookUpClient, searchRecords } from '#contract/office/search.ts'
import { exportedLists, exportList } from '#contract/office/list-export.ts'
import { staffRoles, type StaffRole } from '#rules/actors.ts'
import { canRead } from '#rules/permissions.ts'
import { row, run } from '#server/db/sql.ts'
import { call, makeAccount, makeClient, makeStaff, type MadeClient } from '#tests/factories.ts'
import { platformForFile, staffForFile } from '#tests/for-file.ts'
import { makeApprovedBank, wireBody } from '#tests/funded-account.ts'

// Deposits are only possible to accounts on a connected platform.
const { server } = platformForFile()
const operations = staffForFile(server, ['operations'])

const hitsOf = async (q: string, as = operations) =>
  (await call(server, searchRecords, { as, query: { q } })).answer.hits
const hitTexts = async (q: string, as = operations) =>
  (await hitsOf(q, as)).map(({ kind, id, exact }) => (exact ? `${kind} ${id} exact` : `${kind} ${id}`))

const numberOf = async ({ id }: MadeClient) => {
  const client = await row<{ number: string }>(server.dependencies.pool)`
    select number::text as number from clients where id = ${id}`
  return client?.number ?? ''
}

async function announceDeposit(client: MadeClient) {
  const account = await makeAccount(server, client)
  await call(server, requestWirePayment, { as: client, body: wireBody(account, '500.00') })
  const deposit = await row<{ id: string; reference: string }>(server.dependencies.pool)`
    select id, reference from deposits where client_id = ${client.id}`
  return { account, id: deposit?.id ?? '', reference: deposit?.reference ?? '' }
}

describe('a search for a number', () => {
  test('finds the record of a reference in lower case, with a space instead of the hyphen or in its platform form', async () => {
    const { id, reference } = await announceDeposit(await makeClient(server))
    for (const q of [reference, reference.toLowerCase(), reference.replace('-', ' '), `${reference}-D0-ABCDEFGHJKMNPQ`])
      expect(await hitTexts(q), q).toEqual([`deposit ${id} exact`])
    expect(await hitTexts(reference.slice(0, -1))).toEqual([`deposit ${id}`])
    const [hit] = await hitsOf(reference)
    expect(hit).toMatchObject({ number: reference, amount: 50_000n, currency: 'EUR', state: 'pending' })
  })

  test('finds the client by account number, client number, email address or IBAN, with or without spaces', async () => {
    const client = await makeClient(server)
    const { login } = await makeAccount(server, client)
    const iban = 'DE89370400440532013000'
    await makeApprovedBank(server, client, 'EUR', iban)
    const spaced = (text: string) => text.replace(/(.{4})/g, '$1 ')
    for (const q of [login, spaced(login)]) expect((await hitTexts(q))[0]).toBe(`account ${client.id} exact`)
    expect((await hitTexts(await numberOf(client)))[0]).toBe(`client ${client.id} exact`)
    expect(await hitTexts(client.email.toUpperCase())).toContain(`client ${client.id} exact`)
    for (const q of [iban, spaced(iban), iban.toLowerCase()])
      expect(await hitTexts(q)).toEqual([`bank ${client.id} exact`])
    expect(await hitTexts(iban.slice(0, 8))).toEqual([`bank ${client.id}`])
    expect((await hitTexts(login.slice(0, 4))).length).toBeGreaterThan(0)
    const demo = await makeAccount(server, client, { requestType: 'demo' })
    const details = [(await hitsOf(login))[0]?.detail, (await hitsOf(demo.login))[0]?.detail]
    expect(details).toEqual(['MT5 Standard', 'MT5 Standard Demo'])
  })

  test('finds each of a client’s bank accounts in several currencies, and accounts of the same number on both platforms', async () => {
    const client = await makeClient(server)
    const iban = 'GB33BUKB20201555555555'
    for (const currency of ['EUR', 'USD'] as const) await makeApprovedBank(server, client, currency, iban)
    expect((await hitsOf(iban)).map(({ currency }) => currency).toSorted()).toEqual(['EUR', 'USD'])
    const { login } = await makeAccount(server, client)
    const { id } = await makeAccount(server, client, { platform: 'MT4' })
    await run(server.dependencies.pool)`update trading_accounts set login = ${login} where id = ${id}`
    const accounts = (await hitsOf(login)).filter(({ exact }) => exact)
    expect(accounts.map(({ detail }) => detail).toSorted()).toEqual(['MT4 Standard', 'MT5 Standard'])
  })

  test('lists an exact match before numbers that only begin with the text', async () => {
    const [one, other] = [await makeClient(server), await makeClient(server)]
    const { login } = await makeAccount(server, one)
    const { id } = await makeAccount(server, other)
    await run(server.dependencies.pool)`update trading_accounts set login = ${`${login}0`} where id = ${id}`
    expect((await hitTexts(login)).slice(0, 2)).toEqual([`account ${one.id} exact`, `account ${other.id}`])
  })
})

describe('a search for a name', () => {
  test('ignores accents and word order, works from 2 letters on, and includes the client’s accounts and requests', async () => {
    const client = await makeClient(server, { name: 'Tomáš', surname: 'Großvåghø' })
    const { id, account } = await announceDeposit(client)
    for (const q of ['tomas gross', 'GROSSVAGHO', 'Großvåghø Tomáš', 'grossv']) {
      const hits = await hitTexts(q)
      expect(hits, q).toEqual([`client ${client.id}`, `deposit ${id}`, `account ${client.id}`])
    }
    expect((await hitsOf('grossv')).map(({ number }) => number)).toContain(account.login)
    expect(await hitTexts('gr')).toContain(`client ${client.id}`)
  })

  test('lists names that begin with the text before names that contain it', async () => {
    const inside = await makeClient(server, { name: 'Ada', surname: 'Xquillan' })
    const begins = await makeClient(server, { name: 'Ada', surname: 'Quillan' })
    expect(await hitTexts('quilla')).toEqual([`client ${begins.id}`, `client ${inside.id}`])
  })

  test('returns at most 5 hits of a kind and treats pattern characters literally', async () => {
    for (let place = 0; place < 7; place += 1) await makeClient(server, { name: 'Zora', surname: `Manyfold` })
    expect(await hitTexts('manyfold')).toHaveLength(5)
    for (const q of ['%', '%_%', '__', "'; drop table clients; --", '   ', '>', '#'])
      expect(await hitTexts(q), q).toEqual([])
    expect((await call(server, searchRecords, { as: operations, query: { q: '' } })).status).toBe(400)
  })
})

describe('the total of a kind with further hits', () => {
  const moreOf = async (q: string, as = operations) => {
    const { hits, more } = (await call(server, searchRecords, { as, query: { q } })).answer
    return { sent: hits.map(({ kind }) => kind), more }
  }
  const several = async (count: number, make: (place: number) => Promise<unknown>) => {
    for (let place = 0; place < count; place += 1) await make(place)
  }
  const announce = async (client: MadeClient, count: number) => {
    const account = await makeAccount(server, client)
    await several(count, () => call(server, requestWirePayment, { as: client, body: wireBody(account, '500.00') }))
  }
  const listed = async (q: string) =>
    (await call(server, listOfficeDeposits, { as: operations, query: { q, state: 'all' } })).answer.rows.length

  test('is counted up to a limit, and omitted for a kind whose hits were all returned', async () => {
    await several(7, () => makeClient(server, { surname: 'Countfold' }))
    expect(await moreOf('countfold')).toEqual({
      sent: Array.from({ length: 5 }, () => 'client'),
      more: [{ kind: 'client', total: 7 }],
    })
    await several(countedMax - 6, () => makeClient(server, { surname: 'Countfold' }))
    expect((await moreOf('countfold')).more).toEqual([{ kind: 'client', total: countedMax + 1 }])
    await makeClient(server, { surname: 'Countsingle' })
    expect((await moreOf('countsingle')).more).toEqual([])
    // The list also finds two letters inside a name, so the total is unknown.
    await several(6, () => makeClient(server, { surname: 'Žycount' }))
    expect((await moreOf('žy')).more).toEqual([{ kind: 'client', total: null }])
  })

  test('is unknown for two letters, because counting them inside names would read every client', async () => {
    await several(6, () => makeClient(server, { surname: 'Xqbegin' }))
    await several(countedMax - 5, () => makeClient(server, { surname: 'Inxqside' }))
    expect((await moreOf('xq')).more).toEqual([{ kind: 'client', total: null }])
  })

  test('equals what the list finds for the requests of a few clients, and is unknown for more', async () => {
    const [one, other] = [
      await makeClient(server, { surname: 'Paidalpha' }),
      await makeClient(server, { surname: 'Paidbeta' }),
    ]
    await announce(one, 6)
    await announce(other, 1)
    const ofOne = await moreOf('paidalpha')
    expect(ofOne.sent.filter((kind) => kind === 'deposit')).toHaveLength(5)
    expect(ofOne.more).toEqual([{ kind: 'deposit', total: 6 }])
    expect(await listed('paidalpha')).toBe(6)
    expect((await moreOf('paid')).more).toEqual([{ kind: 'deposit', total: 7 }])
    expect(await listed('paid')).toBe(7)
    await several(4, () => makeClient(server, { surname: 'Paidgamma' }))
    expect((await moreOf('paid')).more).toEqual([
      { kind: 'client', total: 6 },
      { kind: 'deposit', total: null },
      { kind: 'account', total: null },
    ])
  })

  test('counts the IBANs that begin with the text, and is unknown for account numbers', async () => {
    const client = await makeClient(server)
    await several(6, async (place) => {
      const { id } = await makeAccount(server, client)
      await run(server.dependencies.pool)`update trading_accounts set login = ${`98765${place}`} where id = ${id}`
      await makeApprovedBank(server, await makeClient(server), 'EUR', `DE02500105175407${place}249${place}1`)
    })
    expect((await moreOf('98765')).more).toEqual([{ kind: 'account', total: null }])
    expect((await moreOf('DE02 5001 0517')).more).toEqual([{ kind: 'bank', total: 6 }])
    const query = { q: 'DE02 5001 0517', state: 'all' as const }
    const rows = async (role: StaffRole) =>
      (await call(server, listOfficeBankDetails, { as: await makeStaff(server, [role]), query })).answer.rows.length
    expect([await rows('operations'), await rows('auditor')]).toEqual([6, 0])
  })

  test('equals what the list of corrections finds by the beginning of a reference', async () => {
    const account = await makeAccount(server, await makeClient(server))
    const finance = await makeStaff(server, ['finance'])
    await several(
      6,
      (place) => run(server.dependencies.pool)`
        insert into corrections (account_id, amount_minor, currency, reason, asked_by, asked_at, reference)
          values (${account.id}, 100, 'EUR', 'A reason.', ${finance.id}, ${server.clock.now()}, ${`CR-0MORES${place}`})`,
    )
    expect((await moreOf('cr-0mores', finance)).more).toEqual([{ kind: 'correction', total: 6 }])
    const { rows } = (await call(server, listCorrections, { as: finance, query: { q: 'cr-0mores' } })).answer
    expect(rows).toHaveLength(6)
  })
})

describe('a number cannot be searched for by roles that may not see it', () => {
  let count = 0
  const numbers = async () => {
    const client = await makeClient(server)
    const iban = `GB33BUKB${String((count += 1)).padStart(4, '0')}2020155555`
    await makeApprovedBank(server, client, 'EUR', iban)
    return { client, iban, ...(await announceDeposit(client)) }
  }

  test.each(staffRoles)('in the search and the client list as %s', async (role: StaffRole) => {
    const { iban, client, reference, id } = await numbers()
    const as = await makeStaff(server, [role])
    const sees = role !== 'auditor'
    for (const q of [iban, iban.slice(0, 12), iban.replace(/(.{4})/g, '$1 ')]) {
      const hits = await hitsOf(q, as)
      expect(hits.some((hit) => hit.id === client.id && hit.number === iban)).toBe(sees)
      if (!sees) expect(hits).toEqual([])
    }
    const { rows } = (await call(server, searchClients, { as, query: { q: iban } })).answer
    expect(rows.map((one) => one.client.id)).toEqual(sees ? [client.id] : [])
    const file = await call(server, exportList, { as, params: { list: 'clients' }, query: { q: iban } })
    expect(file.bytes.toString().includes(client.email)).toBe(sees)
    expect(await hitTexts(reference, as)).toEqual(canRead('deposits', [role]) ? [`deposit ${id} exact`] : [])
  })

  test.each(exportedLists)('in the list %s as an auditor', async (list) => {
    const { iban } = await numbers()
    const auditor = await makeStaff(server, ['auditor'])
    const file = await call(server, exportList, { as: auditor, params: { list }, query: { q: iban } })
    // The file contains only the header row; otherwise the list has no search or the role may not read it.
    if (file.status === 200) expect(file.bytes.toString().trim().split('\n')).toHaveLength(1)
    else expect([400, 403]).toContain(file.status)
  })

  test('as a reference of a correction without read access to corrections', async () => {
    const client = await makeClient(server)
    const account = await makeAccount(server, client)
    const asker = await makeStaff(server, ['finance'])
    await run(server.dependencies.pool)`
      insert into corrections (account_id, amount_minor, currency, reason, asked_by, asked_at, reference)
        values (${account.id}, 100, 'EUR', 'A reason.', ${asker.id}, ${server.clock.now()}, 'CR-0SEARCH7')`
    for (const role of staffRoles) {
      const hits = await hitsOf('CR-0SEARCH7', await makeStaff(server, [role]))
      expect(hits.length, role).toBe(canRead('corrections', [role]) ? 1 : 0)
    }
  })
})

describe('a search for records without a client', () => {
  test('finds a payout batch by its number for roles that may read payouts', async () => {
    const batch = await row<{ id: string; number: string }>(server.dependencies.pool)`
      insert into payout_batches (currency, state, count, total_minor, created_at)
        values ('EUR', 'void', 0, 12300, ${server.clock.now()}) returning id, number::text as number`
    const { id = '', number = '' } = batch ?? {}
    for (const role of staffRoles) {
      const as = await makeStaff(server, [role])
      const expected = canRead('payouts', [role]) ? [`payout_batch ${id} exact`] : []
      for (const q of [`PB-${number.padStart(6, '0')}`, `pb ${number}`])
        expect(await hitTexts(q, as), q).toEqual(expected)
    }
    const [hit] = await hitsOf(`PB-${number}`, await makeStaff(server, ['finance']))
    expect(hit).toMatchObject({ client: null, number: `PB-${number.padStart(6, '0')}`, amount: 12_300n })
  })

  test('finds an enquiry of a visitor by its reference for roles that may read enquiries', async () => {
    const now = server.clock.now()
    const enquiry = await row<{ id: string }>(server.dependencies.pool)`
      insert into enquiries (reference, name, email, language, topic, complaint, asked_at, due_at, changed_at)
        values ('CR-0SEARCH8', 'Ada Visitor', 'ada@example.org', 'en', 'other', false, ${now}, ${now}, ${now}) returning id`
    for (const role of staffRoles) {
      const hits = await hitTexts('CR-0SEARCH8', await makeStaff(server, [role]))
      expect(hits, role).toEqual(canRead('enquiries', [role]) ? [`enquiry ${enquiry?.id ?? ''} exact`] : [])
    }
  })
})

test('opening a client from the search is recorded as a look-up in the audit log', async () => {
  const client = await makeClient(server)
  const auditor = await makeStaff(server, ['auditor'])
  expect((await call(server, lookUpClient, { as: auditor, params: { id: client.id } })).status).toBe(200)
  const events = (await call(server, getClientEvents, { as: operations, params: { id: client.id } })).answer.rows
  expect(events.filter(({ verb }) => verb === 'lookUp').map(({ actor }) => actor.id)).toEqual([auditor.id])
  const unknown = '00000000-0000-7000-8000-000000000000'
  for (const id of [unknown, 'x']) {
    const refused = await call(server, lookUpClient, { as: auditor, params: { id } })
    expect([refused.status, refused.failure.code]).toEqual([404, 'not-found'])
  }
})
