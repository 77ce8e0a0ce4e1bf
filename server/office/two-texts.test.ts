/** A rejection's internal reason is only for staff; the client reads a separate text (requirements 19.20, ADR 160). */
import { beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { officeEndpoints } from '#contract/endpoints.ts'
import { getTransferHistory } from '#contract/history.ts'
import { listNotifications } from '#contract/notifications.ts'
import { evidenceBundle, searchAudit } from '#contract/office/records.ts'
import { neutralReason, type NeutralKind } from '#contract/office/rejection-reasons.ts'
import { downloadMyData } from '#contract/profile.ts'
import type { ClientId } from '#rules/ids.ts'
import { row, rows, run, sql } from '#server/db/sql.ts'
import { renderMail } from '#server/mail/template-registry.ts'
import { letterheadOf, type MailPayload } from '#server/mail/mail-operation.ts'
import { call, clientTokenFor } from '#tests/factories.ts'
import { textsOfZip } from '#tests/files.ts'
import { platformForFile, staffForFile } from '#tests/for-file.ts'
import { makeContext, recordMakers, type TestContext } from '#tests/records.ts'
import { translate } from '../i18n/translate.ts'

/** Each decision with two texts: the state machine, the initial state and the neutral text. */
const decisions: Readonly<Record<string, readonly [life: string, state: string, neutral: NeutralKind]>> = {
  rejectClient: ['client', 'pending', 'client'],
  suspendClient: ['client', 'approved', 'suspension'],
  closeClient: ['client', 'approved', 'closure'],
  rejectAccount: ['account', 'pending', 'account'],
  rejectLeverage: ['leverage_request', 'pending', 'leverage_request'],
  rejectBankDetails: ['bank_details', 'pending', 'bank_details'],
  rejectDeposit: ['deposit', 'pending', 'deposit'],
  rejectWithdrawal: ['withdrawal', 'pending', 'withdrawal'],
  rejectTransfer: ['transfer', 'pending', 'transfer'],
  rejectLastBalance: ['withdrawal', 'pending', 'withdrawal'],
  rejectProfessional: ['professional', 'pending', 'professional'],
  rejectProfileChange: ['profile_change', 'pending', 'profile_change'],
}
const internal = 'Screening hit Quillfeather, report filed'
const clientText = 'We cannot offer this to you.'

const { server } = platformForFile()
let ground: TestContext
const administrator = staffForFile(server, ['administrator'])
beforeAll(async () => {
  ground = await makeContext(server)
})

const withTwoTexts = officeEndpoints.filter(
  ({ body }) => body && 'shape' in body && 'clientReason' in Object(body.shape),
)
const endpointOf = (name: string): Endpoint => {
  const found = withTwoTexts.find((one) => one.name === name)
  if (!found) throw new Error(`${name} has no two texts`)
  return found
}

test('every decision with two texts is tested here', () => {
  expect(withTwoTexts.map(({ name }) => name).toSorted()).toEqual(Object.keys(decisions).toSorted())
})

/** Returns the name of a decision for the function that makes records. */
function verbOf(name: string): string {
  return name === 'rejectLastBalance' ? name : 'reject'
}

async function makeDecided(name: string, texts: object): Promise<{ id: string; clientId: ClientId }> {
  const [life = '', state = ''] = decisions[name] ?? []
  const id = (await recordMakers[life]?.(ground, state, administrator, verbOf(name))) ?? ''
  const body = { version: 1, reason: internal, ...texts }
  const done = await call(server, endpointOf(name), { as: administrator, params: { id }, body })
  expect(done.status, done.bytes.toString()).toBe(200)
  const found = await row<{ clientId: ClientId }>(
    server.dependencies.pool,
    sql`select client_id as "clientId" from events where record = ${id} order by id desc limit 1`,
  )
  if (!found) throw new Error(`no event of ${id}`)
  return { id, clientId: found.clientId }
}

/** Returns the emails about a record, as their recipient sees them. */
async function mailsAbout(id: string, language: 'en' | 'de'): Promise<string[]> {
  const letterhead = await letterheadOf(server.dependencies, () => '')
  const found = await rows<{ payload: MailPayload }>(
    server.dependencies.pool,
    sql`select payload from operations where kind = 'mail' and record = ${id} order by id`,
  )
  return found.map(({ payload }) => JSON.stringify(renderMail(payload.kind, payload.facts, language, letterhead)))
}

/** Returns everything that the client can read afterwards: the portal, and the download of all data. */
async function readByClient(clientId: ClientId, language: string): Promise<string> {
  // A client without access can read again after a reactivation.
  await run(
    server.dependencies.pool,
    sql`update clients set state = 'approved' where id = ${clientId} and state in ('suspended', 'closed')`,
  )
  const asked = { as: await clientTokenFor(server, { id: clientId }), headers: { 'accept-language': language } }
  const data = await call(server, downloadMyData, asked)
  expect(data.status).toBe(200)
  const files = Object.values(textsOfZip(data.bytes))
  const portal = await Promise.all([call(server, listNotifications, asked), call(server, getTransferHistory, asked)])
  return [...files, ...portal.map(({ bytes }) => bytes.toString())].join('\n')
}

async function readByStaff(id: string, clientId: string): Promise<string> {
  const audit = await call(server, searchAudit, { as: administrator, query: { record: id } })
  const bundle = await call(server, evidenceBundle, {
    as: administrator,
    params: { id: clientId },
    body: { reason: 'asked by court' },
  })
  const events = textsOfZip(bundle.bytes)['events.csv'] ?? ''
  for (const text of [audit.bytes.toString(), events]) expect(text).toContain(internal)
  return events
}

test.each(['rejectClient', 'suspendClient', 'closeClient'])(
  '%s: by default the client reads a neutral text in their language',
  async (name) => {
    await run(server.dependencies.pool, sql`delete from rate_limits`)
    const { id, clientId } = await makeDecided(name, {})
    const [, , neutral = 'client'] = decisions[name] ?? []
    for (const language of ['en', 'de'] as const) {
      const text = translate(neutralReason(neutral).text, language)
      const mails = await mailsAbout(id, language)
      expect(mails.join('\n')).toContain(text)
      const read = [...mails, await readByClient(clientId, language)].join('\n')
      expect(read).toContain(text)
      expect(read).not.toContain('Quillfeather')
      expect(read).not.toContain('ready:')
    }
    expect(await readByStaff(id, clientId)).toContain(neutralReason(neutral).text.message)
  },
)

// A last balance is rejected with only a text for the client.
test.each(Object.keys(decisions).filter((name) => !/(Client|LastBalance)$/.test(name)))(
  '%s: without a separate text the client reads the reason',
  async (name) => {
    await run(server.dependencies.pool, sql`delete from rate_limits`)
    const { id, clientId } = await makeDecided(name, { reason: clientText })
    expect((await mailsAbout(id, 'en')).join('\n')).toContain(clientText)
    expect(await readByClient(clientId, 'en')).toContain(clientText)
  },
)

test.each(Object.keys(decisions))(
  '%s: the client reads the text chosen by staff and not the internal reason',
  async (name) => {
    await run(server.dependencies.pool, sql`delete from rate_limits`)
    const { id, clientId } = await makeDecided(name, { clientReason: clientText })
    const mails = (await mailsAbout(id, 'en')).join('\n')
    expect(mails).toContain(clientText)
    const read = await readByClient(clientId, 'en')
    expect(read).toContain(clientText)
    expect(`${mails}${read}`).not.toContain('Quillfeather')
    expect(await readByStaff(id, clientId)).toContain(clientText)
  },
)

test.each(Object.keys(decisions))(
  '%s: an empty text is rejected, and only a suspension can have no text',
  async (name) => {
    const [life = '', state = ''] = decisions[name] ?? []
    const id = (await recordMakers[life]?.(ground, state, administrator, verbOf(name))) ?? ''
    const tried = (clientReason: string | null) =>
      call(server, endpointOf(name), {
        as: administrator,
        params: { id },
        body: { version: 1, reason: internal, clientReason },
      })
    expect((await tried(' ')).failure.errors).toHaveProperty('clientReason')
    const none = await tried(null)
    expect(none.status).toBe(name === 'suspendClient' ? 200 : 400)
    if (name !== 'suspendClient') return
    expect(await mailsAbout(id, 'en')).toEqual([])
    const found = await rows(server.dependencies.pool, sql`select id from notices where client_id = ${id}`)
    expect(found).toEqual([])
    expect(await readByClient(id as ClientId, 'en')).not.toContain('Quillfeather')
  },
)
