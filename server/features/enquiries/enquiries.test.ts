/** Enquiries and complaints (requirements 24.40 to 24.43). */
import { beforeEach, expect, test } from 'vitest'
import * as portal from '#contract/enquiries.ts'
import { searchAudit } from '#contract/office/records.ts'
import { exportList } from '#contract/office/list-export.ts'
import { listInbox } from '#contract/office/inbox.ts'
import { listNotifications } from '#contract/notifications.ts'
import * as office from '#contract/office/enquiries.ts'
import { row, rows, run, sql } from '#server/db/sql.ts'
import { brokenInvariants } from '#server/ledger/invariants.ts'
import { renderMail } from '#server/mail/template-registry.ts'
import { letterheadOf, type MailPayload } from '#server/mail/mail-operation.ts'
import { settingDefault } from '#server/settings/defaults.ts'
import { defaultRetentionTimes } from '#rules/retention.ts'
import {
  call,
  makeAccount,
  makeClient,
  makeStaff,
  applySetting,
  type MadeClient,
  type MadeStaff,
} from '#tests/factories.ts'
import { serverForFile } from '#tests/for-file.ts'
import { mailsTo } from '#tests/mails.ts'
import { recordMakers } from '#tests/records.ts'
import { purgeExpired } from '../retention/purge-expired.ts'

const server = serverForFile()
let clerk: MadeStaff
let officer: MadeStaff
beforeEach(freshStaff)

/** Signs staff in again, because advancing the clock ends their sessions. */
async function freshStaff(): Promise<void> {
  clerk = await makeStaff(server, ['operations'])
  officer = await makeStaff(server, ['compliance'])
}

const daySeconds = 24 * 3600
const question = { topic: 'payments', text: 'Where is my money?', complaint: false, reference: '' } as const
const write = async (client: MadeClient, body: object = question) =>
  (await call(server, portal.writeEnquiry, { as: client, body: { ...question, ...body } })).answer.enquiry
const read = async (client: MadeClient, id: string) =>
  (await call(server, portal.getEnquiry, { as: client, params: { id } })).answer
const page = async (id: string, as = clerk) =>
  (await call(server, office.getOfficeEnquiry, { as, params: { id } })).answer.enquiry
const reply = (client: MadeClient, id: string, text = 'And now?') =>
  call(server, portal.replyToEnquiry, { as: client, params: { id }, body: { text } })
const answer = async (id: string, as = clerk, text = 'On its way.') =>
  call(server, office.answerEnquiry, { as, params: { id }, body: { version: (await page(id, as)).version, text } })
const close = async (id: string, as = clerk) =>
  call(server, office.closeEnquiry, { as, params: { id }, body: { version: (await page(id, as)).version } })
const conclude = async (id: string, as = officer, outcome = 'partly_upheld') =>
  call(server, office.concludeComplaint, {
    as,
    params: { id },
    body: { version: (await page(id, as)).version, outcome, text: 'We refund the fee.' } as never,
  })
const itemOf = (id: string) =>
  row<{ state: string; dueAt: Date }>(
    server.dependencies.pool,
    sql`select state, due_at as "dueAt" from work_items where kind = 'enquiry' and record = ${id} and closed_at is null`,
  )
const after = (days: number) => new Date(server.clock.now().getTime() + days * daySeconds * 1000)
async function mailText({ kind, facts, language }: MailPayload): Promise<string> {
  const letterhead = await letterheadOf(server.dependencies, (link) => link)
  const { subject, blocks } = renderMail(kind, facts, language, letterhead)
  return [subject, JSON.stringify(blocks)].join('\n')
}

