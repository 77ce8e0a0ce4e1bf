/**
 * Another client's record gets the same response as one that does not exist: the same status and text, for every kind
 * of id (requirements 27.1; ASVS 8.2.2), and so does a text that is not an id. Nothing is changed.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountNumber } from '#contract/deposits.ts'
import { filename } from '#contract/documents.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { officeEndpoints, portalEndpoints } from '#contract/endpoints.ts'
import { id } from '#contract/fields.ts'
import { listNotifications } from '#contract/notifications.ts'
import { recordEvent } from '#server/db/events.ts'
import { row, run, sql, transaction } from '#server/db/sql.ts'
import { notify } from '#server/mail/send-mail.ts'
import { makeApprovedBank } from '#tests/funded-account.ts'
import { stepUpProofFor } from '#tests/call.ts'
import { tableFingerprints, makeCallers, type Callers } from '#tests/callers.ts'
import { call, makeAccount, makeClient, startTestServer, type MadeClient, type TestServer } from '#tests/factories.ts'
import { recordMakers } from '#tests/records.ts'
import { bodyKinds, fieldsOf, validValue, unwrapSchema, withValue } from '#tests/valid-input.ts'

let server: TestServer
let callers: Callers
let own: Belongings
let foreign: Belongings
beforeAll(async () => {
  // This provider is never called, because no request here gets that far.
  const card = { CARD_URL: 'http://127.0.0.1:1', CARD_MERCHANT: '1234', CARD_KEY: 'key', CARD_SECRET: 'secret' }
  const webhook = { CARD_WEBHOOK_KEY: 'key', CARD_WEBHOOK_SECRET: 'secret' }
  server = await startTestServer({ env: { ...card, ...webhook } })
  callers = await makeCallers(server)
  own = await belongingsOf(callers.client)
  foreign = await belongingsOf(await makeClient(server))
})
afterAll(() => server.stop())

/** A client's records, by the parameter names of calls; `id` and `file` mean the record of the call. */
interface Belongings {
  readonly byName: Readonly<Record<string, string>>
  readonly records: Readonly<Record<string, string>>
}

async function belongingsOf(client: MadeClient): Promise<Belongings> {
  const balanceMinor = 100_000n
  const [account, other] = [
    await makeAccount(server, client, { balanceMinor }),
    await makeAccount(server, client, { balanceMinor }),
  ]
  const bankId = await makeApprovedBank(server, client)
  const colleague = callers.staff.administrator
  const make = async (life: string, state = 'pending') =>
    (await recordMakers[life]?.({ server, client, account, other, bankId, colleague }, state, colleague, '')) ?? ''
  const enquiry = await make('enquiry', 'open')
  const [deposit, withdrawal, transfer] = [await make('deposit'), await make('withdrawal'), await make('transfer')]
  const checkout = await checkoutOf(client, account.id)
  const file = await fileOf(client)
  await transaction(server.dependencies.pool, async (tx) => {
    const now = server.clock.now()
    await notify(tx, { clientId: client.id, kind: 'second-factor-on', facts: {}, link: '/profile' }, now)
    // Without an event the history would be empty for the owner as well.
    const asked = { kind: 'deposit', action: 'request', record: deposit, clientId: client.id }
    await recordEvent(tx, { identity: { kind: 'client', id: client.id }, now }, asked)
  })
  const { notices } = (await call(server, listNotifications, { as: client })).answer
  return {
    byName: {
      userId: client.id,
      email: client.email,
      accountId: account.id,
      accountNumber: account.login,
      sourceAccount: account.login,
      destinationAccount: other.login,
      account: account.login,
      platform: 'MT5',
      number: account.login,
      bankId,
      _id: await make('bank_details'),
      REF: checkout,
      sessionId: client.sessionId,
      filename: file,
      bankPOA: file,
      documentFront: file,
      documentBack: file,
      ids: notices[0]?.id ?? '',
    },
    records: {
      cancelDeposit: deposit,
      mailWireDetails: deposit,
      getWireDetails: deposit,
      wireDetailsPdf: deposit,
      receiptPdf: deposit,
      cancelWithdrawal: withdrawal,
      cancelTransfer: transfer,
      getTransferTimeline: deposit,
      confirmRequest: withdrawal,
      getDocuments: client.id,
      getEnquiry: enquiry,
      replyToEnquiry: enquiry,
    },
  }
}

