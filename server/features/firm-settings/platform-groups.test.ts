/** The firm's platform groups: verified on its server, chosen by row, and unchanged for accounts that have one. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { requestAnAccount } from '#contract/accounts.ts'
import { approveAccount, getAccountRequest } from '#contract/office/account-requests.ts'
import * as office from '#contract/office/settings.ts'
import { setSetting } from '#server/operator/administrators.ts'
import type { GroupRow } from '#rules/platform-groups.ts'
import { row } from '#server/db/sql.ts'
import { startSimulator, type RunningSimulator } from '#tests/start-simulator.ts'
import { defaultGroupRows } from '#server/settings/defaults.ts'
import {
  call,
  makeClient,
  makeStaff,
  applySetting,
  startTestServer,
  type ClientTraits,
  type MadeClient,
  type MadeStaff,
  type TestServer,
} from '../../../tests/factories.ts'
import { mt5Environment, settleOperations } from '../../../tests/funded-account.ts'

const serverGroups = [
  { name: 'real\\Retail\\STD-EUR-30', currency: 'EUR' },
  { name: 'real\\Retail\\STD-EUR-DE', currency: 'EUR' },
  { name: 'real\\Pro\\STD-EUR', currency: 'EUR' },
  { name: 'real\\Retail\\STD-USD', currency: 'USD' },
  { name: 'real\\Secure\\STD-EUR', currency: 'EUR', passwordMin: 14 },
]
const everywhere: GroupRow = {
  platform: 'MT5',
  realm: 'real',
  type: 'Standard',
  currency: 'EUR',
  status: 'retail',
  country: '',
  group: 'real\\Retail\\STD-EUR-30',
}
const inGermany: GroupRow = { ...everywhere, country: 'DE', group: 'real\\Retail\\STD-EUR-DE' }
const ofMt4 = defaultGroupRows.filter(({ platform }) => platform === 'MT4')
const live = { requestType: 'live', platform: 'MT5', accType: 'Standard', leverage: 30 } as const

let server: TestServer
let platform: RunningSimulator
let first: MadeStaff
let second: MadeStaff
let clerk: MadeStaff
beforeAll(async () => {
  platform = await startSimulator('mt5', { GROUPS: JSON.stringify(serverGroups) })
  server = await startTestServer({ env: mt5Environment(platform) })
  first = await makeStaff(server, ['administrator'])
  second = await makeStaff(server, ['administrator'])
  clerk = await makeStaff(server, ['operations'])
})
afterAll(async () => {
  await server.stop()
  await platform.stop()
})

const putRowsInForce = (...rows: readonly GroupRow[]) =>
  applySetting(server, 'platformGroups', { rows: [...rows, ...ofMt4] })

async function propose(rows: readonly GroupRow[]) {
  const params = { section: 'platformGroups' } as const
  const { version } = (await call(server, office.getSetting, { as: first, params })).answer
  const body = { value: { rows }, version, reason: 'groups of our server' }
  return call(server, office.saveSetting, { as: first, params, body })
}

const approve = (id: string) =>
  call(server, office.approveSettingChange, { as: second, params: { id }, body: { version: 1, note: '' } })
const cancel = (id: string) =>
  call(server, office.cancelSettingChange, { as: first, params: { id }, body: { version: 1 } })

/** Returns why a setting with these rows is rejected, and at which field. */
async function rejectionOf(...rows: readonly GroupRow[]) {
  const { failure } = await propose([...rows, ...ofMt4])
  return { code: failure.code, error: failure.error, at: Object.keys(failure.errors)[0] }
}

async function requestAccount(client: MadeClient, body: object = {}) {
  return call(server, requestAnAccount, { as: client, body: { ...live, baseCurrency: 'EUR', ...body } })
}

async function requestAccountOf(traits: ClientTraits, body: object = {}): Promise<string> {
  return (await requestAccount(await makeClient(server, traits), body)).answer.id
}

const page = async (id: string) => (await call(server, getAccountRequest, { as: clerk, params: { id } })).answer.request

async function approveAndGetGroup(id: string): Promise<string | null> {
  await call(server, approveAccount, { as: clerk, params: { id }, body: { version: 1, note: '' } })
  await settleOperations(server)
  return groupOf(id)
}

async function groupOf(id: string): Promise<string | null> {
  const found = await row<{ group: string | null }>(server.dependencies.pool)`
    select group_name as "group" from trading_accounts where id = ${id}`
  return found?.group ?? null
}

