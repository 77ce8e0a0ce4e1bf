/** What checks know of documents that were replaced or requested again (requirements 19.10, 19.11, 24.219, 24.220). */
import { beforeAll, describe, expect, test } from 'vitest'
import { documentsApproval, saveDocuments } from '#contract/documents.ts'
import { overrideCheck } from '#contract/office/checks.ts'
import { approveDocument, getDocumentCase, rejectDocument, requestDocumentAgain } from '#contract/office/documents.ts'
import { approveWithdrawal, getOfficeWithdrawal } from '#contract/office/withdrawals.ts'
import type { CheckName } from '#rules/checks/check.ts'
import { billBody, passportBody } from '#tests/documents.ts'
import { makePassingRequest } from '#tests/check-situations.ts'
import { applySetting, call, clientTokenFor, makeStaff, type MadeClient } from '#tests/factories.ts'
import { makeJpeg, uploadTo } from '#tests/files.ts'
import { platformForFile } from '#tests/for-file.ts'
import { expireDocuments } from '../documents/jobs.ts'

const place = platformForFile()
const { server } = place
beforeAll(async () => {
  const checks = await server.dependencies.settings.get('checks')
  await applySetting(server, 'checks', { ...checks, identityExpired: 'block' })
})

const kinds = { passport: {}, id: { documentType: 'id' } } as const
type Kind = keyof typeof kinds
const numbers = { next: 1000 }
const fileOf = async (client: MadeClient) =>
  (await uploadTo(server, await clientTokenFor(server, client), await makeJpeg(40), 'page.jpg')).json.filename

/** Uploads a document that is valid until a day. */
async function upload(client: MadeClient, kind: Kind, until: string, send = true) {
  const [year, month, day] = until.split('-').map(Number)
  numbers.next += 1
  const dates = { expiryYear: year, expiryMonth: month, expiryDay: day, documentNumber: `C01X${numbers.next}` }
  const back = kind === 'id' ? { documentBack: await fileOf(client) } : {}
  const body = { ...passportBody(await fileOf(client), { ...dates, ...back }), documentType: kind }
  const as = await clientTokenFor(server, client)
  expect((await call(server, saveDocuments, { as, body })).status).toBe(200)
  // Documents are sent with a proof of address; one that was sent already is locked.
  if (send) await call(server, saveDocuments, { as, body: billBody(await fileOf(client)) })
  if (send) expect((await call(server, documentsApproval, { as })).status).toBe(200)
}

async function decide(client: MadeClient, kind: Kind, endpoint: typeof approveDocument | typeof rejectDocument) {
  const as = await makeStaff(server, ['compliance'])
  const { documents } = (await call(server, getDocumentCase, { as, params: { id: client.id } })).answer.case
  const found = documents.find((one) => one.kind === kind)
  const body = { version: found?.version ?? 0, ...(endpoint === approveDocument ? {} : { reason: 'Not readable.' }) }
  expect((await call(server, endpoint, { as, params: { id: found?.id ?? '' }, body })).status).toBe(200)
}

/** Returns a check as the page of the withdrawal shows it. */
async function shownCheck(id: string, name: CheckName) {
  const as = await makeStaff(server, ['operations'])
  const { decisionChecks } = (await call(server, getOfficeWithdrawal, { as, params: { id } })).answer.withdrawal
  const shown = decisionChecks.find((one) => one.name === name)
  if (!shown) throw new Error(`the page has no ${name}`)
  return shown
}

/** Returns the result and text of a check of the withdrawal. */
async function checkOf(id: string, name: CheckName) {
  const { result, text } = await shownCheck(id, name)
  return [result, text]
}

const approve = async (id: string) => {
  const as = await makeStaff(server, ['operations'])
  return (await call(server, approveWithdrawal, { as, params: { id }, body: { version: 1 } })).failure.values['check']
}

/** Makes a withdrawal of a client whose passport was approved and has expired. */
async function withExpiredPassport() {
  const made = await makePassingRequest(place, 'withdrawal')
  await upload(made.client, 'passport', server.clock.now().toISOString().slice(0, 10))
  await decide(made.client, 'passport', approveDocument)
  server.clock.turn(86_400)
  await expireDocuments(server.dependencies, server.clock.now())
  expect((await checkOf(made.id, 'identity-document'))[0]).toBe('block')
  return made
}

