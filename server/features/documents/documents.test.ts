/** Documents from upload to approval (requirements 6, 27.10, 29.10). */
import { beforeAll, describe, expect, test } from 'vitest'
import { documentsApproval, getDocuments, saveDocuments } from '#contract/documents.ts'
import {
  approveDocument,
  requestDocumentAgain,
  requestSourceOfWealth,
  checkDocumentMrz,
  getDocumentCase,
  listDocumentCases,
  rejectDocument,
} from '#contract/office/documents.ts'
import { getInboxItem } from '#contract/office/inbox.ts'
import { row, rows, run, sql, transaction } from '#server/db/sql.ts'
import { passportImage } from '#scripts/seed/pictures.ts'
import { writeSetting } from '#server/settings/settings.ts'
import { call, makeClient, makeStaff, type MadeClient, type MadeStaff } from '#tests/factories.ts'
import { billBody, passportBearer, passportBody } from '#tests/documents.ts'
import { listenTo } from '#server/db/listen.ts'
import { makeJpeg, pdfOfImage, uploadTo } from '#tests/files.ts'
import { serverForFile, staffForFile } from '#tests/for-file.ts'
import { mailsTo } from '#tests/mails.ts'
import { expireDocuments, notifyOfExpiry, readZones } from './jobs.ts'

const server = serverForFile({ now: new Date('2026-06-19T09:44:00Z') })
const officer = staffForFile(server, ['compliance'])

const numbers = { next: 1000 }
const passport = (file: string, changes: object = {}) => {
  numbers.next += 1
  return passportBody(file, { documentNumber: `C01X${numbers.next}`, ...changes })
}
const bill = billBody
const zoneLines = ['P<D<<WEIDMANN<<CLARA<ELISABETH<<<<<<<<<<<<<<', 'L01X00T478D<<8603142F2909222<<<<<<<<<<<<<<<4']
const fileOf = async (client: MadeClient) =>
  (await uploadTo(server, client, await makeJpeg(40), 'page.jpg')).json.filename
const pending = () =>
  makeClient(server, { state: 'pending', email: `c-${Math.random().toString(36).slice(2)}@example.com` })
const save = (client: { token: string }, body: object) => call(server, saveDocuments, { as: client, body })
const documentsOf = async (client: MadeClient) =>
  (await call(server, getDocuments, { as: client, params: { id: client.id } })).answer
const caseOf = async (client: MadeClient, as: MadeStaff = officer) =>
  (await call(server, getDocumentCase, { as, params: { id: client.id } })).answer.case
const mailsOf = async (client: MadeClient) =>
  (
    await rows<{ kind: string }>(
      server.dependencies.pool,
      sql`select payload->>'kind' as kind from operations where kind = 'mail' and client_id = ${client.id} order by created_at, id`,
    )
  ).map(({ kind }) => kind)

async function makeClientWithDocuments(): Promise<MadeClient> {
  const client = await pending()
  expect((await save(client, passport(await fileOf(client)))).status).toBe(200)
  expect((await save(client, bill(await fileOf(client)))).status).toBe(200)
  expect((await call(server, documentsApproval, { as: client })).status).toBe(200)
  return client
}

async function recordOf(client: MadeClient, kind: string) {
  const found = (await caseOf(client)).documents.find((one) => one.kind === kind)
  if (!found) throw new Error(`no ${kind}`)
  return found
}

async function decide(
  client: MadeClient,
  kind: string,
  verb: 'approve' | 'reject',
  body: object = {},
  as: MadeStaff = officer,
) {
  const { id, version } = await recordOf(client, kind)
  return call(server, verb === 'approve' ? approveDocument : rejectDocument, {
    as,
    params: { id },
    body: { version, ...body },
  })
}

