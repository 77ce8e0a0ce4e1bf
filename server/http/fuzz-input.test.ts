/**
 * Sends every field of every call with hostile, broken and foreign-alphabet input (requirements 28.1, 30.1 to 30.5,
 * 32.1, 32.3; ASVS 2.2.1). Every response must be one of ours: no unexpected 5xx, no internal text, never long. The
 * values are drawn from a seed, the same in every run: `FUZZ_SEED` draws others and `FUZZ_RUNS` more.
 */
import {
  assert,
  constantFrom,
  dictionary,
  double,
  integer,
  jsonValue,
  oneof,
  sample,
  string,
  property,
  type Arbitrary,
} from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { trimHidden } from '#rules/hidden-characters.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { officeEndpoints, portalEndpoints } from '#contract/endpoints.ts'
import { saveSetting } from '#contract/office/settings.ts'
import { problems, type ProblemCode } from '#contract/problems.ts'
import { editUser, profile } from '#contract/profile.ts'
import { login } from '#contract/users-session.ts'
import type { CallOptions, Failure } from '#tests/call.ts'
import { serverForFile } from '#tests/for-file.ts'
import { propertySeed } from '#tests/property-seed.ts'
import { forEachConcurrently, makeCallers, type Callers } from '#tests/callers.ts'
import { call, makeAccount, makeClient, makeStaff } from '#tests/factories.ts'
import { makeApprovedBank } from '#tests/funded-account.ts'
import { recordMakers } from '#tests/records.ts'
import { bodyKinds, fieldsOf, validValue, withValue } from '#tests/valid-input.ts'
import { hasKeyTwice } from './json-body.ts'

const server = serverForFile()
let callers: Callers
/** Existing records: an invented id fails at the first lookup, these get further. */
let known: Record<string, unknown>
/** The record of each area of the back office, by the word in the path. */
let records: Record<string, string>
beforeAll(async () => {
  callers = await makeCallers(server)
  const { client, staff } = callers
  const [account, other] = [await makeAccount(server, client), await makeAccount(server, client)]
  const bankId = await makeApprovedBank(server, client)
  const ground = { server, client, account, other, bankId, colleague: staff.administrator }
  const make = async (life: string, state = 'pending') =>
    (await recordMakers[life]?.(ground, state, staff.administrator, 'approve')) ?? ''
  records = {
    clients: (await makeClient(server)).id,
    'documents/record': await make('document', 'pending_approval'),
    'account-requests': await make('account'),
    'leverage-requests': await make('leverage_request'),
    'bank-details': await make('bank_details'),
    deposits: await make('deposit'),
    'bank-lines': await make('bank_line', 'unmatched'),
    withdrawals: await make('withdrawal'),
    transfers: await make('transfer'),
    professional: await make('professional'),
    'profile-changes': await make('profile_change'),
    enquiries: await make('enquiry', 'open'),
    corrections: await make('correction'),
    'firm-money': await make('firm_money'),
    reconciliation: await make('difference', 'open'),
    'setting-changes': await make('setting_change'),
    'staff-changes': await make('staff_change'),
    'factor-resets': await make('factor_reset'),
    staff: (await makeStaff(server, ['finance'])).id,
  }
  known = {
    userId: client.id,
    accountId: account.id,
    accountNumber: account.login,
    sourceAccount: account.login,
    destinationAccount: other.login,
    bankId,
    lineId: records['bank-lines'],
    depositId: records['deposits'],
    sessionId: staff.auditor.sessionId,
  }
})

const runs = Number(process.env['FUZZ_RUNS'] ?? 14)

const nastyTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\uD800',
  'x\uDFFFy',
  'x\uD800@example.com',
  `${'㍿'.repeat(15)}@${'㍿㍿㍿㍿㍿.'.repeat(30)}com`,
  '\u202Egnp.exe',
  '\uFEFF',
  '\u2028',
  '\r\nBcc: x@y.example',
  '\n{"level":60}\u001B[31m',
  '😀👩‍👩‍👧‍👦',
  'ﷺ'.repeat(1000),
  'Z̵̡̢͎a̶'.repeat(200),
  '=HYPERLINK("http://evil.example")',
  '+cmd|/C calc!A0',
  '@SUM(1)',
  '\t=1',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  'javascript:alert(1)',
  '{{constructor.constructor("x")()}}',
  '${7*7}',
  '%s%n%x',
  "' or 1=1--",
  "'; drop table clients; --",
  "1' and pg_sleep(5)--",
  '%_%',
  '\\',
  '.*',
  '((((((((((((((((((((((((((((a',
  'a@a.'.repeat(20_000),
  '../../../../etc/passwd',
  '..%2f..%2f',
  '%00',
  'CON',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  '-0',
  '1e400',
  '0x10',
  '１０',
  '10,00',
  '-1',
  '9'.repeat(400),
  '1'.repeat(19),
  '2026-02-30',
  '0000-00-00',
  '9999-12-31',
  '2026-06-19T00:00:00Z',
  '00000000-0000-0000-0000-000000000000',
  '{00000000-0000-0000-0000-000000000000}',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'eyJhbGciOiJub25lIn0.e30.',
  'a.b.c.d.e',
  'all',
  'x'.repeat(1_000),
  'x'.repeat(70_000),
]
const nastyNumbers = [0, -0, -1, 0.1, 1e-9, 1.005, 2 ** 31, 2 ** 31 - 1, 2 ** 53, 2 ** 63, 1e21, 1e308, -1e308]
const nastyOthers = [
  null,
  true,
  [],
  {},
  [[]],
  [null],
  ['a'],
  { $gt: '' },
  { length: 1e9 },
  { toString: 1 },
  deep(2_000),
]

function deep(levels: number): unknown {
  return JSON.parse('['.repeat(levels) + ']'.repeat(levels))
}

const nastyText: Arbitrary<string> = oneof(constantFrom(...nastyTexts), string({ unit: 'binary', maxLength: 40 }))
const nasty: Arbitrary<unknown> = oneof(
  { weight: 8, arbitrary: constantFrom(...nastyTexts) },
  { weight: 2, arbitrary: string({ unit: 'binary', maxLength: 40 }) },
  { weight: 3, arbitrary: constantFrom(...nastyNumbers) },
  { weight: 1, arbitrary: double() },
  { weight: 1, arbitrary: integer() },
  { weight: 2, arbitrary: constantFrom(...nastyOthers) },
  { weight: 1, arbitrary: jsonValue({ maxDepth: 3 }) },
)

/** 5xx problems that are correct here, because no platform and no provider is connected. */
const integrationIsAway = [
  'platform-unavailable',
  'trading-password-unconfirmed',
  'provider-unavailable',
  'figures-old',
]
const internalDetails =
  /node_modules|\.ts[:)]|\bat [\w.<>]+ \(|postgres|pg_|syntax error|violates|relation "|column "|ECONN|Unexpected token/i
const refusalBytesMax = 8_000

interface FuzzedCall extends CallOptions {
  readonly what: string
}

/** Returns the errors of a response to hostile input, or nothing. */
async function faultsOfResponse(endpoint: Endpoint, { what, ...options }: FuzzedCall): Promise<string[]> {
  const reply = await call(server, endpoint, options)
  // A check may repeat the input, such as the name of an account holder.
  const ownText = nastyTexts
    .filter((sent) => internalDetails.test(sent))
    .reduce((left, sent) => left.replaceAll(sent, ''), reply.bytes.toString('utf8'))
  const failure = reply.json as Partial<Failure> | null
  const code = failure?.code ?? ''
  const wrong = [
    reply.status >= 500 && !integrationIsAway.includes(code) ? `status ${reply.status}` : null,
    reply.status >= 400 && !(code in problems) ? 'no code of the catalogue' : null,
    [429, 503].includes(reply.status) && !reply.headers['retry-after'] ? 'no time to come again' : null,
    reply.status >= 400 && code in problems && problems[code as ProblemCode].status !== reply.status
      ? 'other status'
      : null,
    reply.status >= 400 && Object.keys(failure?.errors ?? {}).length === 0 ? 'no field' : null,
    reply.status >= 400 && internalDetails.test(ownText) ? 'a word of the house' : null,
    reply.status >= 400 && reply.bytes.length > refusalBytesMax ? `${reply.bytes.length} bytes` : null,
  ].filter((one) => one !== null)
  return wrong.map((one) => `${endpoint.name} ${what}: ${one}, ${ownText.slice(0, 200)}`)
}

/** Returns the existing records for an endpoint: `id` is a record of its area, otherwise the client's. */
function knownRecordsFor({ path, name }: Endpoint): Record<string, unknown> {
  const area = Object.keys(records).find((one) => path.startsWith(`/api/backoffice/${one}/:id`))
  const own = { cancelDeposit: 'deposits', cancelWithdrawal: 'withdrawals', cancelTransfer: 'transfers' }[name]
  return { ...known, id: records[area ?? own ?? ''] ?? callers.client.id }
}

/** Returns the input drawn for an endpoint: one hostile value in one place, valid ones elsewhere. */
function fuzzedInputs(endpoint: Endpoint): FuzzedCall[] {
  const world = knownRecordsFor(endpoint)
  const params = validValue(endpoint.params, world) as Record<string, string>
  const query = validValue(endpoint.query, world) as Record<string, string>
  const places: Arbitrary<FuzzedCall>[] = [
    ...bodyKinds(endpoint, world).flatMap(({ title, sound, fields }) =>
      (endpoint.method === 'GET' ? [] : fields).map(({ path }) =>
        nasty.map((value) => ({
          what: `${title} ${path.join('.')} = ${shown(value)}`,
          body: withValue(sound, path, value),
          params,
        })),
      ),
    ),
    ...fieldsOf(endpoint.query).map(({ name }) =>
      nastyText.map((value) => ({
        what: `?${name}=${shown(value)}`,
        query: { ...query, [name]: value.slice(0, 4_000) },
        params,
      })),
    ),
    ...fieldsOf(endpoint.params).map(({ name }) =>
      nastyText.map((value) => ({
        what: `/${name}=${shown(value)}`,
        params: {
          ...params,
          [name]: name === '*' ? encodeURIComponent(value.slice(0, 600).toWellFormed()) : value.slice(0, 600),
        },
        body: bodyKinds(endpoint, world)[0]?.sound,
      })),
    ),
  ]
  return places.length === 0 ? [] : sample(oneof(...places), { numRuns: runs, seed: propertySeed })
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'undefined').slice(0, 80)
}

