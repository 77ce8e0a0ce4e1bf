/**
 * Calls every endpoint as every kind of caller (requirements 26.5, 27.5, 27.7). The matrix is derived from the
 * contract, so a newly declared endpoint is part of it, and one that the server does not implement fails.
 */
import type { ClientId, StaffId } from '#rules/ids.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import type { AccessLevel, Endpoint } from '#contract/endpoint.ts'
import { officeEndpoints, portalEndpoints } from '#contract/endpoints.ts'
import { problems, type ProblemCode } from '#contract/problems.ts'
import { staffRoles, type StaffRole } from '#rules/actors.ts'
import { transaction } from '#server/db/sql.ts'
import { beginSession } from '#server/http/sessions.ts'
import { signToken, type Audience } from '#server/http/tokens.ts'
import { forEachConcurrently } from '#tests/callers.ts'
import { call, makeClient, makeStaff } from '#tests/factories.ts'
import { serverForFile } from '#tests/for-file.ts'
import { newEmail, registerUnconfirmed } from '#tests/registering.ts'

const server = serverForFile()
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

/** The access levels of each kind of client. */
const accessLevelsOf: Record<ClientKind, readonly AccessLevel[]> = {
  'registering client': ['registering'],
  'pending client': ['client'],
  'verified client': ['client'],
  'approved client': ['client', 'approved'],
}

beforeAll(async () => {
  const client = await makeClient(server)
  const administrator = await makeStaff(server, ['administrator'])
  const ticket = async (audience: Audience, owner: { clientId: ClientId } | { staffId: StaffId }) => {
    const life = { idleSeconds: 300, lifeSeconds: 300, device: 'test', address: '127.0.0.1', proved: false }
    const now = server.clock.now()
    const id = await transaction(server.dependencies.pool, (tx) =>
      beginSession(tx, { audience, ...owner, ...life }, now),
    )
    return signToken(server.dependencies.keys, audience, id, {}, now)
  }
  const made: Partial<Record<Stranger, string>> = {
    registration: await registerUnconfirmed(server, newEmail()),
    ticket: await ticket('ticket', { clientId: client.id }),
    'office ticket': await ticket('office-ticket', { staffId: administrator.id }),
  }
  for (const kind of clientKinds) made[kind] = (await makeClient(server, clients[kind])).token
  for (const role of staffRoles) made[role] = (await makeStaff(server, [role])).token
  tokens = { ...made } as typeof tokens
})

/** Returns the codes of the problem, or null if the caller may use the endpoint. */
function expectedProblemCodes({ access, path }: Endpoint, stranger: Stranger): readonly string[] | null {
  if (access.includes('public')) return null
  const isClient = (clientKinds as readonly Stranger[]).includes(stranger)
  const isStaff = (staffRoles as readonly Stranger[]).includes(stranger)
  if (stranger === 'visitor') return ['not-signed-in']
  if (path.startsWith('/api/backoffice/')) {
    if (!isStaff) return ['session-ended']
    return access.includes(stranger as StaffRole) ? null : ['wrong-role']
  }
  if (isClient) {
    if (accessLevelsOf[stranger as ClientKind].some((level) => access.includes(level))) return null
    return stranger === 'registering client' ? ['registration-first'] : ['approval-first']
  }
  return stranger === 'registration' && access.includes('registering') ? null : ['session-ended']
}

/** Ids that do not exist: only the access is tested, not the handler. */
const params = new Proxy({}, { get: () => 'x' }) as Record<string, string>
const accessProblemCodes = ['not-signed-in', 'session-ended', 'wrong-role', 'registration-first', 'approval-first']

async function callAs(endpoint: Endpoint, as: string | undefined) {
  const { status, json } = await call(server, endpoint, { params, ...(as === undefined ? {} : { as }) })
  const { code = '' } = (json ?? {}) as { code?: string }
  return { status, code }
}

/** Returns a token whose session the call itself may end. */
async function disposableToken(stranger: Stranger): Promise<string | undefined> {
  if (stranger in clients) return (await makeClient(server, clients[stranger as ClientKind])).token
  const role = staffRoles.find((one) => one === stranger)
  if (role) return (await makeStaff(server, [role])).token
  return stranger === 'registration' ? registerUnconfirmed(server, newEmail()) : tokens[stranger]
}

const endpoints = [...portalEndpoints, ...officeEndpoints]
const accessCells = endpoints.flatMap((endpoint) =>
  strangers.map((stranger) => ({ endpoint, stranger, refusal: expectedProblemCodes(endpoint, stranger) })),
)
const named = endpoints.map((endpoint) => [endpoint.name, endpoint] as const)

test('there are more than 2,500 combinations, and every endpoint admits at least one kind of caller', () => {
  expect(accessCells.length).toBeGreaterThan(2500)
  expect(endpoints.filter((one) => !accessCells.some((cell) => cell.endpoint === one && !cell.refusal))).toEqual([])
})

describe('callers without access are rejected with the right error', () => {
  test.each(named)('%s', async (_, endpoint) => {
    const refused = strangers.flatMap((stranger) => {
      const refusal = expectedProblemCodes(endpoint, stranger)
      return refusal ? [{ stranger, refusal }] : []
    })
    await forEachConcurrently(refused, async ({ stranger, refusal }) => {
      const { status, code } = await callAs(endpoint, tokens[stranger])
      expect(refusal, `${stranger}: ${status} ${code}`).toContain(code)
      expect(status, stranger).toBe(problems[code as ProblemCode].status)
    })
  })

  test.each(named.filter(([, { access }]) => !access.includes('public')))(
    '%s rejects a forged token',
    async (_, target) => {
      for (const stranger of ['approved client', 'administrator'] as const) {
        const forged = `${tokens[stranger]?.slice(0, -4)}AAAA`
        expect(await callAs(target, forged), stranger).toEqual({ status: 401, code: 'session-ended' })
      }
    },
  )
})

describe('callers with access are admitted', () => {
  test.each(named)('%s', async (name, endpoint) => {
    await forEachConcurrently(
      strangers.filter((stranger) => !expectedProblemCodes(endpoint, stranger)),
      async (stranger) => {
        const { status, code } = await callAs(
          endpoint,
          /logout/i.test(name) ? await disposableToken(stranger) : tokens[stranger],
        )
        expect(accessProblemCodes, stranger).not.toContain(code)
        expect(status, `${stranger}: ${code}`).toBeLessThan(500)
        if (!endpoint.path.includes(':') && !endpoint.path.endsWith('*')) expect(status, stranger).not.toBe(404)
      },
    )
  })
})