describe('a saved document', () => {
  test('is returned under its kind, with a new link to its file', async () => {
    const client = await pending()
    const file = await fileOf(client)
    const { document } = (await save(client, passport(file))).answer
    expect(document).toMatchObject({
      documentFront: file,
      status: 'uploaded',
      statusFront: 'uploaded',
      statusBack: null,
      uploaded: true,
      expiryYear: 2029,
    })
    const { documents } = await documentsOf(client)
    expect(Object.keys(documents)).toEqual(['passport'])
    expect((await fetch(new URL(documents.passport?.documentFrontUrl ?? '', server.url))).status).toBe(200)
  })

  test.each([
    [
      'is rejected as an expired passport',
      (file: string) => passport(file, { expiryYear: 2026, expiryMonth: 6, expiryDay: 18 }),
      'document-expired',
      'expiryDay',
    ],
    [
      'is accepted on the last day of a passport',
      (file: string) => passport(file, { expiryYear: 2026, expiryMonth: 6, expiryDay: 19 }),
      null,
      null,
    ],
    [
      'is rejected with a date that does not exist',
      (file: string) => passport(file, { expiryMonth: 2, expiryDay: 30 }),
      'date-invalid',
      'expiryDay',
    ],
    [
      'is rejected without an expiry day',
      (file: string) => passport(file, { expiryDay: undefined }),
      'expiry-date-required',
      'expiryDay',
    ],
    [
      'is rejected without a document number',
      (file: string) => passport(file, { documentNumber: ' ' }),
      'required',
      'documentNumber',
    ],
    [
      'is rejected without a front',
      () => passport('', { documentFront: undefined }),
      'front-required',
      'documentFront',
    ],
    ['is rejected with an unknown file', () => passport('nobody_1_x.jpg'), 'file-unknown', 'documentFront'],
    [
      'is rejected as an identity card without its back',
      (file: string) => ({ ...passport(file), documentType: 'id' }),
      'back-required',
      'documentBack',
    ],
    [
      'is rejected from a country of level 5',
      (file: string) => passport(file, { country: 'KP' }),
      'document-not-accepted',
      'country',
    ],
    [
      'is accepted as a bill exactly 3 months old',
      (file: string) => bill(file, { expiryMonth: 3, expiryDay: 19 }),
      null,
      null,
    ],
    [
      'is rejected as a bill that is a day older',
      (file: string) => bill(file, { expiryMonth: 3, expiryDay: 18 }),
      'issue-too-old',
      'expiryDay',
    ],
    [
      'is rejected as a bill dated tomorrow',
      (file: string) => bill(file, { expiryDay: 20 }),
      'issue-in-future',
      'expiryDay',
    ],
    [
      'is rejected as a source of wealth that was not requested',
      (file: string) => ({ ...bill(file), documentType: 'source_of_wealth' }),
      'wealth-not-asked',
      'server',
    ],
    [
      'is rejected with its expiry year as a string',
      (file: string) => passport(file, { expiryYear: '2029' }),
      'date-invalid',
      'expiryYear',
    ],
    [
      'is rejected with an unknown field',
      (file: string) => passport(file, { status: 'approved' }),
      'unknown-field',
      'status',
    ],
  ] as const)('%s', async (_, body, code, field) => {
    const client = await pending()
    const reply = await save(client, body(await fileOf(client)))
    if (code === null) expect(reply.status).toBe(200)
    else {
      expect(reply.failure.code).toBe(code)
      expect(Object.keys(reply.failure.errors)).toContain(field)
      expect((await documentsOf(client)).documents).toEqual({})
    }
  })

  test('cannot contain a file of another client or of staff, or be read by anyone else in the portal', async () => {
    const [client, other] = [await pending(), await pending()]
    const file = await fileOf(client)
    expect((await save(other, passport(file))).failure.errors).toHaveProperty('documentFront')
    const proof = await fileOf(client)
    await run(
      server.dependencies.pool,
    )`update files set staff_id = (select id from staff limit 1) where label = ${proof}`
    expect((await save(client, passport(proof))).failure.errors).toHaveProperty('documentFront')
    expect((await call(server, getDocuments, { as: other, params: { id: client.id } })).status).toBe(404)
    expect((await call(server, getDocuments, { as: officer, params: { id: client.id } })).status).toBe(401)
    expect((await save(await makeClient(server, { state: 'registering' }), passport('x'))).status).toBe(403)
  })
})

test('a rejected client cannot save, submit or upload documents any more', async () => {
  const client = await makeClientWithDocuments()
  const file = await fileOf(client)
  await rows(server.dependencies.pool, sql`update clients set state = 'rejected' where id = ${client.id} returning id`)
  const refused = [await save(client, passport(file)), await call(server, documentsApproval, { as: client })]
  expect(refused.map(({ status, failure }) => [status, failure.code])).toEqual([
    [409, 'application-refused'],
    [409, 'application-refused'],
  ])
  expect((await uploadTo(server, client, await makeJpeg(300), 'front.jpg')).status).toBe(409)
  expect(Object.keys((await documentsOf(client)).documents)).toEqual(['passport', 'utility_bill'])
})