/** The input may end a session, so each endpoint has its own. */
async function bearerFor(endpoint: Endpoint): Promise<{ as?: string }> {
  const usual = callers.bearerOf(endpoint)
  if (!/logout|password|session|factor/i.test(endpoint.name) || usual.as === undefined) return usual
  if (endpoint.path.startsWith('/api/backoffice/')) return { as: (await makeStaff(server, ['administrator'])).token }
  return { as: (await makeClient(server)).token }
}

const endpoints = [...portalEndpoints, ...officeEndpoints]

describe('hostile input gets a documented response without internal details', () => {
  test.each(endpoints.map((endpoint) => [endpoint.name, endpoint] as const))('%s', async (_, endpoint) => {
    const bearer = await bearerFor(endpoint)
    const found: string[] = []
    await forEachConcurrently(fuzzedInputs(endpoint), async (sent) => {
      found.push(...(await faultsOfResponse(endpoint, { ...bearer, ...sent })))
    })
    expect(found, `FUZZ_SEED=${propertySeed}`).toEqual([])
  })
})

describe('a body that is not an accepted JSON object', () => {
  const credentials = '"email":"absent@example.com","password":"x"'
  const sound = `{${credentials}}`
  const json = { 'content-type': 'application/json' }

  test.each<[string, string | Buffer, Record<string, string>, number]>([
    ['has a key twice', `{${credentials},"email":"other@example.com"}`, json, 400],
    ['has a key twice, once with an escape', `{${credentials},"\\u0065mail" :"other@example.com"}`, json, 400],
    ['begins with a byte order mark', `\uFEFF${sound}`, json, 400],
    [
      'contains an invalid UTF-8 sequence',
      Buffer.from('{"email":"a\xC0\xAF@example.com","password":"x"}', 'latin1'),
      json,
      400,
    ],
    ['is followed by another object', `${sound}{}`, json, 400],
    ['is empty', '', json, 400],
    ['is a string', '"text"', json, 400],
    ['is a list', `[${sound}]`, json, 400],
    ['is 100 000 levels deep', '['.repeat(100_000) + ']'.repeat(100_000), json, 400],
    ['has a key of 200 kB', `{"${'k'.repeat(200_000)}":1}`, json, 400],
    ['has 20 000 keys', `{${Array.from({ length: 20_000 }, (_, at) => `"k${at}":1`).join()}}`, json, 400],
    ['has another content type', sound, { 'content-type': 'text/json' }, 415],
    ['has no content type', sound, { 'content-type': '' }, 415],
  ])('and %s is rejected with a short documented error', async (_, bytes, headers, status) => {
    const length = String(Buffer.byteLength(bytes))
    const sent = { what: '', bytes, headers: { ...headers, 'content-length': length } }
    expect((await call(server, login, sent)).status).toBe(status)
    expect(await faultsOfResponse(login, sent)).toEqual([])
  })

  test('a key counts as a duplicate only within the same object, whatever surrounds it', () => {
    const text = string({ unit: 'binary' })
    const object = dictionary(text, jsonValue(), { minKeys: 1 })
    assert(property(jsonValue(), (value) => !hasKeyTwice(JSON.stringify(value, null, 1))))
    assert(
      property(object, jsonValue(), (value, other) => {
        const written = JSON.stringify(value)
        const [first] = Object.keys(value)
        const twice = `${written.slice(0, -1)} , ${JSON.stringify(first)}\t:${JSON.stringify(other)}}`
        return hasKeyTwice(`[{"a":1},${twice}]`) && !hasKeyTwice(`[${written},${written}]`)
      }),
    )
  })
})

