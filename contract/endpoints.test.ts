import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { decidingRoles, staffRoles } from '#rules/actors.ts'
import { portalEndpoints, officeEndpoints } from './endpoints.ts'
import { openApiDocument } from './openapi.ts'
import { problems } from './problems.ts'

const endpoints = [...portalEndpoints, ...officeEndpoints]
const named = endpoints.map((endpoint) => [endpoint.name, endpoint] as const)

/** Requirements 15.1 and the tables of requirements 15.2, row by row. */
const promisedCalls = `
POST /api/users/login · GET /email/confirm/* · POST /api/users/resetPassword · POST /api/users/newPassword · POST /api/users/profile
POST /api/users/editUser · POST /api/users/updateEmploymentIncome · POST /api/users/updateTradingExperience
POST /api/users/checkClientsProfessionalStatus · POST /api/users/submitClientsProfessionalApplication
POST /api/users/getProfessionalClientsApplication · POST /api/users/registerWeb · POST /api/users/checkUserRegister
POST /api/users/acceptDeclarations · GET /api/users/getDocuments/:id · POST /api/users/saveDocuments · POST /api/gcen/documentsApproval
GET /api/accounts/getLiveAccounts/:a/:b · GET /api/accounts/getDemoAccounts · GET /api/accounts/getBankDetails/:a/:b
POST /api/accounts/addBankDetails · POST /api/accounts/updateBankDetails · POST /api/accounts/requestAnAccount
POST /api/accounts/updateAccount · GET /api/accounts/getTransferHistory · POST /api/gcen/requestWirePayment
POST /api/gcen/requestCreditCardPayment · POST /api/gcen/checkCreditCardPayment · POST /api/accounts/requestWithdrawal
POST /api/accounts/requestTransfer · POST /upload · GET /api/settings · GET /api/countries · GET /api/users/current
GET /api/users/passwordKey · POST /api/users/logout · POST /api/users/loginSecondFactor · POST /api/users/resendConfirmation
POST /api/users/changeRegistrationEmail · POST /api/users/changePassword · POST /api/users/secondFactor/start
POST /api/users/secondFactor/confirm · POST /api/users/secondFactor/disable · GET /api/users/sessions · POST /api/users/endSession
POST /api/accounts/cancelWithdrawal · POST /api/accounts/setNickname · POST /api/accounts/changeTradingPassword
POST /api/accounts/revealPassword · POST /api/accounts/cancelDeposit · POST /api/accounts/cancelTransfer · POST /api/accounts/mailWireDetails
POST /api/accounts/quoteTransfer · POST /api/files/link · GET /api/notices · POST /api/notices/read
GET /api/accounts/wireDetails/:id.pdf
`

test.each(
  promisedCalls
    .split(/[\n·]/)
    .map((row) => row.trim())
    .filter((row) => row !== ''),
)('the endpoint %s exists', (row) => {
  expect(portalEndpoints.map(({ method, path }) => `${method} ${path}`)).toContain(row)
})