test('an enquiry or reply that is sent twice under one idempotency key is stored once', async () => {
  const client = await makeClient(server)
  const headers = { 'idempotency-key': `enquiry-${client.id}` }
  const writeAgain = (body: object) =>
    call(server, portal.writeEnquiry, { as: client, body: { ...question, complaint: true, ...body }, headers })
  const first = (await writeAgain({})).answer.enquiry
  expect((await writeAgain({})).answer.enquiry.id).toBe(first.id)
  expect((await writeAgain({ text: 'Another question.' })).failure.code).toBe('key-reused')
  expect((await mailsTo(server, client.email)).map(({ kind }) => kind)).toEqual(['complaint-received'])
  const replyAgain = () =>
    call(server, portal.replyToEnquiry, {
      as: client,
      params: { id: first.id },
      body: { text: 'And now?' },
      headers: { 'idempotency-key': `reply-${client.id}` },
    })
  await replyAgain()
  expect((await replyAgain()).status).toBe(200)
  expect((await read(client, first.id)).messages).toHaveLength(2)
})

test('an enquiry opens a work item, is answered in the portal only, and is reopened by a reply of the client', async () => {
  const client = await makeClient(server)
  const { id, reference } = await write(client)
  expect(await itemOf(id)).toEqual({ state: 'open', dueAt: after(2) })
  const { items } = (await call(server, listInbox, { as: clerk, query: { kind: 'enquiry' } })).answer
  expect(items).toContainEqual(
    expect.objectContaining({ record: id, summary: { topic: 'payments', complaint: false, reference } }),
  )
  expect(await mailsTo(server, client.email)).toEqual([])
  expect((await answer(id)).answer.state).toBe('answered')
  expect(await itemOf(id)).toBeNull()
  const [mail] = await mailsTo(server, client.email)
  expect(mail?.kind).toBe('enquiry-answered')
  const mailed = mail ? await mailText(mail) : ''
  expect(mailed).toContain(`/trading-accounts?enquiry=${id}`)
  expect(mailed).not.toContain('On its way')
  const { notices } = (await call(server, listNotifications, { as: client })).answer
  expect(notices[0]?.link).toBe(`/trading-accounts?enquiry=${id}`)
  const thread = await read(client, id)
  expect(thread.messages.map(({ from, text }) => [from, text])).toEqual([
    ['client', 'Where is my money?'],
    ['firm', 'On its way.'],
  ])
  server.clock.turn(300)
  expect((await reply(client, id)).answer.enquiry).toMatchObject({ state: 'open', reference })
  expect(await itemOf(id)).toEqual({ state: 'open', dueAt: after(2) })
  expect((await page(id)).messages.map(({ staff, text }) => [staff?.name ?? null, text])).toEqual([
    [null, 'Where is my money?'],
    [clerk.name, 'On its way.'],
    [null, 'And now?'],
  ])
  expect((await close(id)).answer.state).toBe('closed')
  expect((await reply(client, id, 'Thank you')).answer.enquiry.state).toBe('open')
})

test('the due time follows the SLA setting and does not change when the client adds a message', async () => {
  const client = await makeClient(server)
  const sla = settingDefault('sla', server.clock.now())
  await applySetting(server, 'sla', {
    ...sla,
    times: { ...sla.times, enquiry: { number: 5, unit: 'hours' } },
    complaintDays: 10,
  })
  const [{ id }, { id: complaint }] = [await write(client), await write(client, { complaint: true })]
  const [due, ofComplaint] = [new Date(server.clock.now().getTime() + 5 * 3600_000), after(10)]
  server.clock.turn(300)
  await reply(client, id)
  await reply(client, complaint)
  expect((await itemOf(id))?.dueAt).toEqual(due)
  expect((await itemOf(complaint))?.dueAt).toEqual(ofComplaint)
  await applySetting(server, 'sla', sla)
})

test('an answer on a stale page fails, and an answer to a closed enquiry names the clerk who closed it', async () => {
  const client = await makeClient(server)
  const { id } = await write(client)
  const { version } = await page(id)
  await reply(client, id)
  const stale = await call(server, office.answerEnquiry, { as: clerk, params: { id }, body: { version, text: 'x' } })
  expect(stale.failure.code).toBe('stale-page')
  await close(id)
  const late = await call(server, office.answerEnquiry, {
    as: officer,
    params: { id },
    body: { version: 9, text: 'x' },
  })
  expect(late.failure).toMatchObject({ code: 'decided-by', values: { name: clerk.name } })
  expect((await read(client, id)).messages).toHaveLength(2)
})