describe('saving platform groups is rejected', () => {
  test('for a group that the server does not have, such as a default group of a new firm', async () => {
    expect(await rejectionOf(everywhere, { ...inGermany, group: 'real\\standard-EUR' })).toMatchObject({
      code: 'setting-invalid',
      error: expect.stringContaining('MT5 has no group “real\\standard-EUR”'),
      at: 'rows.1.group',
    })
  })

  test('for a group in another currency, and for one that requires longer passwords than ours', async () => {
    expect((await rejectionOf({ ...everywhere, group: 'real\\Retail\\STD-USD' })).error).toContain(
      'is not in EUR on MT5',
    )
    expect((await rejectionOf({ ...everywhere, group: 'real\\Secure\\STD-EUR' })).error).toContain(
      'requires passwords of 14 characters. Ours have 12',
    )
  })

  test('for two rows that apply to the same accounts, for an unknown country code and for a name too long for MT4', async () => {
    const again = { ...everywhere, group: 'real\\Pro\\STD-EUR' }
    expect(await rejectionOf(everywhere, again)).toMatchObject({
      error: expect.stringContaining('an earlier row applies to the same accounts'),
      at: 'rows.1.group',
    })
    expect((await rejectionOf({ ...everywhere, country: 'XX' })).error).toContain('“XX” is not a country code')
    expect((await rejectionOf({ ...everywhere, platform: 'MT4', group: 'real-std-EUR-30d' })).error).toContain(
      'up to 15 characters',
    )
  })

  test('for a changed row of a platform that is not connected', async () => {
    const [one, ...more] = ofMt4
    if (!one) throw new Error('no rows of MT4')
    const changed = await propose([everywhere, { ...one, group: 'real-std-EUR2' }, ...more])
    expect(changed.failure.error).toContain('MT4 is not connected')
  })

  describe('on MetaTrader 4', () => {
    let gateway: RunningSimulator
    let both: TestServer
    beforeAll(async () => {
      gateway = await startSimulator('mt4-gateway')
      const mt4 = {
        MT4_URL: `http://127.0.0.1:${gateway.port}`,
        MT4_KEY: 'portal',
        MT4_SECRET: 'simulator-gateway-secret',
      }
      both = await startTestServer({ env: { ...mt5Environment(platform), ...mt4 } })
    })
    afterEach(() => gateway.turn('reset'))
    afterAll(async () => {
      await both.stop()
      await gateway.stop()
    })

    const [one] = ofMt4
    const refusalOfMt4 = async (language: string) => {
      const as = await makeStaff(both, ['administrator'])
      const params = { section: 'platformGroups' } as const
      const { version } = (await call(both, office.getSetting, { as, params })).answer
      const body = { value: { rows: [everywhere, ...ofMt4] }, version, reason: 'groups of our server' }
      const saved = await call(both, office.saveSetting, { as, params, body, headers: { 'accept-language': language } })
      return saved.status === 200 ? null : { error: saved.failure.error, at: Object.keys(saved.failure.errors)[0] }
    }

    test('for the row whose group cannot be read, which the error names', async () => {
      await gateway.turn('records/garble', { group: one?.group, fields: { passwordMin: 'n/a' } })
      expect(await refusalOfMt4('en')).toEqual({
        error: expect.stringContaining(`the password length of the group “${one?.group}” cannot be read on MT4`),
        at: 'rows.1.group',
      })
      await gateway.turn('records/garble', { group: one?.group, fields: { currency: null } })
      expect((await refusalOfMt4('en'))?.error).toContain(`the group “${one?.group}” is not in ${one?.currency} on MT4`)
    })

    test('for a missing group, if a group with an unreadable name could be it', async () => {
      await gateway.turn('records/garble', { group: one?.group, fields: { name: null } })
      expect(await refusalOfMt4('de')).toEqual({
        error: expect.stringContaining(
          `Der Name einer Gruppe auf MT4 ist nicht lesbar, und sie kann „${one?.group}“ sein`,
        ),
        at: 'rows.1.group',
      })
    })

    test('but not because of a group that no row uses', async () => {
      const unused = 'pro-std-EUR'
      const rows = ofMt4.filter(({ group }) => group !== unused)
      expect(rows.length).toBeLessThan(ofMt4.length)
      await gateway.turn('records/garble', { group: unused, fields: { name: 17, currency: null, passwordMin: 'n/a' } })
      const as = await makeStaff(both, ['administrator'])
      const params = { section: 'platformGroups' } as const
      const { version } = (await call(both, office.getSetting, { as, params })).answer
      const body = { value: { rows: [everywhere, ...rows] }, version, reason: 'groups of our server' }
      const saved = await call(both, office.saveSetting, { as, params, body })
      expect(saved.status, saved.bytes.toString()).toBe(200)
    })
  })

  test('for a group of MetaTrader 5 whose password length cannot be read', async () => {
    await platform.turn('groups', { groups: [{ name: everywhere.group, currency: 'EUR', passwordMin: 'n/a' }] })
    const { error } = await rejectionOf(everywhere)
    await platform.turn('groups', { groups: serverGroups })
    expect(error).toContain(`the password length of the group “${everywhere.group}” cannot be read on MT5`)
  })

  test('for a missing group of MetaTrader 5, if a group with an unreadable name could be it', async () => {
    await platform.turn('groups', { groups: [...serverGroups, { name: 17, currency: 'EUR' }] })
    const kept = await propose([everywhere, ...ofMt4])
    const { error } = await rejectionOf(everywhere, { ...inGermany, group: 'real\\Retail\\STD-EUR-FR' })
    await platform.turn('groups', { groups: serverGroups })
    expect(kept.status, kept.bytes.toString()).toBe(200)
    await cancel(kept.answer.changeId ?? '')
    expect(error).toContain('the name of a group on MT5 cannot be read, and it may be “real\\Retail\\STD-EUR-FR”')
  })

  test('while the platform does not respond', async () => {
    await platform.turn('refuse', { retcode: 9, path: '/api/group/list' })
    expect(await rejectionOf(everywhere)).toMatchObject({ code: 'groups-not-checked' })
  })
})

