/** Countries of IP addresses from the operator's table (requirements 24.37, ADR 306). */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getClientLogins } from '#contract/office/client-tabs.ts'
import { login } from '#contract/users-session.ts'
import { ipLocationTable } from '#scripts/ip-location-table.ts'
import { makeClock } from '#tests/clock.ts'
import { call, goodPassword, makeClient, makeStaff, startTestServer } from '#tests/factories.ts'
import { openIpLocations, readLocationTable } from './ip-locations.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ip-locations-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const builtAt = new Date('2026-06-16T03:00:00Z')
const maxMind = (code: string) => ({ country: { iso_code: code, names: { en: 'A name' } } })
const networks = {
  '192.0.2.0/25': maxMind('DE'),
  '192.0.2.128/25': { ...maxMind('GB'), registered_country: { iso_code: 'FR' } },
  '198.51.100.0/24': { registered_country: { iso_code: 'US' } },
  '203.0.113.0/26': { country: 'NL', country_name: 'Netherlands' },
  '203.0.113.64/26': { country: 'Austria', country_code: 'AT' },
  '203.0.113.128/26': { country_code: 'ZZ' },
  '10.0.0.0/8': maxMind('DE'),
  '2001:db8::/33': maxMind('SE'),
}

function fileOf(name: string, content: Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const unexpected = (error: unknown) => {
  throw error
}

test.each([
  ['192.0.2.7', 'DE'],
  ['::ffff:192.0.2.7', 'DE'],
  ['192.0.2.128', 'GB'],
  ['203.0.113.1', 'NL'],
  ['203.0.113.65', 'AT'],
  ['2001:db8:7fff::1', 'SE'],
  ['2001:db8:1::1%eth0', 'SE'],
  // The country of registration is not the country of use.
  ['198.51.100.7', null],
  ['203.0.113.129', null],
  ['203.0.113.200', null],
  ['2001:db8:8000::1', null],
  ['9.9.9.9', null],
  ['10.1.2.3', null],
  ['127.0.0.1', null],
  ['::1', null],
  ['fe80::1%eth0', null],
  ['no address', null],
  ['', null],
])('the address "%s" is located in %s', async (address, country) => {
  const table = await readLocationTable(fileOf('table.mmdb', ipLocationTable(networks, { builtAt })), unexpected)
  expect(table.countryOf(address)).toBe(country)
  expect(table.builtAt).toEqual(builtAt)
})

test('a table with only IPv4 networks does not match an IPv6 address', async () => {
  const path = fileOf('four.mmdb', ipLocationTable({ '42.0.0.0/8': maxMind('CN') }, { builtAt, ipVersion: 4 }))
  const table = await readLocationTable(path, unexpected)
  expect([table.countryOf('42.1.1.1'), table.countryOf('2a00::1')]).toEqual(['CN', null])
})

describe('an unusable file is rejected by a clear error', () => {
  const complete = ipLocationTable(networks, { builtAt })
  test.each<[string, Buffer | null, RegExp]>([
    ['is missing', null, /absent\.mmdb", which cannot be read \(ENOENT\)\./],
    ['is empty', Buffer.alloc(0), /is damaged or in another format\./],
    ['is text', Buffer.from('network,country\n192.0.2.0/24,DE\n'), /is damaged or in another format\./],
    ['is truncated at the end', complete.subarray(0, -40), /is damaged or in another format\./],
    ['is truncated at the beginning', complete.subarray(-120), /is damaged/],
    [
      'contains networks of providers instead of countries',
      ipLocationTable({ '192.0.2.0/24': { autonomous_system_number: 64_496 } }, { builtAt }),
      /contains no countries\./,
    ],
  ])('a file that %s', async (_, content, sentence) => {
    const path = content === null ? join(folder, 'absent.mmdb') : fileOf('unusable.mmdb', content)
    const opened = openIpLocations(path, () => builtAt, unexpected)
    await expect(opened).rejects.toThrow(sentence)
    await expect(opened).rejects.toThrow(
      /^IP_LOCATION_FILE is .*Give a table of countries in MaxMind DB format \(\.mmdb\)/,
    )
  })
})

test('a lookup never fails, whichever byte of the file is damaged', async () => {
  const complete = ipLocationTable(networks, { builtAt })
  const reported: unknown[] = []
  let usable = 0
  for (let place = 0; place < complete.length; place += 1) {
    const damaged = Buffer.from(complete)
    damaged.writeUInt8((damaged.readUInt8(place) + 101) % 256, place)
    const table = await readLocationTable(fileOf('damaged.mmdb', damaged), (error) => reported.push(error)).catch(
      (error: Error) => {
        expect(error.message).toMatch(/^IP_LOCATION_FILE is /)
        return null
      },
    )
    if (!table) continue
    usable += 1
    for (const network of Object.keys(networks)) {
      const country = table.countryOf(network.split('/')[0] ?? '')
      expect(country === null || /^[A-Z]{2}$/.test(country)).toBe(true)
    }
  }
  expect(usable).toBeGreaterThan(100)
  expect(reported.length).toBeGreaterThan(0)
  expect(reported.length).toBeLessThanOrEqual(usable)
})

test('a replaced file is used within a minute, and an unusable one leaves the previous one in use', async () => {
  const path = fileOf('weekly.mmdb', ipLocationTable({ '192.0.2.0/24': maxMind('DE') }, { builtAt }))
  const clock = makeClock(builtAt)
  const reported: unknown[] = []
  const locations = await openIpLocations(path, clock.now, (error) => reported.push(error))
  const country = async () => (await locations.table())?.countryOf('192.0.2.7')
  const nextBuiltAt = new Date('2026-06-23T03:00:00Z')
  renameSync(fileOf('next.mmdb', ipLocationTable({ '192.0.2.0/24': maxMind('NL') }, { builtAt: nextBuiltAt })), path)
  clock.turn(59)
  expect(await country()).toBe('DE')
  clock.turn(1)
  expect(await country()).toBe('NL')
  expect((await locations.table())?.builtAt).toEqual(nextBuiltAt)
  expect(reported).toEqual([])

  fileOf('weekly.mmdb', Buffer.from('half a file'))
  clock.turn(60)
  expect(await country()).toBe('NL')
  rmSync(path)
  clock.turn(60)
  expect(await country()).toBe('NL')
  expect(reported.map(String)).toEqual([
    expect.stringMatching(/damaged or in another format/),
    expect.stringMatching(/cannot be read \(ENOENT\)/),
  ])
  fileOf('weekly.mmdb', ipLocationTable({ '192.0.2.0/24': maxMind('FR') }, { builtAt }))
  clock.turn(60)
  expect(await country()).toBe('FR')
})

test('staff see logins by country, network and browser, and a server with an unusable table does not start', async () => {
  const file = fileOf('server.mmdb', ipLocationTable(networks, { builtAt }))
  const env = { IP_LOCATION_FILE: file, TRUST_PROXY: '1' }
  const server = await startTestServer({ env })
  try {
    const client = await makeClient(server)
    const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36'
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:121.0) Gecko/20100101 Firefox/121.0'
    for (const [from, agent] of [
      ['192.0.2.7', chrome],
      ['203.0.113.200', chrome],
      ['2001:db8:1:2::7', firefox],
      ['192.0.2.8', chrome],
      ['192.0.2.8', firefox],
      ['203.0.113.1', firefox],
      ['192.0.2.8', chrome],
    ] as const) {
      server.clock.turn(60)
      const body = { email: client.email, password: goodPassword }
      const headers = { 'user-agent': agent, 'x-forwarded-for': from }
      expect((await call(server, login, { body, headers })).status).toBe(200)
    }
    const staff = await makeStaff(server, ['compliance'])
    const { answer } = await call(server, getClientLogins, { as: staff, params: { id: client.id } })
    expect(answer.locationTable).toEqual({ builtAt })
    expect(answer.places.map((one) => [one.country, one.network, one.device, one.signIns])).toEqual([
      ['DE', '192.0.2.8', chrome, 2],
      ['DE', '192.0.2.8', firefox, 1],
      ['DE', '192.0.2.7', chrome, 1],
      ['NL', '203.0.113.1', firefox, 1],
      ['SE', '2001:db8:1:2::/64', firefox, 1],
      [null, '203.0.113.200', chrome, 1],
    ])
    expect(answer.rows.map(({ country }) => country)).toEqual(['DE', 'NL', 'DE', 'DE', 'SE', null, 'DE'])
    expect(answer.sessions.find(({ address }) => address === '203.0.113.1')).toMatchObject({ country: 'NL' })
    const unusable = { IP_LOCATION_FILE: join(folder, 'none.mmdb') }
    await expect(startTestServer({ database: server.database, env: unusable })).rejects.toThrow(/^IP_LOCATION_FILE is/)
  } finally {
    await server.stop()
  }
})