async function checkoutOf(client: MadeClient, accountId: string): Promise<string> {
  const reference = `PC${randomUUID().slice(0, 8).toUpperCase()}`
  await run(
    server.dependencies.pool,
    sql`insert into deposits (client_id, account_id, type, method, gateway, amount_minor, currency, reference, state,
          card_type, provider, provider_id, requested_at, expires_at)
        values (${client.id}, ${accountId}, 'cc_gcen', 'Card', 'gcen', 100, 'EUR', ${reference}, 'processing', 1,
          'worldline', ${randomUUID()}, ${server.clock.now()}, '2027-01-01')`,
  )
  return reference
}

async function fileOf(client: MadeClient): Promise<string> {
  const made = await row<{ label: string }>(
    server.dependencies.pool,
    sql`insert into files (client_id, label, media_type, size, sha256, kid, pages, state, created_at)
        values (${client.id}, ${`${client.id}_1781862240_statement.pdf`}, 'application/pdf', 10, '\\x00',
          ${server.dependencies.keys.file.current.kid}, 1, 'clean', ${server.clock.now()}) returning label`,
  )
  return made?.label ?? ''
}

/** A parameter of an endpoint that leads to a record. */
interface IdPlace {
  readonly endpoint: Endpoint
  readonly place: 'params' | 'query' | 'body'
  readonly path: readonly (string | number)[]
  readonly name: string
}

const idPlaces: readonly IdPlace[] = portalEndpoints.flatMap((endpoint) => [
  ...fieldsOf(endpoint.params).map((field) => ({ endpoint, place: 'params' as const, ...field })),
  ...fieldsOf(endpoint.query).map((field) => ({ endpoint, place: 'query' as const, ...field })),
  ...bodyKinds(endpoint).flatMap(({ fields }) =>
    fields.map((field) => ({ endpoint, place: 'body' as const, ...field })),
  ),
])
const names =
  'userId accountId accountNumber sourceAccount destinationAccount account number bankId _id REF sessionId filename bankPOA documentFront documentBack ids'.split(
    ' ',
  )
/** Only calls of a logged-in client: elsewhere an email address is a plain value and does not identify a record. */
const signedIn = ({ endpoint }: IdPlace) =>
  !endpoint.access.includes('public') && !endpoint.access.includes('registering')
const triedPlaces = idPlaces.filter(
  (way) =>
    signedIn(way) &&
    typeof way.path.at(-1) === (way.name === 'ids' ? 'number' : 'string') &&
    (names.includes(way.name) || way.name === 'id' || (way.name === 'email' && way.endpoint.name === 'profile')),
)

const absentId = randomUUID()
const absent: Readonly<Record<string, string>> = {
  accountNumber: '7999999',
  sourceAccount: '7999999',
  destinationAccount: '7999999',
  account: '7999999',
  number: '7999999',
  REF: 'PC00000000',
  email: 'absent@example.com',
  filename: `${absentId}_1781862240_statement.pdf`,
  bankPOA: `${absentId}_1781862240_statement.pdf`,
  documentFront: `${absentId}_1781862240_statement.pdf`,
  documentBack: `${absentId}_1781862240_statement.pdf`,
  file: `${absentId}.pdf`,
}
const malformed: Readonly<Record<string, string>> = { file: 'x.pdf', email: 'x@example.com', account: '1', number: '1' }

/**
 * Prepares a call, with its proof if it requires one; the call returns the response without the request's own
 * reference.
 */