describe('an expired identity document', () => {
  test('blocks until its replacement is approved, also while that is reviewed or after it is rejected', async () => {
    const { id, client } = await withExpiredPassport()
    const [, expired] = await checkOf(id, 'identity-document')
    await upload(client, 'passport', '2031-01-31', false)
    expect(await checkOf(id, 'identity-document')).toEqual(['block', expired])
    await upload(client, 'passport', '2031-01-31')
    expect(await checkOf(id, 'identity-document')).toEqual(['block', expired])
    await decide(client, 'passport', rejectDocument)
    expect(await checkOf(id, 'identity-document')).toEqual(['block', expired])
    expect(await approve(id)).toBe('Identity document')
    await upload(client, 'passport', '2031-01-31')
    await decide(client, 'passport', approveDocument)
    expect(await checkOf(id, 'identity-document')).toEqual([
      'pass',
      expect.stringMatching(/^Valid until 31\sJanuary\s2031/),
    ])
  })

  test('does not block once another identity document is approved', async () => {
    const { id, client } = await withExpiredPassport()
    await upload(client, 'passport', '2031-01-31', false)
    await upload(client, 'id', '2030-01-31')
    await decide(client, 'passport', rejectDocument)
    await decide(client, 'id', approveDocument)
    expect(await checkOf(id, 'identity-document')).toEqual([
      'pass',
      expect.stringMatching(/^Valid until 31\sJanuary\s2030/),
    ])
  })

  test('is not assumed for a client without an approved one, who uploads a document', async () => {
    const { id, client } = await makePassingRequest(place, 'withdrawal')
    await upload(client, 'passport', '2031-01-31')
    await decide(client, 'passport', rejectDocument)
    expect((await checkOf(id, 'identity-document'))[0]).toBe('pass')
  })
})

describe('an approved document that compliance requests again', () => {
  test('blocks withdrawals until it is approved again', async () => {
    const { id, client } = await makePassingRequest(place, 'withdrawal')
    await upload(client, 'passport', '2031-01-31')
    await decide(client, 'passport', approveDocument)
    expect((await checkOf(id, 'documents-requested'))[0]).toBe('pass')
    await decide(client, 'passport', requestDocumentAgain)
    const open = ['block', 'Requested and not approved: Passport.']
    expect(await checkOf(id, 'documents-requested')).toEqual(open)
    await upload(client, 'passport', '2031-01-31')
    await decide(client, 'passport', rejectDocument)
    expect(await checkOf(id, 'documents-requested')).toEqual(open)
    expect(await approve(id)).toBe('Requested documents')
    await upload(client, 'passport', '2031-01-31')
    await decide(client, 'passport', approveDocument)
    expect((await checkOf(id, 'documents-requested'))[0]).toBe('pass')
  })

  test('is named with the others; an override covers only those that were requested by then', async () => {
    const { id, client } = await makePassingRequest(place, 'withdrawal')
    for (const kind of ['passport', 'id'] as const) {
      await upload(client, kind, '2031-01-31')
      await decide(client, kind, approveDocument)
    }
    await decide(client, 'id', requestDocumentAgain)
    const { digest } = await shownCheck(id, 'documents-requested')
    const body = { kind: 'withdrawal', id, check: 'documents-requested', digest, reason: 'It is on its way.' } as const
    expect((await call(server, overrideCheck, { as: await makeStaff(server, ['compliance']), body })).status).toBe(200)
    expect((await shownCheck(id, 'documents-requested')).overridden).toMatchObject({ reason: 'It is on its way.' })

    await decide(client, 'passport', requestDocumentAgain)
    const shown = await shownCheck(id, 'documents-requested')
    expect(shown).toMatchObject({ text: 'Requested and not approved: Passport, Identity card.', overridden: null })
    expect(shown.facts.map(({ name }) => name)).toEqual(['Passport', 'Identity card'])
  })

  test('no longer blocks once another document of its kind of proof is approved', async () => {
    const { id, client } = await makePassingRequest(place, 'withdrawal')
    await upload(client, 'passport', '2031-01-31')
    await decide(client, 'passport', approveDocument)
    await decide(client, 'passport', requestDocumentAgain)
    server.clock.turn(60)
    await upload(client, 'id', '2030-01-31')
    await decide(client, 'id', approveDocument)
    expect((await checkOf(id, 'documents-requested'))[0]).toBe('pass')
  })
})