test('an enquiry can refer only to a request of its own client', async () => {
  const client = await makeClient(server)
  const [account, other] = [await makeAccount(server, client), await makeAccount(server, client)]
  const ground = { server, client, account, other, bankId: '', colleague: clerk }
  const id = (await recordMakers['deposit']?.(ground, 'pending', clerk, '')) ?? ''
  const found = await row<{ reference: string }>(
    server.dependencies.pool,
    sql`select reference from deposits where id = ${id}`,
  )
  const reference = found?.reference ?? ''
  const enquiry = await write(client, { reference: ` ${reference.toLowerCase()} ` })
  expect(enquiry.about).toBe(reference)
  expect((await page(enquiry.id)).about).toEqual({ kind: 'deposit', id, reference })
  const shown = async () => {
    const { items } = (await call(server, listInbox, { as: clerk, query: { kind: 'enquiry' } })).answer
    return items.find(({ record }) => record === enquiry.id)?.summary
  }
  expect(await shown()).toMatchObject({ about: reference })
  await answer(enquiry.id)
  await reply(client, enquiry.id)
  expect(await shown()).toMatchObject({ about: reference })
  const stranger = await makeClient(server)
  const refused = await call(server, portal.writeEnquiry, { as: stranger, body: { ...question, reference } })
  expect(refused.failure.errors).toEqual({
    reference: expect.stringContaining('You have no request with this reference.'),
  })
})

test('a complaint is acknowledged by email, has its due date and stays open until compliance concludes it', async () => {
  const client = await makeClient(server)
  const { id, reference, dueAt } = await write(client, { complaint: true })
  expect(dueAt).toEqual(after(56))
  expect(await itemOf(id)).toEqual({ state: 'open', dueAt: after(56) })
  const [received] = await mailsTo(server, client.email)
  expect(received).toMatchObject({ kind: 'complaint-received', facts: { reference } })
  expect(received && (await mailText(received))).toContain(`We have received your complaint ${reference}`)
  expect((await answer(id)).status).toBe(200)
  expect(await itemOf(id)).toEqual({ state: 'answered', dueAt: after(56) })
  expect((await close(id)).failure.code).toBe('complaint-to-conclude')
  expect((await conclude(id, clerk)).failure.code).toBe('wrong-role')
  const overdue = async () =>
    (await call(server, office.listOfficeEnquiries, { as: officer, query: { type: 'complaint', overdue: 'true' } }))
      .answer.rows
  expect((await overdue()).map((one) => one.id)).not.toContain(id)
  server.clock.turn(57 * daySeconds)
  await freshStaff()
  expect((await overdue()).map((one) => one.id)).toContain(id)
  const late = await call(server, listInbox, { as: officer, query: { kind: 'enquiry', overdue: 'true' } })
  expect(late.answer.items.map(({ record }) => record)).toContain(id)
  expect((await conclude(id)).answer.state).toBe('closed')
  const decision = (await mailsTo(server, client.email)).find(({ facts }) => facts['concluded'] === true)
  expect(decision && (await mailText(decision))).toContain(`Our decision on your complaint ${reference}`)
  expect((await overdue()).map((one) => one.id)).not.toContain(id)
  expect(await itemOf(id)).toBeNull()
  expect((await conclude((await write(await freshClient())).id)).failure.code).toBe('not-a-complaint')
  const broken = await brokenInvariants(server.dependencies.pool, server.clock.now())
  expect(broken.filter(({ what }) => what.includes('enquiry'))).toEqual([])
})

const freshClient = () => makeClient(server)