test.each(['toString', 'constructor', 'valueOf', 'hasOwnProperty', '__defineGetter__', '__proto__'])(
  'the unknown field “%s” is rejected by name, although every object inherits it',
  async (name) => {
    const inQuery = await fetch(`${server.url}/api/settings?${name}=1`)
    expect([inQuery.status, await inQuery.json()]).toMatchObject([400, { code: 'unknown-field' }])
    const bytes = `{"email":"absent@example.com","password":"x","${name}":1}`
    const inBody = await call(server, login, { bytes })
    expect(inBody.status).toBe(400)
    if (name !== '__proto__') expect(Object.keys(inBody.failure.errors)).toEqual([name])
  },
)

test('an unreadable path is rejected with the usual error and all security headers', async () => {
  for (const [id, status] of [
    ['%E0%A4%A', 400],
    ['x'.repeat(15_000), 404],
  ] as const) {
    const headers = { authorization: `Bearer ${callers.client.token}` }
    const answer = await fetch(`${server.url}/api/users/getDocuments/${id}`, { headers })
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ success: false, reference: expect.stringMatching(/^[0-9A-Z]{8}$/) })
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('cache-control')).toBe('no-store')
  }
})

test('an accepted value is stored character for character, and the other fields are unchanged', async () => {
  const client = await makeClient(server)
  const own = (await call(server, profile, { as: client })).answer.user
  const { title, name, surname, birthDay, birthMonth, birthYear, postcode, country, nationality } = own
  const details = { title, name, surname, birthDay, birthMonth, birthYear, postcode, country, nationality }
  const rest = { ...details, mobilePhone: '+4930901820', addressNo: 'Torstraße 12', address: '', county: '' }
  let accepted = 0
  for (const city of nastyTexts.filter((text) => [...text.trim()].length > 1)) {
    const saved = await call(server, editUser, { as: client, body: { ...rest, city } })
    if (saved.status === 400) expect(Object.keys(saved.failure.errors)).toEqual(['city'])
    else {
      accepted += 1
      const { user } = (await call(server, profile, { as: client })).answer
      expect(user).toEqual({ ...own, city: trimHidden(city) })
    }
  }
  expect(accepted).toBeGreaterThan(20)
})

test.each([
  ['rates', { pairs: { ['EUR/'.padEnd(100_000, 'x')]: '1.1' }, asOf: null }],
  ['rates', { pairs: { ['EUR/'.padEnd(100_000, 'x')]: 7 }, asOf: null }],
  ['countries', { changes: { ['X'.repeat(100_000)]: { level: 9 } } }],
])('a setting with a name of 100,000 characters in %s is rejected with a short error', async (section, value) => {
  const as = (await makeStaff(server, ['administrator'])).token
  const body = { value, version: 1, reason: 'a try' }
  expect(await faultsOfResponse(saveSetting, { what: section, as, params: { section }, body })).toEqual([])
  expect((await call(server, saveSetting, { as, params: { section }, body })).failure.code).toBe('setting-invalid')
})