describe('submitting documents for approval', () => {
  test('requires a proof of identity and a proof of address', async () => {
    const client = await pending()
    expect((await call(server, documentsApproval, { as: client })).failure.code).toBe('identity-missing')
    await save(client, passport(await fileOf(client)))
    expect((await call(server, documentsApproval, { as: client })).failure.code).toBe('address-missing')
    expect((await documentsOf(client)).gcenApiDocsSubmitted).toBe(false)
  })

  const sendFor = (client: MadeClient) => call(server, documentsApproval, { as: client })
  const statesOf = async (client: MadeClient) =>
    Object.values((await documentsOf(client)).documents).map(({ status }) => status)

  const dated = (day: string) => (id: string) => sql`update documents set expiry_date = ${day} where id = ${id}`
  const infected = (id: string) =>
    sql`update files set state = 'infected' where id = (select front_file from documents where id = ${id})`

  test.each([
    ['document-expired', 'passport', dated('2026-06-18')],
    ['issue-too-old', 'utility_bill', dated('2026-03-18')],
    ['file-infected', 'passport', infected],
  ] as const)(
    'fails with %s if the %s has become invalid since it was saved, and submits nothing',
    async (code, kind, change) => {
      const client = await pending()
      await save(client, passport(await fileOf(client)))
      await save(client, bill(await fileOf(client)))
      const saved = (await documentsOf(client)).documents[kind]
      expect(saved?.blockedReason).toBeNull()
      await run(server.dependencies.pool, change(saved?.id ?? ''))
      const refused = await sendFor(client)
      expect(refused.failure).toMatchObject({ code, errors: { [kind]: expect.any(String) as string } })
      const shown = await documentsOf(client)
      expect(shown.documents[kind]?.blockedReason).toBe(refused.failure.error)
      expect([await statesOf(client), shown.gcenApiDocsSubmitted]).toEqual([['uploaded', 'uploaded'], false])
      const renewed = kind === 'passport' ? passport : bill
      expect((await save(client, renewed(await fileOf(client)))).answer.document.blockedReason).toBeNull()
      expect((await sendFor(client)).status).toBe(200)
    },
  )

  test('leaves out a document no longer accepted from its country, and requires another one instead', async () => {
    const client = await pending()
    const licence = async () => ({
      ...passport(await fileOf(client), { country: 'PT', documentBack: await fileOf(client) }),
      documentType: 'drivers_licence',
    })
    expect((await save(client, await licence())).status).toBe(200)
    await save(client, bill(await fileOf(client)))
    const now = server.clock.now()
    const value = { changes: { PT: { level: 3 as const } } }
    await transaction(server.dependencies.pool, (tx) =>
      writeSetting(tx, 'countries', { value, version: 1, by: null, reason: 'test', now }),
    )
    server.dependencies.settings.forget('countries')
    expect((await save(client, await licence())).failure.code).toBe('document-not-accepted')
    expect((await sendFor(client)).failure).toMatchObject({
      code: 'document-not-accepted',
      errors: { drivers_licence: 'We do not accept this type of document from this country. Choose another one.' },
    })
    await save(client, passport(await fileOf(client)))
    expect((await sendFor(client)).status).toBe(200)
    expect(await statesOf(client)).toEqual(['uploaded', 'pending_approval', 'pending_approval'])
    expect((await sendFor(client)).failure.code).toBe('document-not-accepted')
  })

  test('opens one work item for the client, due in 48 hours, and locks the forms', async () => {
    const client = await makeClientWithDocuments()
    const items = await rows<{ due_at: Date }>(
      server.dependencies.pool,
      sql`select due_at from work_items where kind = 'document' and record = ${client.id} and closed_at is null`,
    )
    expect(items.map(({ due_at }) => due_at)).toEqual([new Date('2026-06-21T09:44:00Z')])
    const { documents, gcenApiDocsSubmitted } = await documentsOf(client)
    expect([documents.passport?.status, documents.utility_bill?.status, gcenApiDocsSubmitted]).toEqual([
      'pending_approval',
      'pending_approval',
      true,
    ])
    const again = await save(client, passport(await fileOf(client)))
    expect([again.status, again.failure.code]).toEqual([409, 'document-locked'])
    expect((await call(server, documentsApproval, { as: client })).failure.code).toBe('nothing-to-send')
  })
})

