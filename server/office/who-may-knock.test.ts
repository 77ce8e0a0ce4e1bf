/** Role × office endpoint, every cell tried over HTTP: the doors of the contract are those of the server. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { officeEndpoints } from '#contract/endpoints.ts'
import { staffRoles, type StaffRole } from '#rules/actors.ts'
import { call, makeClient, makeStaff, startTestServer, type MadeStaff, type TestServer } from '../../tests/make.ts'

let server: TestServer
let clientToken: string
const staff = new Map<StaffRole, MadeStaff>()
beforeAll(async () => {
  server = await startTestServer()
  clientToken = (await makeClient(server)).token
  for (const role of staffRoles) staff.set(role, await makeStaff(server, [role]))
})
afterAll(() => server.stop())

/** Nothing that exists, and nothing that could be done with it: the door is tried, not the room behind it. */
const params = new Proxy({}, { get: () => 'x' }) as Record<string, string>

function opens(endpoint: Endpoint, role: StaffRole): boolean {
  if (endpoint.who.includes(role)) return true
  return (
    role === 'administrator' &&
    endpoint.who.some((door) => door !== 'auditor' && (staffRoles as readonly string[]).includes(door))
  )
}

const closed = officeEndpoints.filter(({ who }) => !who.includes('public'))

describe.each(closed.map((endpoint) => [endpoint.name, endpoint] as const))('%s', (name, endpoint) => {
  test.each(staffRoles)('opens to %s as the contract says', async (role) => {
    const as = name === 'officeLogout' ? await makeStaff(server, [role]) : staff.get(role)
    const { status, json } = await call(server, endpoint, { as: as?.token ?? '', params, body: {} })
    const code = (json as { code?: string } | null)?.code
    if (opens(endpoint, role)) expect([status, code]).not.toEqual([403, 'wrong-role'])
    else expect([status, code]).toEqual([403, 'wrong-role'])
    expect(status).not.toBe(401)
    expect(status).toBeLessThan(500)
  })

  test('is closed to clients, visitors and forged tokens', async () => {
    for (const as of [undefined, clientToken, `${clientToken.slice(0, -4)}AAAA`]) {
      const { status } = await call(server, endpoint, { params, body: {}, ...(as === undefined ? {} : { as }) })
      expect(status).toBe(401)
    }
  })
})