test('the complaints register contains outcome and reason; a reply reopens a concluded complaint with a new due date', async () => {
  const client = await makeClient(server, { name: '=Hannah' })
  const { id, reference } = await write(client, { complaint: true })
  await write(client)
  await conclude(id)
  const register = async (query: Record<string, string>) =>
    (
      await call(server, exportList, { as: officer, params: { list: 'enquiries' }, query: { state: 'all', ...query } })
    ).bytes
      .toString()
      .split('\n')
      .filter((line) => line.startsWith('\uFEFFreference') || line.includes(client.email))
  const [heading = '', line = '', ...more] = await register({ type: 'complaint' })
  expect(more).toEqual([])
  expect(heading.split(',')).toEqual(expect.arrayContaining(['\uFEFFreference', 'client', 'due', 'outcome', 'reason']))
  expect(line).toContain(reference)
  expect(line).toContain('partly_upheld')
  expect(line).toContain('We refund the fee.')
  expect(await register({ type: 'complaint', outcome: 'rejected' })).toHaveLength(1)
  expect(await register({ type: 'question' })).toHaveLength(2)
  const finance = await makeStaff(server, ['finance'])
  expect((await call(server, exportList, { as: finance, params: { list: 'enquiries' } })).status).toBe(403)
  expect((await read(client, id)).enquiry.outcome).toBe('partly_upheld')
  server.clock.turn(60)
  expect((await reply(client, id)).answer.enquiry).toMatchObject({ state: 'open', outcome: null, dueAt: after(56) })
  expect(await itemOf(id)).toEqual({ state: 'open', dueAt: after(56) })
})

test('the public form responds the same to clients and strangers, is rate limited by network, and is answered by email', async () => {
  const known = await makeClient(server, { state: 'suspended' })
  const stranger = `stranger-${Date.now()}@example.com`
  const contact = (email: string, from: string, complaint = false) =>
    call(server, portal.contactFirm, { from, body: { name: 'Anna Berg', email, text: 'I cannot log in', complaint } })
  const [one, other] = [await contact(known.email, '127.0.0.7'), await contact(stranger, '127.0.0.7', true)]
  expect([one.status, one.bytes.toString()]).toEqual([200, other.bytes.toString()])
  const found = await rows<{ id: string; email: string }>(
    server.dependencies.pool,
    sql`select id, email::text as email from enquiries where client_id is null order by id`,
  )
  const idOf = (email: string) => found.find((each) => each.email === email)?.id ?? ''
  expect((await page(idOf(known.email))).sameEmail?.id).toBe(known.id)
  expect(await page(idOf(stranger))).toMatchObject({
    client: null,
    sameEmail: null,
    name: 'Anna Berg',
    complaint: true,
  })
  const list = (await call(server, office.listOfficeEnquiries, { as: clerk, query: { q: 'anna berg' } })).answer
  expect(list.rows.map(({ id, client }) => [id, client])).toEqual([
    [idOf(known.email), null],
    [idOf(stranger), null],
  ])
  expect((await mailsTo(server, stranger)).map(({ kind }) => kind)).toEqual(['complaint-received'])
  await answer(idOf(known.email), clerk, 'Write to us again <b>tomorrow</b>.')
  const mail = (await mailsTo(server, known.email)).at(-1)
  expect(mail?.kind).toBe('enquiry-reply')
  expect(mail && (await mailText(mail))).toContain('Write to us again <b>tomorrow</b>.')
  await conclude(idOf(stranger), officer, 'rejected')
  const decision = (await mailsTo(server, stranger)).at(-1)
  expect(decision && (await mailText(decision))).toContain('Rejected')
  // Other clients receive no notification of it.
  expect((await call(server, listNotifications, { as: await makeClient(server) })).answer.notices).toEqual([])
  for (const _ of [3, 4, 5]) expect((await contact(stranger, '127.0.0.7')).status).toBe(200)
  const refused = await contact(stranger, '127.0.0.7')
  expect([refused.status, refused.failure.code]).toEqual([429, 'too-many'])
  expect((await contact(stranger, '127.0.0.8')).status).toBe(200)
})

test('one email address receives at most 3 acknowledgements a day, regardless of the network they are requested from', async () => {
  const email = 'victim@example.com'
  const complain = async (from: string) => {
    const body = { name: 'Ada Lund', email, text: 'I complain', complaint: true }
    return (await call(server, portal.contactFirm, { from, body })).status
  }
  const networks = [21, 22, 23, 24, 25].map((last) => `127.0.0.${last}`)
  for (const network of networks) expect(await complain(network)).toBe(200)
  const sent = await mailsTo(server, email)
  expect(sent.map(({ kind }) => kind)).toEqual(['complaint-received', 'complaint-received', 'complaint-received'])
  const list = (await call(server, office.listOfficeEnquiries, { as: clerk, query: { q: email } })).answer
  expect(list.rows).toHaveLength(5)
})