describe('a document case', () => {
  test('shows images, checks and available actions to compliance and is listed in the queue', async () => {
    const client = await makeClientWithDocuments()
    const found = await caseOf(client)
    expect(found.documents.map(({ kind }) => kind)).toEqual(['passport', 'utility_bill'])
    const [first] = found.documents
    expect(first?.front).toMatchObject({ pages: 1, state: 'clean' })
    expect(first?.checks.map(({ code, verdict }) => [code, verdict])).toEqual([
      ['accepted', 'ok'],
      ['valid', 'ok'],
      ['elsewhere', 'ok'],
      ['mrz', 'unknown'],
    ])
    expect(first?.verbs).toContainEqual({ verb: 'approve', refusal: null })
    const { rows: queue } = (await call(server, listDocumentCases, { as: officer, query: { size: '100' } })).answer
    expect(queue.map((one) => one.client.id)).toContain(client.id)
  })

  test('is listed exactly once across the pages of the queue', async () => {
    await Promise.all([makeClientWithDocuments(), makeClientWithDocuments(), makeClientWithDocuments()])
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: { rows: { client: { id: string } }[]; next: string | null } = (
        await call(server, listDocumentCases, { as: officer, query: { size: '2', ...(cursor ? { cursor } : {}) } })
      ).answer
      seen.push(...page.rows.map((one) => one.client.id))
      cursor = page.next
    } while (cursor)
    const open = await rows<{ record: string }>(
      server.dependencies.pool,
      sql`select record from work_items where kind = 'document' and closed_at is null`,
    )
    expect(seen.toSorted()).toEqual(open.map(({ record }) => record).toSorted())
    expect((await call(server, listDocumentCases, { as: officer, query: { cursor: 'forged' } })).status).toBe(400)
  })

  test('compares the machine-readable zone that staff entered with profile and form', async () => {
    const client = await makeClient(server, {
      state: 'pending',
      name: 'Clara',
      surname: 'Weidmann',
      birthDate: '1986-03-14',
    })
    await save(client, passport(await fileOf(client), { documentNumber: 'L01X00T47' }))
    await save(client, bill(await fileOf(client)))
    await call(server, documentsApproval, { as: client })
    const { id } = await recordOf(client, 'passport')
    const lines = zoneLines
    const typed = await call(server, checkDocumentMrz, { as: officer, params: { id }, body: { lines } })
    const { comparisons, mrz } = typed.answer.document
    expect(comparisons.map(({ code, verdict }) => [code, verdict])).toEqual([
      ['surname', 'ok'],
      ['givenNames', 'ok'],
      ['birthDate', 'ok'],
      ['nationality', 'ok'],
      ['number', 'ok'],
      ['expiry', 'ok'],
    ])
    expect(mrz?.checkDigits).toBeGreaterThan(0)
    expect(
      (await call(server, checkDocumentMrz, { as: officer, params: { id }, body: { lines: ['NOT A ZONE'] } })).status,
    ).toBe(400)
    expect(
      (
        await call(server, checkDocumentMrz, {
          as: await makeStaff(server, ['operations']),
          params: { id },
          body: { lines },
        })
      ).status,
    ).toBe(403)
  })

  test('shows another client with the same document number', async () => {
    const [one, two] = [await pending(), await pending()]
    for (const client of [one, two]) {
      await save(client, passport(await fileOf(client), { documentNumber: 'SAME-1' }))
      await save(client, bill(await fileOf(client)))
      await call(server, documentsApproval, { as: client })
    }
    const document = await recordOf(two, 'passport')
    expect(document.elsewhere.clients?.map(({ id }) => id)).toEqual([one.id])
    expect(document.checks).toContainEqual(expect.objectContaining({ code: 'elsewhere', verdict: 'differs' }))
  })

  test('has the history of all documents in its preview in the inbox', async () => {
    const client = await makeClientWithDocuments()
    await decide(client, 'passport', 'reject', { reason: 'Cut off.' })
    const params = { id: (await caseOf(client)).item?.id ?? '' }
    const { timeline } = (await call(server, getInboxItem, { as: officer, params })).answer
    expect(timeline.map(({ verb }) => verb)).toEqual(['reject', 'send', 'send', 'upload', 'upload'])
  })

  test('masks document numbers for an auditor, who cannot decide', async () => {
    const client = await makeClientWithDocuments()
    const auditor = await makeStaff(server, ['auditor'])
    const [document] = (await caseOf(client, auditor)).documents
    expect(document?.documentNumber).toMatch(/^•••...$/)
    const refused = await call(server, approveDocument, {
      as: auditor,
      params: { id: document?.id ?? '' },
      body: { version: document?.version },
    })
    expect(refused.status).toBe(403)
    expect(document?.verbs.every(({ refusal }) => refusal?.code === 'wrong-role')).toBe(true)
  })
})

