/**
 * Every door of the contract against everybody who must stay outside (quality-bar A5, B5, B7): the matrix is drawn from
 * the endpoints themselves, so a new call is in it by being declared.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Door, Endpoint } from '#contract/endpoint.ts'
import { officeEndpoints, portalEndpoints } from '#contract/endpoints.ts'
import { staffRoles, type StaffRole } from '#rules/actors.ts'
import { transaction } from '#server/db/transaction.ts'
import { beginSession } from '#server/http/sessions.ts'
import { signToken, type Audience } from '#server/http/tokens.ts'
import { call, makeClient, makeStaff, startTestServer, type TestServer } from '#tests/make.ts'
import { newEmail, registerTo13 } from '#tests/registering.ts'

let server: TestServer
let tokens: Record<Stranger, string | undefined>

const clients = {
  'registering client': { state: 'registering' },
  'pending client': { state: 'pending' },
  'verified client': { state: 'pending', identityApproved: true, addressApproved: true },
  'approved client': { state: 'approved' },
} as const
type ClientKind = keyof typeof clients
const clientKinds = Object.keys(clients) as ClientKind[]
type Stranger = 'visitor' | 'registration' | 'ticket' | 'office ticket' | ClientKind | StaffRole
const strangers: readonly Stranger[] = [
  'visitor',
  'registration',
  'ticket',
  'office ticket',
  ...clientKinds,
  ...staffRoles,
]

/** The doors that open for each kind of client. */
const opens: Record<ClientKind, readonly Door[]> = {
  'registering client': ['registering', 'client'],
  'pending client': ['client'],
  'verified client': ['client', 'verified'],
  'approved client': ['client', 'verified', 'approved'],
}

beforeAll(async () => {
  server = await startTestServer()
  const client = await makeClient(server)
  const administrator = await makeStaff(server, ['administrator'])
  const ticket = async (audience: Audience, owner: { clientId: string } | { staffId: string }) => {
    const life = { idleSeconds: 300, lifeSeconds: 300, device: 'test', address: '127.0.0.1', proved: false }
    const now = server.clock.now()
    const id = await transaction(server.parts.pool, (tx) => beginSession(tx, { audience, ...owner, ...life }, now))
    return signToken(server.parts.keys, audience, id, {}, now)
  }
  const made: Partial<Record<Stranger, string>> = {
    registration: await registerTo13(server, newEmail()),
    ticket: await ticket('ticket', { clientId: client.id }),
    'office ticket': await ticket('office-ticket', { staffId: administrator.id }),
  }
  for (const kind of clientKinds) made[kind] = (await makeClient(server, clients[kind])).token
  for (const role of staffRoles) made[role] = (await makeStaff(server, [role])).token
  tokens = { ...made } as typeof tokens
})
afterAll(() => server.stop())

/** Whether somebody must stay outside; who is let in is the matter of the features' own tests. */
function staysOutside(endpoint: Endpoint, stranger: Stranger): boolean {
  const { who, path } = endpoint
  if (who.includes('public')) return false
  const isClient = (clientKinds as readonly Stranger[]).includes(stranger)
  if (path.startsWith('/api/backoffice/')) {
    if (!(staffRoles as readonly string[]).includes(stranger)) return true
    if (stranger === 'administrator') return !who.some((door) => door !== 'auditor')
    return !who.includes(stranger as StaffRole)
  }
  if (isClient) return !opens[stranger as ClientKind].some((door) => who.includes(door))
  return stranger !== 'registration' || !who.includes('registering')
}

const cells = [...portalEndpoints, ...officeEndpoints].map((endpoint) => ({
  name: endpoint.name,
  endpoint,
  outside: strangers.filter((stranger) => staysOutside(endpoint, stranger)),
}))

const knock = (endpoint: Endpoint, stranger: Stranger) => {
  const as = tokens[stranger]
  return call(server, endpoint, as === undefined ? {} : { as })
}

describe('nobody comes through another’s door', () => {
  test.each(cells)('$name', async ({ name, endpoint, outside }) => {
    for (const stranger of outside) {
      const { status } = await knock(endpoint, stranger)
      expect([401, 403, 404], `${stranger} at ${name}: ${status}`).toContain(status)
    }
  })

  test('there are more than a thousand such cells', () => {
    expect(cells.flatMap(({ outside }) => outside).length).toBeGreaterThan(1000)
  })

  test('every door of the contract is there', async () => {
    const absent: string[] = []
    for (const { name, endpoint, outside } of cells) {
      const [first] = outside
      if (first && (await knock(endpoint, first)).status === 404) absent.push(name)
    }
    expect(absent).toEqual([])
  })
})