test('a client can write before approval; finance and other clients cannot read it, and an auditor cannot answer', async () => {
  const pending = await makeClient(server, { state: 'pending' })
  const { id } = await write(pending)
  expect((await read(pending, id)).messages).toHaveLength(1)
  const finance = await makeStaff(server, ['finance'])
  expect((await call(server, office.getOfficeEnquiry, { as: finance, params: { id } })).status).toBe(403)
  const auditor = await makeStaff(server, ['auditor'])
  expect((await page(id, auditor)).messages[0]?.text).toBe(question.text)
  expect((await answer(id, auditor)).status).toBe(403)
  const other = await makeClient(server)
  expect((await call(server, portal.getEnquiry, { as: other, params: { id } })).status).toBe(404)
  expect((await reply(other, id)).status).toBe(404)
})

test.for(['suspended', 'closed'] as const)(
  'a %s client receives the reply and the decision on a complaint by email',
  async (state) => {
    const client = await makeClient(server, { language: 'de' })
    const [{ id, reference }, complaint] = [await write(client), await write(client, { complaint: true })]
    await run(server.dependencies.pool, sql`update clients set state = ${state} where id = ${client.id}`)
    await answer(id)
    await conclude(complaint.id)
    const mails = (await mailsTo(server, client.email)).slice(1)
    expect(mails.map(({ kind, language }) => [kind, language])).toEqual([
      ['enquiry-reply', 'de'],
      ['enquiry-reply', 'de'],
    ])
    const [received = '', decision = ''] = await Promise.all(mails.map(mailText))
    for (const words of [reference, 'On its way.']) expect(received).toContain(words)
    for (const words of ['We refund the fee.', 'Teilweise']) expect(decision).toContain(words)
    expect(received + decision).not.toContain(`enquiry=`)
    expect(
      await rows(
        server.dependencies.pool,
        sql`select 1 from notices where client_id = ${client.id} and kind = 'enquiry-answered'`,
      ),
    ).toEqual([])
  },
)

test('audit events contain no text of a message, and enquiries without a client are deleted after their retention time', async () => {
  const client = await makeClient(server)
  const { id } = await write(client, { text: 'Qxzv secret' })
  await answer(id, clerk, 'Qxzv answer')
  const { pool } = server.dependencies
  const events = (await call(server, searchAudit, { as: officer, query: { record: id } })).answer.rows
  expect(events.map(({ verb }) => verb)).toEqual(['answer', 'write'])
  const kept = await rows(pool, sql`select 1 from event_details where details::text like '%Qxzv%'`)
  expect(kept).toEqual([])
  const address = 'gone@example.com'
  const body = { name: 'Qxzv Berg', email: address, text: 'Qxzv secret', complaint: false }
  await call(server, portal.contactFirm, { from: '127.0.0.9', body })
  await run(pool, sql`update enquiries set state = 'closed' where email = ${address}`)
  const forget = async (days: number) => {
    const auditContext = { identity: { kind: 'clock' }, now: after(days) } as const
    await purgeExpired(server.dependencies, defaultRetentionTimes, auditContext)
    return rows(pool, sql`select 1 from enquiries where email = ${address}`)
  }
  expect(await forget(1825)).toHaveLength(1)
  expect(await forget(1827)).toHaveLength(0)
  expect(await rows(pool, sql`select 1 from enquiry_messages where enquiry_id = ${id}`)).toHaveLength(2)
})

test('a complaint is due on a date of the firm’s calendar, even across the change to summer time', async () => {
  server.clock.set(new Date('2027-03-02T23:30:00Z'))
  const { dueAt } = await write(await freshClient(), { complaint: true })
  // The same time of day in London eight weeks later, and not half past midnight on the next day.
  expect(dueAt).toEqual(new Date('2027-04-27T22:30:00Z'))
})