test('a second administrator sees the rows by their criteria, and approval checks the groups on the server again', async () => {
  await applySetting(server, 'platformGroups', { rows: [...defaultGroupRows] })
  const { answer } = await propose([everywhere, inGermany, ...ofMt4])
  const id = answer.changeId ?? ''
  const shown = (await call(server, office.getSettingChange, { as: second, params: { id } })).answer.change.changes
  expect(shown).toContainEqual({
    path: 'rows.MT5 real Standard EUR retail',
    before: 'real\\standard-EUR',
    after: everywhere.group,
  })
  expect(shown).toContainEqual({
    path: 'rows.MT5 real Standard EUR retail DE',
    before: null,
    after: inGermany.group,
  })
  await platform.turn('groups', { groups: serverGroups.slice(0, 1) })
  const refused = await approve(id)
  expect([refused.failure.code, refused.failure.error]).toEqual([
    'setting-invalid',
    expect.stringContaining(`no group “${inGermany.group}”`),
  ])
  await platform.turn('groups', { groups: serverGroups })
  expect((await approve(id)).answer.state).toBe('approved')
})

describe('an account', () => {
  beforeEach(() => putRowsInForce(everywhere, inGermany))

  test('is opened in the group of its row, the client’s country first, and keeps the group when rows change', async () => {
    const [german, french] = [await requestAccountOf({ country: 'DE' }), await requestAccountOf({ country: 'FR' })]
    expect([(await page(german)).group, (await page(french)).group]).toEqual([inGermany.group, everywhere.group])
    expect([await approveAndGetGroup(german), await approveAndGetGroup(french)]).toEqual([
      inGermany.group,
      everywhere.group,
    ])
    await putRowsInForce({ ...everywhere, group: 'real\\Pro\\STD-EUR' })
    expect([await groupOf(german), (await page(german)).group]).toEqual([inGermany.group, inGermany.group])
  })

  test('is opened in the group that was in force when staff approved it', async () => {
    const id = await requestAccountOf({ country: 'FR' })
    await call(server, approveAccount, { as: clerk, params: { id }, body: { version: 1, note: '' } })
    await putRowsInForce({ ...everywhere, group: 'real\\Pro\\STD-EUR' })
    await settleOperations(server)
    expect(await groupOf(id)).toBe(everywhere.group)
  })

  test('without a matching row stays pending, and its page gives the reason before the approval is attempted', async () => {
    const id = await requestAccountOf({ country: 'FR' }, { baseCurrency: 'USD' })
    const shown = await page(id)
    expect(shown.group).toBeNull()
    const refused = shown.verbs.find(({ verb }) => verb === 'approve')?.refusal
    expect(refused).toMatchObject({ code: 'no-platform-group', text: expect.stringContaining('Platform groups') })
    const approval = { as: clerk, params: { id }, body: { version: 1, note: '' } }
    expect((await call(server, approveAccount, approval)).failure.code).toBe('no-platform-group')
    expect((await page(id)).state).toBe('pending')
  })

  test('of the type demo is rejected immediately if no row matches', async () => {
    const reply = await requestAccount(await makeClient(server), { requestType: 'demo', balance: 500 })
    expect([reply.status, reply.failure.code]).toEqual([409, 'account-kind-closed'])
  })
})

test('the operator’s command checks the groups on the server too', async () => {
  const context = { ...server.dependencies, config: server.dependencies.config } as never
  const json = JSON.stringify({ rows: [{ ...everywhere, group: 'real\\none' }, ...ofMt4] })
  await expect(setSetting(context, { section: 'platformGroups', json, reason: 'first day' })).rejects.toMatchObject({
    code: 'setting-invalid',
  })
})

test('a cancelled change leaves the rows in force', async () => {
  await putRowsInForce(everywhere, inGermany)
  const id = (await propose([everywhere, ...ofMt4])).answer.changeId ?? ''
  await cancel(id)
  const { rows } = await server.dependencies.settings.get('platformGroups')
  expect(rows).toContainEqual(inGermany)
})