test('endpoint names are unique, and so are the combinations of method and path', () => {
  expect(new Set(endpoints.map(({ name }) => name)).size).toBe(endpoints.length)
  const paths = endpoints.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, ':')}`)
  expect(paths.filter((one, place) => paths.indexOf(one) !== place)).toEqual([])
})

test('every endpoint that a contract file exports is in the list of endpoints', async () => {
  const files = ['.//', './office/'].flatMap((folder) =>
    readdirSync(new URL(folder, import.meta.url))
      .filter((file) => /^[\w-]+\.ts$/.test(file))
      .map((file) => folder + file),
  )
  const exported = await Promise.all(
    files.filter((file) => file !== './endpoints.ts').map((file) => import(new URL(file, import.meta.url).href)),
  )
  const listed = exported
    .flatMap((module: object) => Object.values(module))
    .filter((value) => typeof value === 'object' && value !== null && 'access' in value && 'path' in value)
  expect(new Set(listed)).toEqual(new Set(endpoints))
})

test.each(named)(
  '%s has at least one access level, and only access levels of its own app',
  (_, { access: who, path }) => {
    expect(who.length).toBeGreaterThan(0)
    const isStaff = (level: string) => (staffRoles as readonly string[]).includes(level)
    if (path.startsWith('/api/backoffice/'))
      expect(who.every((level) => level === 'public' || isStaff(level))).toBe(true)
    else expect(who.some(isStaff)).toBe(false)
  },
)

test.each(named)('%s names the administrator if another role may decide (requirements 1.8)', (_, { access: who }) => {
  const decides = decidingRoles.some((role) => who.includes(role))
  expect(who.includes('administrator')).toBe(decides)
})

test('a client who is not yet approved can call exactly the endpoints of requirements 5.8', () => {
  const open = portalEndpoints
    .filter(({ access: who }) => who.includes('client') && !who.includes('public'))
    .map(({ name }) => name)
  const allowed =
    'currentUser profile getDocuments saveDocuments upload fileLink documentsApproval listNotices readNotices logout changePassword startSecondFactor confirmSecondFactor disableSecondFactor listSessions endSession showProof proveAgain setLanguage getLiveAccounts checkUserRegister downloadMyData listEnquiries getEnquiry writeEnquiry replyToEnquiry'
  expect(open.toSorted()).toEqual(allowed.split(' ').toSorted())
})

test('a client who is still registering can call exactly the endpoints of requirements 3.22', () => {
  const open = portalEndpoints.filter(({ access: who }) => who.includes('registering')).map(({ name }) => name)
  const allowed = [
    'registerWeb',
    'checkUserRegister',
    'resendConfirmation',
    'changeRegistrationEmail',
    'settings',
    'currentUser',
    'logout',
    'setLanguage',
  ]
  expect(open.toSorted()).toEqual(allowed.toSorted())
})

test.each(named.filter(([, { method, access: who }]) => method !== 'GET' && !who.includes('public')))(
  '%s is closed to auditors unless it only reads data or changes their own settings',
  (name, { access: who }) => {
    const reading = [
      'verifyAudit',
      'evidenceBundle',
      'viewItem',
      'officeLogout',
      'officeSetLanguage',
      'saveInboxFilter',
      'saveView',
      'changeView',
      'removeView',
      'scheduleReport',
      'changeReportSchedule',
      'removeReportSchedule',
      'officeChangePassword',
      'setMyAbsence',
      'endMyAbsence',
      'lookUpClient',
    ]
    if (!reading.includes(name)) expect(who).not.toContain('auditor')
  },
)

test.each(named.filter(([, { method }]) => method !== 'GET'))(
  '%s rejects unknown fields and reports every invalid field with a known problem code',
  (name, endpoint) => {
    const codes = new Set<string>()
    for (const schema of [endpoint.body, ...Object.values(endpoint.bodies)]) {
      for (const sent of [{}, { surprise: 1 }, [], null, 'text', 7, invalidBody(schema)]) {
        for (const issue of z.safeDecode(schema, sent as never).error?.issues ?? []) {
          if (issue.code === 'unrecognized_keys') codes.add('unknown-field')
          else codes.add(issue.message)
        }
      }
    }
    const unknown = [...codes].filter((code) => !(code in problems) && !code.startsWith('Invalid input'))
    expect(unknown).toEqual([])
    if (endpoint.consumes === 'json' && name !== 'registerWeb') expect(codes).toContain('unknown-field')
  },
)

/** Returns an object with every field of a schema, each with an invalid value. */
function invalidBody(schema: z.ZodMiniType): unknown {
  const shape = (schema as { shape?: Record<string, z.ZodMiniType> }).shape
  if (!shape) return { nested: true }
  return Object.fromEntries(
    Object.entries(shape).map(([field, one]) => [field, 'shape' in one ? invalidBody(one) : { wrong: true }]),
  )
}

test('each OpenAPI document lists every endpoint once, with valid paths and no undefined values', () => {
  for (const list of [portalEndpoints, officeEndpoints]) {
    const document = openApiDocument(list, { title: 'Test' })
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
    expect(document.openapi).toBe('3.1.0')
    expect(operations.map((operation) => operation['operationId']).toSorted()).toEqual(
      list.map(({ name }) => name).toSorted(),
    )
    expect(JSON.stringify(document)).not.toContain('undefined')
    for (const path of Object.keys(document.paths)) expect(path).toMatch(/^\/[\w./{}-]*$/)
  }
})

test('the document lists the errors of access checks, bodies, idempotency keys and shared fields', () => {
  const { paths } = openApiDocument([...portalEndpoints, ...officeEndpoints], { title: 'Test' })
  const refusals = (path: string, method = 'post') => {
    const responses = paths[path]?.[method]?.['responses'] as Record<string, { description: string }> | undefined
    if (!responses) throw new Error(`the document has no ${method} ${path}`)
    return Object.entries(responses)
      .flatMap(([status, { description }]) => description.split('\n').map((one) => `${status} ${one.split(':')[0]}`))
      .join(' ')
  }
  const asked = refusals('/api/accounts/requestTransfer')
  for (const one of ['400 key-invalid', '401 session-ended', '403 registration-first', '403 approval-first'])
    expect(asked).toContain(one)
  for (const one of ['409 twin-running', '413 body-large', '415 body-type', '422 key-reused'])
    expect(asked).toContain(one)
  expect(refusals('/api/notices', 'get')).toContain('403 registration-first')
  expect(refusals('/api/notices', 'get')).not.toMatch(/approval-first|key-reused|body-large/)
  expect(refusals('/api/users/current', 'get')).not.toContain('registration-first')
  expect(refusals('/api/backoffice/withdrawals/{id}/approve')).toContain('403 wrong-role')
  expect(refusals('/api/users/login')).not.toMatch(/not-signed-in|wrong-role/)
  expect(refusals('/api/backoffice/withdrawals', 'get')).toContain('cursor-invalid')
  expect(refusals('/api/backoffice/withdrawals/{id}/approve')).toContain('409 decided-by')
  expect(refusals('/api/users/updateTradingExperience')).toContain('403 not-yours')
})

test('the document describes amounts as decimal strings or numbers and lists the Idempotency-Key header', () => {
  const { paths } = openApiDocument(portalEndpoints, { title: 'Test' })
  const wire = JSON.stringify(paths['/api/gcen/requestWirePayment'])
  expect(wire).toContain('"depositAmountSent":{"type":["string","number"]}')
  expect(wire).toContain('Idempotency-Key')
})
