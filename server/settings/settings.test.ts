import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { inviteStaff } from '#contract/office/staff.ts'
import { editUser } from '#contract/profile.ts'
import { login } from '#contract/users-session.ts'
import { settingSectionNames } from '#contract/setting-sections.ts'
import { call, goodPassword, defaultClientDetails, makeClient, makeStaff } from '#tests/factories.ts'
import { serverForFile } from '#tests/for-file.ts'
import { rows, run, sql } from '../db/sql.ts'
import { timedKinds } from '#rules/work-items.ts'
import { settingDefault } from './defaults.ts'

const server = serverForFile({ env: { DATABASE_CONNECTIONS: '2' } })
const olderServer = serverForFile()

/** Runs `work` while this number of connections in the request pool is in use. */
async function whileConnectionsHeld<Value>(held: number, work: () => Promise<Value>): Promise<Value> {
  const connections = await Promise.all(Array.from({ length: held }, () => server.dependencies.pool.connect()))
  try {
    return await work()
  } finally {
    for (const connection of connections) connection.release()
  }
}

test('a setting is read while transactions occupy every connection', async () => {
  const { settings } = server.dependencies
  settings.forgetAll()
  await whileConnectionsHeld(2, async () => {
    for (const section of settingSectionNames) expect(await settings.withVersion(section)).toMatchObject({ version: 0 })
  })
})

test('requests that read settings inside a transaction succeed with a single free connection', async () => {
  const client = await makeClient(server)
  const administrator = await makeStaff(server, ['administrator'])
  await makeStaff(server, ['administrator'])
  const newcomer = {
    email: 'newcomer@example.com',
    name: 'Maren Falk',
    roles: ['operations' as const],
    language: 'en' as const,
    reason: 'joins the team',
  }
  const calls: Record<string, () => Promise<{ status: number }>> = {
    login: () => call(server, login, { body: { email: client.email, password: goodPassword } }),
    editUser: () => call(server, editUser, { as: client, body: { ...defaultClientDetails, city: 'Potsdam' } }),
    inviteStaff: () => call(server, inviteStaff, { as: administrator, body: newcomer }),
  }
  for (const [name, ask] of Object.entries(calls)) {
    server.dependencies.settings.forgetAll()
    const { status } = await whileConnectionsHeld(1, ask)
    expect([name, status]).toEqual([name, name === 'inviteStaff' ? 201 : 200])
  }
})

test('a setting stored with control characters, before they were rejected, is read without them', async () => {
  const { pool, settings } = olderServer.dependencies
  const firm = settingDefault('firm', olderServer.clock.now())
  const value = { ...firm, name: 'Fathom\f Ltd', legalName: 'Fathom\v Limited' }
  await run(
    pool,
    sql`insert into settings (section, version, value, from_at, by_staff, reason)
          values ('firm', 1, ${JSON.stringify(value)}::text::jsonb, ${olderServer.clock.now()}, null, 'of an older version')`,
  )
  settings.forgetAll()
  expect(await settings.get('firm')).toEqual({ ...firm, name: 'Fathom Ltd', legalName: 'Fathom Limited' })
})

test('due times of the previous version are migrated to the item types that they applied to, with their history', async () => {
  const { pool, settings } = olderServer.dependencies
  const first = { documents: 20, clients: 30, money: 6, other: 49 }
  const second = { ...first, money: 7, enquiries: 5, complaintDays: 40, holidays: ['2026-12-25'] }
  for (const [version, value] of [first, second].entries())
    await run(
      pool,
      sql`insert into settings (section, version, value, from_at, by_staff, reason)
            values ('dueHours', ${version + 1}, ${JSON.stringify(value)}::text::jsonb, ${olderServer.clock.now()}, null, 'before')`,
    )
  await pool.query(readFileSync(new URL('../db/migrations/0390-due-times-by-kind.sql', import.meta.url), 'utf8'))
  settings.forgetAll()
  const { value, version } = await settings.withVersion('sla')
  expect(version).toBe(2)
  expect(value).toMatchObject({ complaintDays: 40, holidays: ['2026-12-25'] })
  expect(Object.keys(value.times).toSorted()).toEqual(timedKinds.toSorted())
  const { document, client, enquiry, withdrawal, account } = value.times
  expect([document, client, enquiry, withdrawal, account]).toEqual([
    { number: 20, unit: 'hours' },
    { number: 30, unit: 'hours' },
    { number: 5, unit: 'hours' },
    { number: 7, unit: 'hours' },
    { number: 3, unit: 'workingDays' },
  ])
  // A server of the previous version continues to use its own section.
  const kept = await rows(pool, sql`select value from settings where section = 'dueHours' order by version`)
  expect(kept).toEqual([{ value: first }, { value: second }])
})
