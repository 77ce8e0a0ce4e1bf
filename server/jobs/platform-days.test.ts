/** The clock offset and the missing permissions of each platform are stored by its own calendar day. */
import { beforeEach, expect, test } from 'vitest'
import { listMissingRights } from '#contract/office/platform-rights.ts'
import { metricsText } from '#server/log/metrics.ts'
import { recoveryRows } from '#server/operator/doctor-command.ts'
import { recoveryStatus } from '#server/recovery/recovery-status.ts'
import { rows, run } from '#server/db/sql.ts'
import { call, makeClient, makeStaff } from '../../tests/factories.ts'
import { platformForFile } from '../../tests/for-file.ts'
import { makeFundedAccount } from '../../tests/funded-account.ts'
import { clockLookup, readPlatforms } from './platform-days.ts'

const place = platformForFile()
beforeEach(async () => {
  await place.platform.turn('reset')
  await run(place.server.dependencies.pool)`delete from platform_days`
})

const days = () =>
  rows<{ platform: string; day: string; offset: number; missing: string[] }>(place.server.dependencies.pool)`
    select platform, day, offset_seconds as "offset", missing_rights as missing from platform_days order by day`
const reportedRows = async () => {
  const status = await recoveryStatus(place.server.dependencies.jobs, place.server.clock.now())
  return { rows: recoveryRows(status).map(({ mark, text }) => `${mark} ${text}`), metrics: metricsText(status) }
}

/** Returns what the back office shows under Failed operations. */
const shownFailures = async () => {
  const as = await makeStaff(place.server, ['operations'])
  return (await call(place.server, listMissingRights, { as })).answer.platforms
}

test('each day’s clock offset is stored to the quarter of an hour and passed to the adapters', async () => {
  const { server, platform } = place
  const at = (time: string) => {
    server.clock.set(new Date(time))
    return platform.turn('clock', { at: Date.parse(time) / 1000 + 7_200 })
  }
  await at('2026-10-24T10:00:00Z')
  await readPlatforms(server.dependencies)
  await at('2026-10-24T23:30:00Z')
  await readPlatforms(server.dependencies)
  await platform.turn('clock', { at: Date.parse('2026-10-25T12:00:20Z') / 1000 + 3_600 })
  server.clock.set(new Date('2026-10-25T12:00:00Z'))
  await readPlatforms(server.dependencies)
  expect(await days()).toEqual([
    { platform: 'MT5', day: '2026-10-24', offset: 7_200, missing: [] },
    { platform: 'MT5', day: '2026-10-25', offset: 3_600, missing: [] },
  ])
  const clock = await clockLookup(server.dependencies.pool, server.dependencies.settings)()
  expect([...clock.days]).toEqual([
    ['2026-10-24', 7_200_000],
    ['2026-10-25', 3_600_000],
  ])
})

test('missing permissions of our login are shown by the doctor, the metrics and the back office until they are granted', async () => {
  const { server, platform } = place
  await makeFundedAccount(server, await makeClient(server), 0n)
  await platform.turn('rights', { missing: ['personal', 'trades'] })
  await readPlatforms(server.dependencies)
  const lacking = await reportedRows()
  expect(lacking.rows.find((row) => row.includes('MT5'))).toMatch(
    /^! MT5: missing permissions: Access to personal data of accounts, Access to trade orders \| .+ \| action: grant them/,
  )
  expect(lacking.metrics).toContain('platform_right_missing{platform="MT5",right="personal-data"} 1')
  expect(await shownFailures()).toMatchObject([{ platform: 'MT5', rights: ['personal-data', 'deals'] }])
  await platform.turn('rights', { missing: [] })
  await readPlatforms(server.dependencies)
  const granted = await reportedRows()
  expect(granted.rows.find((row) => row.includes('MT5'))).toMatch(/^✓ MT5/)
  expect(granted.metrics).not.toContain('platform_right_missing{')
  expect(await shownFailures()).toEqual([])
  expect((await call(server, listMissingRights, { as: await makeStaff(server, ['compliance']) })).status).toBe(403)
})

test.each(['2121-01-01T00:00:00Z', '1970-01-01T00:00:00Z'])(
  'a clock that no time zone explains (%s) is not stored, and the other platform is still read',
  async (odd) => {
    const { dependencies, clock } = place.server
    const server = (time: Date) => ({
      bulk: { missingRights: () => Promise.resolve([]), serverTime: () => Promise.resolve(time) },
    })
    const platforms = { MT4: server(new Date(odd)), MT5: server(clock.now()) } as never
    const config = { ...dependencies.config, mt4: { url: 'https://mt4.example', key: 'portal', secret: 'secret' } }
    const warned: unknown[] = []
    const log = { warn: (...given: unknown[]) => warned.push(given) } as never
    await readPlatforms({ ...dependencies, config, platforms, log })
    expect(await days()).toMatchObject([{ platform: 'MT5', offset: 0 }])
    expect(JSON.stringify(warned)).toContain('more than 14 hours from ours')
  },
)

test('the data of a platform that does not respond is left unchanged', async () => {
  await readPlatforms(place.server.dependencies)
  const before = await days()
  await place.platform.turn('refuse', { retcode: 9, path: '/api/time/server' })
  await readPlatforms(place.server.dependencies)
  expect(await days()).toEqual(before)
})
