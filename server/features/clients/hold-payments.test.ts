/** Payments on hold (requirements 19.8). */
import { expect, onTestFinished, test } from 'vitest'
import { downloadMyData } from '#contract/profile.ts'
import { listNotifications } from '#contract/notifications.ts'
import { holdPayments, liftHold } from '#contract/office/client-decisions.ts'
import { getOfficeClient } from '#contract/office/clients.ts'
import { getClientEvents } from '#contract/office/client-tabs.ts'
import { approveTransfer } from '#contract/office/transfers.ts'
import { approveWithdrawal } from '#contract/office/withdrawals.ts'
import { staffRoles } from '#rules/actors.ts'
import { makePassingRequest } from '#tests/check-situations.ts'
import { call, makeClient, makeStaff } from '#tests/factories.ts'
import { platformForFile, staffForFile } from '#tests/for-file.ts'

const place = platformForFile()
const officer = staffForFile(place.server, ['compliance'])

const reason = 'A suspicious activity report is being written.'

function holdPaymentsOf(id: string, body: object = {}, as = officer) {
  return call(place.server, holdPayments, { as, params: { id }, body: { reason, ...body } })
}

async function holdStateOf(id: string, as = officer) {
  return (await call(place.server, getOfficeClient, { as, params: { id } })).answer.client.hold
}

test.each(['withdrawal', 'transfer'] as const)(
  'a hold on payments blocks a %s until compliance lifts it',
  async (kind) => {
    const { id, client } = await makePassingRequest(place, kind)
    const clerk = await makeStaff(place.server, ['operations'])
    const endpoint = kind === 'withdrawal' ? approveWithdrawal : approveTransfer
    const approve = () =>
      call(place.server, endpoint, { as: clerk, params: { id }, body: { version: 1, acknowledged: [], note: '' } })
    expect((await holdPaymentsOf(client.id)).status).toBe(201)
    const refused = await approve()
    expect([refused.failure.code, refused.failure.values['check']]).toEqual(['checks-block', 'Payments on hold'])
    const current = await holdStateOf(client.id)
    expect(current).toMatchObject({ reason, setBy: { id: officer.id }, until: null })
    const body = { hold: current?.id ?? '', reason: 'The report is filed.' }
    const lifting = { as: officer, params: { id: client.id }, body }
    expect((await call(place.server, liftHold, { ...lifting, as: clerk })).failure.code).toBe('wrong-role')
    expect((await call(place.server, liftHold, lifting)).status).toBe(200)
    expect((await call(place.server, liftHold, lifting)).failure.code).toBe('hold-over')
    const malformed = { ...lifting, body: { ...body, hold: 'not-an-id' } }
    expect((await call(place.server, liftHold, malformed)).failure.code).toBe('hold-over')
    expect(await holdStateOf(client.id)).toBeNull()
    expect((await approve()).status).toBe(200)
    const { rows } = (await call(place.server, getClientEvents, { as: officer, params: { id: client.id } })).answer
    const holdEvents = rows.filter(({ verb }) => verb === 'holdPayments' || verb === 'liftHold')
    expect(holdEvents.map(({ verb, reason: why }) => [verb, why])).toEqual([
      ['liftHold', 'The report is filed.'],
      ['holdPayments', reason],
    ])
  },
)

test.each(staffRoles)('%s can put payments on hold only as compliance or administrator', async (role) => {
  const client = await makeClient(place.server)
  const as = await makeStaff(place.server, [role])
  const reply = await holdPaymentsOf(client.id, {}, as)
  if (role === 'compliance' || role === 'administrator') expect(reply.status).toBe(201)
  else expect([reply.status, reply.failure.code]).toEqual([403, 'wrong-role'])
})

test('a hold on payments needs a reason and a valid last day, and cannot be set twice or for the same person', async () => {
  const client = await makeClient(place.server)
  expect((await holdPaymentsOf(client.id, { reason: ' ' })).failure.code).toBe('reason-required')
  const yesterday = new Date(place.server.clock.now().getTime() - 48 * 3_600_000).toISOString().slice(0, 10)
  const past = await holdPaymentsOf(client.id, { lastDay: yesterday })
  expect([past.status, past.failure.code, Object.keys(past.failure.errors)]).toEqual([400, 'date-invalid', ['lastDay']])
  expect((await holdPaymentsOf(client.id, { lastDay: '2027-02-30' })).failure.code).toBe('date-invalid')
  expect((await holdPaymentsOf(client.id)).status).toBe(201)
  expect((await holdPaymentsOf(client.id)).failure.code).toBe('hold-in-force')
  const same = await makeStaff(place.server, ['compliance'], { email: client.email })
  expect((await holdPaymentsOf(client.id, {}, same)).failure.code).toBe('own-request')
})

test('a hold on payments is not disclosed in the client’s notifications or data export', async () => {
  const { client } = await makePassingRequest(place, 'withdrawal')
  await holdPaymentsOf(client.id)
  const notices = await call(place.server, listNotifications, { as: client })
  const data = await call(place.server, downloadMyData, { as: client })
  for (const bytes of [notices.bytes, data.bytes])
    expect([bytes.includes('hold'), bytes.includes('activity report')]).toEqual([false, false])
})

test('a hold on payments ends after its last day', async () => {
  const { id, client } = await makePassingRequest(place, 'withdrawal')
  const today = place.server.clock.now().toISOString().slice(0, 10)
  expect((await holdPaymentsOf(client.id, { lastDay: today })).status).toBe(201)
  const { clock } = place.server
  const now = clock.now()
  onTestFinished(() => clock.set(now))
  clock.turn(2 * 86_400)
  const later = await makeStaff(place.server, ['compliance', 'operations'])
  expect(await holdStateOf(client.id, later)).toBeNull()
  const body = { version: 1, acknowledged: [], note: '' }
  expect((await call(place.server, approveWithdrawal, { as: later, params: { id }, body })).status).toBe(200)
})