describe('a decision on a document', () => {
  test('to approve opens the client’s approval once both proofs are approved', async () => {
    const client = await makeClientWithDocuments()
    expect((await decide(client, 'passport', 'approve')).answer.state).toBe('approved')
    expect((await documentsOf(client)).identityApproved).toBe(true)
    const open = () =>
      rows<{ kind: string }>(
        server.dependencies.pool,
        sql`select kind from work_items where record = ${client.id} and closed_at is null`,
      )
    expect((await open()).map(({ kind }) => kind)).toEqual(['document'])
    expect((await decide(client, 'utility_bill', 'approve', { note: 'Matches the register.' })).status).toBe(200)
    expect((await open()).map(({ kind }) => kind)).toEqual(['client'])
    expect(await mailsOf(client)).toEqual(['document-approved', 'document-approved'])
    const notices = await rows<{ kind: string }>(
      server.dependencies.pool,
      sql`select kind from notices where client_id = ${client.id}`,
    )
    expect(notices).toHaveLength(2)
  })

  test('to reject needs a reason, leaves the other documents pending and lets the client submit this one again', async () => {
    const client = await makeClientWithDocuments()
    const reason = 'A corner of the page is cut off.'
    expect((await decide(client, 'passport', 'reject')).failure.code).toBe('reason-required')
    expect((await decide(client, 'passport', 'reject', { reason })).answer.state).toBe('rejected')
    const { documents, gcenApiDocsSubmitted } = await documentsOf(client)
    expect(documents.passport).toMatchObject({ status: 'rejected', reason, statusFront: 'rejected', uploaded: false })
    expect(documents.utility_bill?.status).toBe('pending_approval')
    expect(gcenApiDocsSubmitted).toBe(false)
    expect((await save(client, passport('', { documentFront: undefined }))).failure.code).toBe('front-required')
    expect((await save(client, passport(await fileOf(client)))).answer.document).toMatchObject({
      status: 'uploaded',
      reason: null,
    })
    expect((await call(server, documentsApproval, { as: client })).status).toBe(200)
    expect((await recordOf(client, 'passport')).earlierRejections).toBe(1)
  })

  test('to request one side again keeps the file of the other side', async () => {
    const client = await pending()
    const [front, back] = [await fileOf(client), await fileOf(client)]
    await save(client, { ...passport(front, { documentBack: back }), documentType: 'id' })
    await save(client, bill(await fileOf(client)))
    await call(server, documentsApproval, { as: client })
    await decide(client, 'id', 'approve')
    const { id, version } = await recordOf(client, 'id')
    const asked = await call(server, requestDocumentAgain, {
      as: officer,
      params: { id },
      body: { version, reason: 'The back is blurred.', side: 'back' },
    })
    expect(asked.answer.state).toBe('rejected')
    const [mail] = (await mailsTo(server, client.email)).slice(-1)
    expect(mail).toMatchObject({ kind: 'document-rejected', facts: { document: 'id', side: 'back' } })
    const shown = (await documentsOf(client)).documents.id
    expect(shown).toMatchObject({
      statusFront: 'uploaded',
      statusBack: 'rejected',
      reasonFront: null,
      reasonBack: 'The back is blurred.',
    })
    expect((await documentsOf(client)).identityApproved).toBe(false)
    const again = await save(client, {
      ...passport('', { documentFront: undefined, documentBack: await fileOf(client) }),
      documentType: 'id',
    })
    expect(again.answer.document.documentFront).toBe(front)
  })

  test('cannot request a side that the kind of document does not have', async () => {
    const client = await makeClientWithDocuments()
    const back = { reason: 'The back is missing.', side: 'back' as const }
    const refused = { code: 'invalid', errors: { side: expect.any(String) as string } }
    expect(await decide(client, 'passport', 'reject', back)).toMatchObject({ status: 400, failure: refused })
    expect((await documentsOf(client)).documents.passport?.status).toBe('pending_approval')
    await decide(client, 'passport', 'approve')
    const { id, version } = await recordOf(client, 'passport')
    const asked = { as: officer, params: { id }, body: { version, ...back } }
    expect(await call(server, requestDocumentAgain, asked)).toMatchObject({ status: 400, failure: refused })
    expect((await documentsOf(client)).documents.passport?.status).toBe('approved')
  })

  test('succeeds for one of two concurrent clerks and fails on a stale page', async () => {
    const client = await makeClientWithDocuments()
    const second = await makeStaff(server, ['compliance'], { name: 'Jonas Ried' })
    const { id, version } = await recordOf(client, 'passport')
    const answers = await Promise.all([
      call(server, approveDocument, { as: officer, params: { id }, body: { version } }),
      call(server, rejectDocument, { as: second, params: { id }, body: { version, reason: 'No.' } }),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const loser = answers.find(({ status }) => status === 409)
    expect(loser?.failure.code).toBe('decided-by')
    const bills = await recordOf(client, 'utility_bill')
    expect(
      (
        await call(server, approveDocument, {
          as: officer,
          params: { id: bills.id },
          body: { version: bills.version + 1 },
        })
      ).failure.code,
    ).toBe('stale-page')
  })

  test('is forbidden for a clerk with the client’s email address and for operations', async () => {
    const client = await makeClientWithDocuments()
    const same = await makeStaff(server, ['compliance'], { email: client.email.toUpperCase() })
    expect((await decide(client, 'passport', 'approve', {}, same)).failure.code).toBe('own-request')
    const { id } = await recordOf(client, 'passport')
    const zone = { as: same, params: { id }, body: { lines: [] } }
    expect((await call(server, checkDocumentMrz, zone)).failure.code).toBe('own-request')
    expect((await decide(client, 'passport', 'approve', {}, await makeStaff(server, ['operations']))).status).toBe(403)
    expect((await recordOf(client, 'passport')).state).toBe('pending_approval')
  })

  test('is blocked while the file has not passed the malware scan', async () => {
    const client = await makeClientWithDocuments()
    await server.dependencies.pool.query(`update files set state = 'quarantined' where client_id = $1`, [client.id])
    expect((await decide(client, 'passport', 'approve')).failure.code).toBe('file-not-scanned')
    expect((await recordOf(client, 'passport')).verbs.find(({ verb }) => verb === 'approve')?.refusal?.code).toBe(
      'file-not-scanned',
    )
  })

  test('to approve locks the document; a source of wealth is accepted once it has been requested', async () => {
    const client = await makeClientWithDocuments()
    await decide(client, 'passport', 'approve')
    expect((await save(client, passport(await fileOf(client)))).failure.code).toBe('document-approved')
    const ask = () =>
      call(server, requestSourceOfWealth, {
        as: officer,
        params: { id: client.id },
        body: { reason: 'Your deposits are above your income.' },
      })
    expect((await ask()).status).toBe(200)
    expect((await ask()).failure.code).toBe('wealth-asked')
    expect((await save(client, { ...bill(await fileOf(client)), documentType: 'source_of_wealth' })).status).toBe(200)
    expect(await mailsOf(client)).toEqual(['document-approved', 'document-asked'])
  })
})

test('an identity document causes one email 30 days before its expiry and expires on the day after its last day', async () => {
  const client = await pending()
  await save(client, passport(await fileOf(client), { expiryYear: 2026, expiryMonth: 7, expiryDay: 30 }))
  await save(client, bill(await fileOf(client)))
  await call(server, documentsApproval, { as: client })
  await decide(client, 'passport', 'approve')
  await decide(client, 'utility_bill', 'approve')
  const state = async () =>
    (
      await row<{ state: string }>(
        server.dependencies.pool,
        sql`select state from documents where client_id = ${client.id} and kind = 'passport'`,
      )
    )?.state
  const tick = async (at: string) => {
    await notifyOfExpiry(server.dependencies, new Date(at))
    await expireDocuments(server.dependencies, new Date(at))
  }
  await tick('2026-06-29T12:00:00Z')
  expect(await mailsOf(client)).not.toContain('document-expiring')
  await tick('2026-06-30T12:00:00Z')
  await tick('2026-07-01T12:00:00Z')
  expect((await mailsOf(client)).filter((kind) => kind === 'document-expiring')).toHaveLength(1)
  // The last second of its last day in the firm's time zone, and the first one of the next.
  await tick('2026-07-30T22:59:59Z')
  expect(await state()).toBe('approved')
  await tick('2026-07-30T23:00:00Z')
  expect(await state()).toBe('expired')
  expect((await mailsOf(client)).at(-1)).toBe('document-expired')
  // The client is not approved yet, and cannot be with an expired identity document.
  const { identityApproved, addressApproved, gcenApiDocsSubmitted } = await documentsOf(client)
  expect({ identityApproved, addressApproved, gcenApiDocsSubmitted }).toEqual({
    identityApproved: false,
    addressApproved: true,
    gcenApiDocsSubmitted: false,
  })
  const waits = sql`select 1 from work_items where record = ${client.id} and kind = 'client' and closed_at is null`
  expect(await row(server.dependencies.pool, waits)).toBeNull()
})

test('a client who is suspended when the notice of expiry is due gets it once they are active again', async () => {
  const client = await pending()
  await save(client, passport(await fileOf(client), { expiryYear: 2026, expiryMonth: 7, expiryDay: 10 }))
  await save(client, bill(await fileOf(client)))
  await call(server, documentsApproval, { as: client })
  await decide(client, 'passport', 'approve')
  const setState = (state: string) =>
    run(server.dependencies.pool, sql`update clients set state = ${state} where id = ${client.id}`)
  const notices = async () => (await mailsOf(client)).filter((kind) => kind === 'document-expiring').length
  await setState('suspended')
  await notifyOfExpiry(server.dependencies, server.clock.now())
  expect(await notices()).toBe(0)
  await setState('approved')
  await notifyOfExpiry(server.dependencies, server.clock.now())
  await notifyOfExpiry(server.dependencies, server.clock.now())
  expect(await notices()).toBe(1)
})

test('a proof of address is judged on the firm’s day of its submission', async () => {
  const client = await pending()
  await save(client, passport(await fileOf(client)))
  await save(client, bill(await fileOf(client), { expiryDay: 19 }))
  await call(server, documentsApproval, { as: client })
  const submittedAt = async (at: string) => {
    await run(server.dependencies.pool, sql`update documents set sent_at = ${at} where client_id = ${client.id}`)
    return (await recordOf(client, 'utility_bill')).checks.find(({ code }) => code === 'issued')?.verdict
  }
  // In London it is already 19 June, the day of issue.
  expect(await submittedAt('2026-06-18T23:30:00Z')).toBe('ok')
  expect(await submittedAt('2026-06-18T22:30:00Z')).toBe('differs')
})

describe('the machine-readable zone of an image', () => {
  const comparedWith = (document: { comparisons: readonly { code: string; document: string | null }[] }) =>
    Object.fromEntries(document.comparisons.map(({ code, document: value }) => [code, value]))
  const read = {
    surname: 'WEIDMANN',
    givenNames: 'CLARA ELISABETH',
    birthDate: '1986-03-14',
    nationality: 'DE',
    number: passportBearer.number,
    expiry: '2029-09-22',
  }

  async function sentWith(picture: Buffer, name: string) {
    const client = await pending()
    const { filename } = (await uploadTo(server, client, picture, name)).json
    await save(client, passport(filename, { documentNumber: passportBearer.number }))
    await save(client, bill(await fileOf(client)))
    await call(server, documentsApproval, { as: client })
    return client
  }
  const readNow = () => readZones(server.dependencies, server.clock.now())
  const readings = async () =>
    (await row<{ count: bigint }>(server.dependencies.pool, sql`select count(*) as count from zone_readings`))?.count
  // Documents of earlier tests are still pending and would be read first.
  beforeAll(async () => {
    let before: bigint | undefined
    do {
      before = await readings()
      await readNow()
    } while ((await readings()) !== before)
  })
  const eventsOf = async (client: MadeClient) =>
    (
      await rows<{ verb: string }>(
        server.dependencies.pool,
        sql`select verb from events where kind = 'document' and client_id = ${client.id} and verb like '%Mrz' order by id`,
      )
    ).map(({ verb }) => verb)

  test('is read once, fills the comparison with its confidence, and is confirmed by a clerk', async () => {
    const client = await sentWith(await passportImage(passportBearer), 'passport.jpg')
    expect((await recordOf(client, 'passport')).reading).toMatchObject({ state: 'waiting' })
    await Promise.all([readNow(), readNow()])
    const found = await recordOf(client, 'passport')
    expect(found.reading).toMatchObject({ state: 'read', side: 'front', page: 1, chosen: [] })
    expect(comparedWith(found)).toEqual(read)
    for (const { confidence } of found.comparisons) expect(confidence).toBeGreaterThan(0.95)
    expect(found.mrz).toBeNull()
    expect(found.checks).toContainEqual(expect.objectContaining({ code: 'mrz', verdict: 'unknown' }))

    const auditor = await caseOf(client, await makeStaff(server, ['auditor']))
    expect(auditor.documents[0]?.reading?.lines).toEqual([])
    expect(JSON.stringify(auditor.documents[0]?.comparisons)).not.toContain(passportBearer.number)

    const body = { lines: found.reading?.lines ?? [] }
    const confirmed = await call(server, checkDocumentMrz, { as: officer, params: { id: found.id }, body })
    expect(confirmed.answer.document).toMatchObject({ reading: null, mrz: { valid: true, lines: body.lines } })
    expect(confirmed.answer.document.comparisons.every(({ confidence }) => confidence === null)).toBe(true)
    expect(comparedWith(confirmed.answer.document)).toEqual(read)
    expect(await eventsOf(client)).toEqual(['readMrz', 'confirmMrz'])
  })

  test('entered for an image is removed when the client replaces the document, and not stored for the new one', async () => {
    const client = await sentWith(await makeJpeg(40), 'passport.jpg')
    const { id, version } = await recordOf(client, 'passport')
    const zone = (shown: object) =>
      call(server, checkDocumentMrz, { as: officer, params: { id }, body: { lines: zoneLines, ...shown } })
    expect((await zone({ version })).answer.document.mrz).not.toBeNull()
    await decide(client, 'passport', 'reject', { reason: 'Cut off.' })
    await save(client, passport(await fileOf(client)))
    await call(server, documentsApproval, { as: client })
    const replaced = await recordOf(client, 'passport')
    expect(replaced.mrz).toBeNull()
    expect(replaced.checks).toContainEqual(expect.objectContaining({ code: 'mrz', verdict: 'unknown' }))
    expect((await zone({ version })).failure.code).toBe('stale-page')
    expect((await recordOf(client, 'passport')).mrz).toBeNull()
    // A page that was loaded before an update sends no version.
    expect((await zone({})).answer.document.mrz).not.toBeNull()
  })

  test('is read from a scan inside a PDF, and open pages of the case are notified', async () => {
    const scan = await pdfOfImage(await passportImage(passportBearer))
    const client = await sentWith(scan, 'passport.pdf')
    const { promise: notified, resolve } = Promise.withResolvers<string>()
    const listener = await listenTo({
      url: server.dependencies.config.database?.url ?? '',
      channels: ['changes'],
      onNotification: (payload) => payload.includes(client.id) && resolve(payload),
      onReconnect: () => {},
      onError: () => {},
    })
    await readNow()
    expect(JSON.parse(await notified)).toEqual({ kind: 'document', id: client.id })
    await listener.stop()
    expect(comparedWith(await recordOf(client, 'passport'))).toEqual(read)
  })

  test('is not found in an image without one, and the client is not notified', async () => {
    const client = await sentWith(await makeJpeg(200), 'passport.jpg')
    const before = await mailsOf(client)
    await readNow()
    const found = await recordOf(client, 'passport')
    expect(found.reading).toMatchObject({ state: 'none', lines: [] })
    expect(found.comparisons.every(({ document }) => document === null)).toBe(true)
    expect(await mailsOf(client)).toEqual(before)
    expect((await documentsOf(client)).documents.passport).toMatchObject({ status: 'pending_approval' })
    expect(await eventsOf(client)).toEqual(['missMrz'])
  })

  test('of a damaged file is shown to staff as a failed reading, which is deleted with the file', async () => {
    const client = await sentWith(await passportImage(passportBearer), 'passport.jpg')
    const fileId = (await recordOf(client, 'passport')).front?.fileId ?? ''
    const sealed = await server.dependencies.files.get(fileId)
    sealed?.writeUInt8(sealed.readUInt8(40) ^ 1, 40)
    await server.dependencies.files.put(fileId, sealed ?? Buffer.of())
    await readNow()
    expect((await recordOf(client, 'passport')).reading).toMatchObject({ state: 'failed' })
    await run(server.dependencies.pool, sql`update documents set front_file = null where front_file = ${fileId}`)
    await run(server.dependencies.pool, sql`delete from files where id = ${fileId}`)
    expect(await row(server.dependencies.pool, sql`select 1 from zone_readings where file_id = ${fileId}`)).toBeNull()
  })

  test('is not read on a driving licence', async () => {
    const client = await pending()
    const { filename } = (await uploadTo(server, client, await makeJpeg(60), 'licence.jpg')).json
    await save(client, {
      ...passport(filename, { documentBack: await fileOf(client) }),
      documentType: 'drivers_licence',
    })
    await save(client, bill(await fileOf(client)))
    await call(server, documentsApproval, { as: client })
    await readNow()
    expect((await recordOf(client, 'drivers_licence')).reading).toBeNull()
    expect(await eventsOf(client)).toEqual([])
  })
})