async function prepareCall({ endpoint, place, path }: IdPlace, value: string) {
  const world: Record<string, unknown> = { ...own.byName, id: own.records[endpoint.name], file: undefined }
  const sound = {
    params: validValue(endpoint.params, world),
    query: endpoint.name === 'historyCsv' ? { list: 'deposits' } : {},
    body: endpoint.name === 'readNotices' ? { ids: [''] } : bodyKinds(endpoint, world)[0]?.sound,
  }
  const sent = { ...sound, [place]: withValue(sound[place], path, value) } as {
    params: Record<string, string>
    query: Record<string, string>
  }
  const options = { as: callers.client, ...sent }
  const proof = endpoint.requiresBoundStepUp ? await stepUpProofFor(server, endpoint, options) : null
  return async () => {
    const headers: Record<string, string> = proof === null ? {} : { 'x-proof': proof }
    const { status, json } = await call(server, endpoint, { ...options, headers, proof: null })
    return { status, json: { ...(json as object), reference: '' } }
  }
}

describe('a record of another client gets the same response as one that does not exist', () => {
  test.each(triedPlaces.map((way) => [`${way.endpoint.name} ${way.path.join('.')}`, way] as const))(
    '%s',
    async (_, way) => {
      const foreignId = foreign.byName[way.name] ?? foreign.records[way.endpoint.name] ?? ''
      expect(foreignId).not.toBe('')
      const ofNobody = await prepareCall(way, absent[way.name] ?? absentId)
      const ofAnother = await prepareCall(way, foreignId)
      const ofNothing = await prepareCall(way, malformed[way.name] ?? 'x')
      const before = await tableFingerprints(server)
      const never = await ofNobody()
      expect(never).not.toMatchObject({ json: { code: 'prove-again' } })
      expect(await ofAnother()).toEqual(never)
      expect(await ofNothing()).toEqual(never)
      if (way.place !== 'query' && way.name !== 'ids') expect([400, 403, 404]).toContain(never.status)
      expect(await tableFingerprints(server)).toEqual(before)
    },
  )

  test('every field that contains an id is tested', () => {
    const ids = [id, accountNumber, filename]
    const isId = (way: IdPlace & { schema?: never }) => ids.includes(unwrapSchema(way.schema as never) as never)
    const forgotten = idPlaces.filter((way) => signedIn(way) && isId(way as never) && !triedPlaces.includes(way))
    expect(forgotten.map(({ endpoint, path }) => `${endpoint.name} ${path.join('.')}`)).toEqual([])
  })
})

describe('for staff, a record that does not exist is not found, whatever the id looks like', () => {
  const withId = officeEndpoints.filter(({ path }) => path.includes('/:id') || path.includes('/:number'))
  const named = (sound: Record<string, string>, one: string) =>
    'number' in sound ? { ...sound, number: one } : { ...sound, id: one }
  test.each(withId.map((endpoint) => [endpoint.name, endpoint] as const))('%s', async (_, endpoint) => {
    const before = await tableFingerprints(server)
    const [kind] = bodyKinds(endpoint, { lineId: absentId, field: 'surname' })
    const sound = validValue(endpoint.params, { page: '1' }) as Record<string, string>
    for (const one of 'number' in sound ? ['7999999', '0'] : [absentId, 'x', '-', '0'.repeat(64)]) {
      const sent = { ...callers.bearerOf(endpoint), params: named(sound, one), body: kind?.sound }
      const reply = await call(server, endpoint, sent)
      expect([one, reply.status, (reply.json as { code?: string }).code]).toEqual([one, 404, 'not-found'])
    }
    const malformed = await call(server, endpoint, {
      ...callers.bearerOf(endpoint),
      params: named(sound, "1' or '1'='1"),
      body: kind?.sound,
    })
    expect([400, 404]).toContain(malformed.status)
    expect(await tableFingerprints(server)).toEqual(before)
  })
})
