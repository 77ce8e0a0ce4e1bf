import type { ClientId, StaffId } from '#rules/ids.ts'
import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { requestAnAccount } from '#contract/accounts.ts'
import { getClientEvents } from '#contract/office/client-tabs.ts'
import { checkSecurityAnswer, sendResetLink, signOutClient, writeNote } from '#contract/office/client-decisions.ts'
import { getOfficeClient } from '#contract/office/clients.ts'
import {
  assignItem,
  changesPath,
  getInboxItem,
  getItemEnd,
  inboxCounts,
  listAssignees,
  listInbox,
  listMentionable,
  saveInboxFilter,
  snoozeItem,
  viewItem,
  writeComment,
} from '#contract/office/inbox.ts'
import { unassigned } from '#contract/office/inbox-filter.ts'
import { listSavedViews, saveView } from '#contract/office/saved-views.ts'
import { getAccountRequest, rejectAccount } from '#contract/office/account-requests.ts'
import { officeCurrent, officeLogout } from '#contract/office/session.ts'
import { downloadMyData, editUser } from '#contract/profile.ts'
import { rows, sql, transaction } from '#server/db/sql.ts'
import { notifyChange, closeWorkItem, openWorkItem } from '#server/db/work-items.ts'
import { settingDefault } from '#server/settings/defaults.ts'
import {
  call,
  defaultClientDetails,
  makeAccount,
  makeClient,
  makeStaff,
  applySetting,
  type MadeClient,
  type MadeStaff,
} from '../../../tests/factories.ts'
import { openEventStream } from '../../../tests/event-stream.ts'
import { overrideBlock } from '../../../tests/overrides.ts'
import { serverForFile, staffForFile } from '../../../tests/for-file.ts'

const server = serverForFile()
const operations = staffForFile(server, ['operations'], { name: 'Tom Reyes' })
const compliance = staffForFile(server, ['compliance'], { name: 'Maren Falk' })

/** Makes an item that is due in a number of hours. */
async function item(
  kind: string,
  hours: number,
  traits: { clientId?: ClientId; state?: string; reference?: string; payer?: string } = {},
) {
  const record = randomUUID()
  const now = server.clock.now()
  const { clientId, state = 'pending', reference = 'CR-TEST', payer } = traits
  const summary = { reference, ...(payer === undefined ? {} : { payer }) }
  const dueAt = new Date(now.getTime() + hours * 3_600_000)
  await transaction(server.dependencies.pool, (tx) =>
    openWorkItem(tx, kind, record, now, { state, dueAt, ...(clientId === undefined ? {} : { clientId }), summary }),
  )
  return record
}

const list = async (as: MadeStaff, query: Record<string, string> = {}) =>
  (await call(server, listInbox, { as, query })).answer

describe('the list', () => {
  test('shows overdue items first, then those due today, then later ones, by the firm’s day', async () => {
    const q = `ORDER-${randomUUID().slice(0, 8)}`
    const later = await item('deposit', 30, { reference: q })
    const late = await item('withdrawal', -2, { reference: q })
    const today = await item('transfer', 3, { reference: q })
    const { items, groups } = await list(operations, { q })
    expect(items.map(({ record, group }) => [record, group])).toEqual([
      [late, 'overdue'],
      [today, 'today'],
      [later, 'later'],
    ])
    expect(groups).toEqual({ overdue: 1, today: 1, later: 1, decided: 0, snoozed: { count: 0, overdue: 0 } })
  })

  test('shows only types of items that the role may read', async () => {
    const q = `KINDS-${randomUUID().slice(0, 8)}`
    await item('document', 5, { reference: q })
    await item('withdrawal', 5, { reference: q })
    expect((await list(operations, { q })).items.map(({ kind }) => kind)).toEqual(['withdrawal'])
    expect((await list(compliance, { q })).items.map(({ kind }) => kind)).toEqual(['document', 'withdrawal'])
  })

  test('pages without losing or repeating a row', async () => {
    const q = `PAGES-${randomUUID().slice(0, 8)}`
    const records = await Promise.all(
      Array.from({ length: 7 }, (_, place) => item('deposit', place % 3, { reference: q })),
    )
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: Awaited<ReturnType<typeof list>> = await list(operations, {
        q,
        size: '3',
        ...(cursor ? { cursor } : {}),
      })
      seen.push(...page.items.map(({ record }) => record))
      cursor = page.next
    }
    expect(seen).toHaveLength(7)
    expect(new Set(seen)).toEqual(new Set(records))
  })

  test('truncates long texts: 50 items stay below 30 kB, whatever text a bank sent', async () => {
    const q = `LIGHT-${randomUUID().slice(0, 8)}`
    const { id: clientId } = await makeClient(server, { name: 'Hannah', surname: 'Brandt' })
    const payer = 'Example Trading and Holding Company '.repeat(12)
    await Promise.all(Array.from({ length: 50 }, () => item('deposit', 5, { clientId, reference: q, payer })))
    const reply = await call(server, listInbox, { as: operations, query: { q, size: '50' } })
    const { items } = reply.answer
    expect(items).toHaveLength(50)
    expect(items[0]?.client).toEqual({ name: 'Hannah Brandt' })
    expect(items[0]?.summary['payer']).toBe(`${payer.slice(0, 120)}…`)
    expect(reply.bytes.length).toBeLessThan(30_000)
    const { facts } = (await call(server, getInboxItem, { as: operations, params: { id: items[0]?.id ?? '' } })).answer
    expect(facts).toContainEqual({ code: 'payer', value: payer, tone: null })
  })

  test('marks what this person can decide, by role, earlier decisions, own requests and overrides', async () => {
    const q = `MINE-${randomUUID().slice(0, 8)}`
    const self = await makeClient(server, { email: operations.email })
    await item('withdrawal', 1, { reference: q, clientId: self.id })
    const other = await item('withdrawal', 2, { reference: q })
    await item('withdrawal', 3, { reference: q, state: 'approved' })
    const overridden = await item('withdrawal', 4, { reference: q })
    await overrideBlock(server.dependencies.pool, operations, 'withdrawal', overridden)
    const { items } = await list(operations, { q })
    expect(items.map(({ mine }) => mine)).toEqual([false, true, false, false])
    expect((await list(operations, { q, mine: 'true' })).items.map(({ record }) => record)).toEqual([other])
  })

  test('rejects an invalid cursor', async () => {
    expect((await call(server, listInbox, { as: operations, query: { cursor: 'abc~def' } })).failure.code).toBe(
      'cursor-invalid',
    )
  })
})

describe('the end of a work item', () => {
  const endOf = (id: string, as: MadeStaff) => call(server, getItemEnd, { as, params: { id } })

  test('names who decided it, when and how, to staff who may read its type', async () => {
    const client = await makeClient(server)
    const body = { requestType: 'live', platform: 'MT5', accType: 'Standard', baseCurrency: 'EUR', leverage: 30 }
    const { id: request } = (await call(server, requestAnAccount, { as: client, body })).answer
    const { items } = await list(operations, { kind: 'account', size: '100' })
    const { id = '' } = items.find(({ record }) => record === request) ?? {}
    expect((await endOf(id, operations)).status).toBe(404)
    const params = { id: request }
    const colleague = await makeStaff(server, ['operations'], { name: 'Paul Okafor' })
    const texts = { reason: 'Not now.', clientReason: 'Please ask again later.' }
    const rejected = await call(server, rejectAccount, { as: colleague, params, body: { version: 1, ...texts } })
    expect(rejected.json).toMatchObject({ success: true })
    expect((await call(server, getInboxItem, { as: operations, params: { id } })).status).toBe(404)
    expect((await endOf(id, operations)).answer).toMatchObject({
      kind: 'account',
      record: request,
      state: 'rejected',
      by: { kind: 'staff', id: colleague.id, name: 'Paul Okafor' },
    })
  })

  test('names no person if no decision ended it, and is not shown to other roles', async () => {
    const record = await item('document', 1)
    const { items } = await list(compliance, { kind: 'document', size: '100' })
    const { id = '' } = items.find((one) => one.record === record) ?? {}
    await transaction(server.dependencies.pool, (tx) =>
      closeWorkItem(tx, 'document', record, { identity: { kind: 'clock' }, now: server.clock.now() }),
    )
    expect((await endOf(id, compliance)).answer).toMatchObject({ by: null, state: null })
    expect((await endOf(id, operations)).status).toBe(404)
    expect((await endOf('x', compliance)).status).toBe(404)
  })
})

test('the counts give open and overdue items by type', async () => {
  const before = (await call(server, inboxCounts, { as: operations })).answer
  await item('leverage_request', -1)
  await item('leverage_request', 1)
  const after = (await call(server, inboxCounts, { as: operations })).answer
  const of = (counts: typeof after) =>
    counts.kinds.find(({ kind }) => kind === 'leverage_request') ?? { open: 0, late: 0 }
  expect(of(after).open - of(before).open).toBe(2)
  expect(of(after).late - of(before).late).toBe(1)
  expect(after.all - before.all).toBe(2)
  expect(after.toDecide - before.toDecide).toBe(2)
  expect(after.kinds.some(({ kind }) => kind === 'document')).toBe(false)
})

describe('an item', () => {
  const itemOf = async (as: MadeStaff, record: string, q: string) => {
    const found = (await list(as, { q })).items.find((one) => one.record === record)
    if (!found) throw new Error('not in the list')
    return found
  }

  test('can be assigned to oneself and unassigned again', async () => {
    const q = `TAKE-${randomUUID().slice(0, 8)}`
    const record = await item('deposit', 1, { reference: q })
    const { id } = await itemOf(operations, record, q)
    const { answer } = await call(server, assignItem, { as: operations, params: { id }, body: { to: 'me' } })
    expect(answer.assignee).toEqual({ id: operations.id, name: 'Tom Reyes' })
    expect((await list(operations, { q, assigned: 'me' })).items).toHaveLength(1)
    expect((await list(compliance, { q, assigned: operations.id })).items).toHaveLength(1)
    expect((await list(operations, { q, assigned: compliance.id })).items).toHaveLength(0)
    await call(server, assignItem, { as: operations, params: { id }, body: { to: unassigned } })
    expect((await itemOf(operations, record, q)).assignee).toBeNull()
  })

  test('cannot be assigned after it was decided, nor by a role that may not read it', async () => {
    const q = `DONE-${randomUUID().slice(0, 8)}`
    const record = await item('deposit', 1, { reference: q })
    const { id } = await itemOf(operations, record, q)
    await transaction(server.dependencies.pool, (tx) =>
      closeWorkItem(tx, 'deposit', record, { identity: { kind: 'clock' }, now: server.clock.now() }),
    )
    expect((await call(server, assignItem, { as: operations, params: { id }, body: { to: 'me' } })).failure.code).toBe(
      'decided-meanwhile',
    )
    const secret = await item('document', 1, { reference: q })
    const document = await itemOf(compliance, secret, q)
    expect(
      (await call(server, assignItem, { as: operations, params: { id: document.id }, body: { to: 'me' } })).status,
    ).toBe(404)
  })

  test('shows its other viewers until they leave', async () => {
    const q = `VIEW-${randomUUID().slice(0, 8)}`
    const record = await item('withdrawal', 1, { reference: q })
    const { id } = await itemOf(operations, record, q)
    await call(server, viewItem, { as: compliance, params: { id }, body: { here: true } })
    const seen = await call(server, viewItem, { as: operations, params: { id }, body: { here: true } })
    expect(seen.answer.viewers).toEqual([{ id: compliance.id, name: 'Maren Falk' }])
    expect((await itemOf(operations, record, q)).viewers).toHaveLength(1)
    await call(server, viewItem, { as: compliance, params: { id }, body: { here: false } })
    expect((await itemOf(operations, record, q)).viewers).toHaveLength(0)
  })

  test('accepts a viewer leaving, but none arriving, once it is closed', async () => {
    const params = { id: randomUUID() }
    expect((await call(server, viewItem, { as: operations, params, body: { here: false } })).answer.viewers).toEqual([])
    expect((await call(server, viewItem, { as: operations, params, body: { here: true } })).status).toBe(404)
  })

  test('has a preview with facts and client', async () => {
    const q = `LOOK-${randomUUID().slice(0, 8)}`
    const client = await makeClient(server)
    const record = await item('withdrawal', 1, { reference: q, clientId: client.id })
    const { id } = await itemOf(operations, record, q)
    const { answer } = await call(server, getInboxItem, { as: operations, params: { id } })
    expect(answer.facts).toContainEqual({ code: 'reference', value: q, tone: null })
    expect(answer.item.client?.email).toBe(client.email)
  })

  test.each([
    ['withdrawal', 'pending', ['operations']],
    ['withdrawal', 'second_approval', ['finance']],
    ['withdrawal', 'reversal', ['finance']],
    ['deposit', 'in_review', ['operations', 'finance']],
    ['deposit', 'uncredited', ['finance']],
    ['bank_line', 'unmatched', ['operations']],
  ])('names in its preview the role required for a %s in %s to a person without it', async (kind, state, roles) => {
    const q = `ROLE-${randomUUID().slice(0, 8)}`
    const record = await item(kind, 1, { reference: q, state })
    const { id } = await itemOf(compliance, record, q)
    const preview = async (as: MadeStaff) => (await call(server, getInboxItem, { as, params: { id } })).answer
    expect((await preview(compliance)).roles).toEqual(roles)
    expect((await preview(await makeStaff(server, ['administrator']))).roles).toEqual([])
  })

  test('does not list the client’s risk level as a passed check in its preview', async () => {
    const q = `RISK-${randomUUID().slice(0, 8)}`
    const record = await item('withdrawal', 1, { reference: q, clientId: (await makeClient(server)).id })
    const { id } = await itemOf(operations, record, q)
    expect((await call(server, getInboxItem, { as: operations, params: { id } })).answer.checks).toEqual([])
  })
})

describe('work on an item', () => {
  const opened = async (kind: string, hours: number, clientId?: ClientId) => {
    const q = `WORK-${randomUUID().slice(0, 8)}`
    const record = await item(kind, hours, { reference: q, ...(clientId === undefined ? {} : { clientId }) })
    const found = (await list(compliance, { q })).items.find((one) => one.record === record)
    if (!found) throw new Error('not in the list')
    return { q, record, id: found.id }
  }
  const eventsOf = async (record: string) =>
    rows<{ verb: string; reason: string | null; details: Record<string, unknown> | null }>(
      server.dependencies.pool,
      sql`select e.verb, e.reason, d.details from events e left join event_details d on d.event_id = e.id
          where e.record = ${record} order by e.id`,
    )
  const assign = (as: MadeStaff | MadeClient, id: string, to: string, seen = false) =>
    call(server, assignItem, { as, params: { id }, body: { to, seen } })
  const snooze = (as: MadeStaff | MadeClient, id: string, hours: number | null, note = '') => {
    const until = hours === null ? null : Math.floor(server.clock.now().getTime() / 1000) + hours * 3600
    return call(server, snoozeItem, { as, params: { id }, body: { until, note } })
  }
  const comment = (as: MadeStaff | MadeClient, id: string, text: string) =>
    call(server, writeComment, { as, params: { id }, body: { text } })

  test('is assigned to a colleague who may decide it, and assigned back', async () => {
    const { id, record, q } = await opened('leverage_request', 2)
    const colleague = await makeStaff(server, ['operations'], { name: 'Paul Okafor' })
    expect((await assign(operations, id, 'me')).answer.before).toBeNull()
    const given = await assign(operations, id, colleague.id)
    expect(given.answer).toEqual({
      assignee: { id: colleague.id, name: 'Paul Okafor' },
      before: { id: operations.id, name: 'Tom Reyes', seen: true },
    })
    expect((await list(colleague, { q, assigned: 'me' })).items).toHaveLength(1)
    const { people } = (await call(server, listAssignees, { as: operations, query: { kind: 'leverage_request' } }))
      .answer
    expect(people[0]?.id).toBe(operations.id)
    expect(people.find((one) => one.id === colleague.id)).toEqual({
      id: colleague.id,
      name: 'Paul Okafor',
      absence: null,
      open: 1,
      late: 0,
    })
    await assign(operations, id, operations.id)
    const shown = (await call(server, getInboxItem, { as: operations, params: { id } })).answer
    expect(shown.timeline.map(({ verb, after }) => [verb, after?.['assignee']])).toEqual([
      ['take', undefined],
      ['assign', 'Paul Okafor'],
      ['take', undefined],
    ])
    expect((await eventsOf(record)).map(({ verb, details }) => [verb, details])).toEqual([
      ['take', null],
      ['assign', { assignee: 'Paul Okafor' }],
      ['take', null],
    ])
  })

  test('is not assigned to staff who may not decide it', async () => {
    const { id } = await opened('document', 2)
    const auditor = await makeStaff(server, ['auditor'])
    const deactivated = await makeStaff(server, ['compliance'])
    await server.dependencies.pool.query(`update staff set state = 'deactivated' where id = $1`, [deactivated.id])
    for (const to of [operations.id, auditor.id, deactivated.id, randomUUID()])
      expect((await assign(compliance, id, to)).failure.code).toBe('assignee-role')
    const { people } = (await call(server, listAssignees, { as: compliance, query: { kind: 'document' } })).answer
    const ids = people.map((one) => one.id)
    expect([operations, auditor, deactivated].filter((one) => ids.includes(one.id))).toEqual([])
    expect(ids).toContain(compliance.id)
  })

  test('cannot be taken by staff who may not decide it, which the record’s page shows', async () => {
    const client = await makeClient(server)
    const account = await makeAccount(server, client, { state: 'pending' })
    const dueAt = server.clock.now()
    await transaction(server.dependencies.pool, (tx) =>
      openWorkItem(tx, 'account', account.id, dueAt, { state: 'pending', dueAt, clientId: client.id, summary: {} }),
    )
    const itemFor = async (as: MadeStaff) =>
      (await call(server, getAccountRequest, { as, params: { id: account.id } })).answer.request.item
    expect([(await itemFor(compliance))?.assignable, (await itemFor(operations))?.assignable]).toEqual([false, true])
    const id = (await itemFor(operations))?.id ?? ''
    for (const to of ['me', compliance.id])
      expect((await assign(compliance, id, to)).failure.code, to).toBe('assignee-role')
    expect((await assign(operations, id, 'me')).status).toBe(200)
    expect((await assign(compliance, id, unassigned)).status).toBe(200)
  })

  test('leaves the list when snoozed, still counts as overdue, and returns at its time or when it is unsnoozed', async () => {
    const { id, record, q } = await opened('transfer', 2)
    expect((await snooze(operations, id, 1)).status).toBe(200)
    const asleep = await list(operations, { q })
    expect([asleep.items, asleep.groups.snoozed.count]).toEqual([[], 1])
    expect((await list(operations, { q, snoozed: 'true' })).items.map((one) => one.record)).toEqual([record])
    expect((await snooze(operations, id, null)).answer).toMatchObject({ before: expect.any(Date) })
    expect((await list(operations, { q })).items).toHaveLength(1)
    const late = async () => (await call(server, inboxCounts, { as: operations })).answer.late
    const overdue = await opened('transfer', -2)
    const before = await late()
    expect((await snooze(operations, overdue.id, 0.05, 'Waiting for the bank.')).status).toBe(200)
    expect(await late()).toBe(before)
    expect((await list(operations, { q: overdue.q })).groups).toMatchObject({
      overdue: 0,
      snoozed: { count: 1, overdue: 1 },
    })
    server.clock.turn(200)
    onTestFinished(() => server.clock.turn(-200))
    const back = (await list(operations, { q: overdue.q })).items[0]
    expect(back?.snoozedUntil).not.toBeNull()
    expect(
      (await eventsOf(overdue.record)).map(({ verb, reason, details }) => [verb, reason, details?.['note']]),
    ).toEqual([['snooze', null, 'Waiting for the bank.']])
  })

  test('is on the first page when its snooze has ended, and unsnoozing returns time and note for an undo', async () => {
    const { id, record, q } = await opened('transfer', 3)
    const first = await item('transfer', 2, { reference: q })
    expect((await list(operations, { q, size: '1' })).items.map((one) => one.record)).toEqual([first])
    const none = { before: null, note: '', back: null }
    expect((await snooze(operations, id, 5, 'Waiting for the bank.')).answer).toEqual(none)
    expect((await snooze(operations, id, null)).answer).toEqual({
      before: expect.any(Date),
      note: 'Waiting for the bank.',
      back: null,
    })
    expect((await snooze(operations, id, 0.05)).answer).toEqual(none)
    server.clock.turn(200)
    onTestFinished(() => server.clock.turn(-200))
    const page = await list(operations, { q, size: '1' })
    expect(page.items.map((one) => one.record)).toEqual([first, record])
    const further = await list(operations, { q, size: '1', cursor: page.next ?? '' })
    expect(further.items.map((one) => one.record)).toEqual([record])
  })

  test('remains marked as back from its snooze when it is assigned, and after an undo of a further snooze', async () => {
    const { id, q } = await opened('transfer', 3)
    const isBack = async () => {
      const until = (await list(operations, { q })).items[0]?.snoozedUntil
      return until instanceof Date && until <= server.clock.now()
    }
    await snooze(operations, id, 0.05)
    server.clock.turn(200)
    onTestFinished(() => server.clock.turn(-200))
    await assign(operations, id, 'me')
    expect(await isBack()).toBe(true)
    const undo = (at: Date | null, by = 0) => {
      const back = at && Math.floor(at.getTime() / 1000) + by
      return call(server, snoozeItem, { as: operations, params: { id }, body: { until: null, note: '', back } })
    }
    const { before, note, back } = (await snooze(operations, id, 1)).answer
    expect([before, note, await isBack()]).toEqual([null, '', false])
    expect((await undo(back, 3600)).failure.code).toBe('snooze-time')
    await undo(back)
    expect((await list(operations, { q })).items[0]?.snoozedUntil).toEqual(back)
    expect([(await undo(null)).answer.back, await isBack()]).toEqual([back, false])
  })

  test('counts as newly assigned to a colleague only if another person assigned it, until that colleague views it', async () => {
    const { id, q } = await opened('leverage_request', 2)
    const colleague = await makeStaff(server, ['operations'], { name: 'Greta Lund' })
    const look = (as: MadeStaff) => call(server, viewItem, { as, params: { id }, body: { here: true } })
    const news = async (as: MadeStaff) => {
      const { newlyAssigned } = (await call(server, inboxCounts, { as })).answer
      return [newlyAssigned, (await list(as, { q, newlyAssigned: 'true' })).items.length]
    }
    await assign(colleague, id, 'me')
    expect(await news(colleague)).toEqual([0, 0])
    await assign(operations, id, 'me')
    await assign(operations, id, colleague.id)
    expect(await news(operations)).toEqual([0, 0])
    await look(operations)
    expect(await news(colleague)).toEqual([1, 1])
    await look(colleague)
    expect(await news(colleague)).toEqual([0, 0])
    await assign(operations, id, colleague.id)
    expect(await news(colleague)).toEqual([0, 0])
    await assign(operations, id, unassigned)
    await assign(operations, id, colleague.id)
    await assign(colleague, id, 'me')
    expect(await news(colleague)).toEqual([0, 0])
  })

  test('is not newly assigned after an undo, unless the colleague had not viewed it before', async () => {
    const { id, q } = await opened('leverage_request', 2)
    const colleague = await makeStaff(server, ['operations'])
    const isNew = async () => (await list(colleague, { q, newlyAssigned: 'true' })).items.length === 1
    const takeAndUndo = async () => {
      const { before } = (await assign(operations, id, 'me')).answer
      await assign(operations, id, before?.id ?? unassigned, before?.seen)
      return before?.seen
    }
    await assign(operations, id, colleague.id)
    expect([await takeAndUndo(), await isNew()]).toEqual([false, true])
    await call(server, viewItem, { as: colleague, params: { id }, body: { here: true } })
    expect([await takeAndUndo(), await isNew()]).toEqual([true, false])
  })

  test('is not snoozed past its due time without a reason, into the past, or beyond 90 days', async () => {
    const { id } = await opened('transfer', 2)
    expect((await snooze(operations, id, 3)).failure.code).toBe('snooze-reason')
    expect((await snooze(operations, id, 0)).failure.code).toBe('snooze-time')
    expect((await snooze(operations, id, 24 * 91, 'Later.')).failure.code).toBe('snooze-time')
    expect((await snooze(operations, id, 3, 'The client is away.')).status).toBe(200)
  })

  test('a comment is visible only to staff who may read the type, mentions colleagues, and is not in the client’s data download', async () => {
    const client = await makeClient(server)
    const { id, record, q } = await opened('document', 2, client.id)
    const colleague = await makeStaff(server, ['compliance'], { name: 'Greta Lund' })
    const text = 'Ask @Greta Lund and @Tom Reyes about the stamp.'
    expect((await comment(compliance, id, text)).answer.mentioned).toEqual([{ id: colleague.id, name: 'Greta Lund' }])
    const counts = async () => (await call(server, inboxCounts, { as: colleague })).answer.mentions
    expect([await counts(), (await list(colleague, { q, mentioned: 'true' })).items.length]).toEqual([1, 1])
    await call(server, viewItem, { as: colleague, params: { id }, body: { here: true } })
    expect([await counts(), (await list(colleague, { q, mentioned: 'true' })).items.length]).toEqual([0, 0])
    const shown = (await call(server, getInboxItem, { as: colleague, params: { id } })).answer
    expect(shown.timeline[0]).toMatchObject({ verb: 'comment', after: { comment: text } })
    const ofClient = async (as: MadeStaff) => {
      const reply = await call(server, getClientEvents, { as, params: { id: client.id } })
      return reply.bytes.toString()
    }
    expect(await ofClient(compliance)).toContain('about the stamp')
    expect(await ofClient(operations)).not.toContain('about the stamp')
    const own = await call(server, downloadMyData, { as: client })
    expect(own.status).toBe(200)
    expect(own.bytes.toString()).not.toContain('stamp')
    const kept = (await eventsOf(record)).map(({ reason, details }) => [reason, details])
    expect(kept).toEqual([[null, { comment: text }]])
  })

  test('a mention resolves to the longest of names with the same beginning', async () => {
    const { id } = await opened('document', 2)
    for (const name of ['Ann Lee', 'Ann Lee Hart', 'Ann Leery']) await makeStaff(server, ['compliance'], { name })
    const named = async (text: string) => (await comment(compliance, id, text)).answer.mentioned.map(({ name }) => name)
    expect(await named('Ask @Ann Lee Hart.')).toEqual(['Ann Lee Hart'])
    expect(await named('Ask @ann leery.')).toEqual(['Ann Leery'])
    expect(await named('@Ann Lee, and @Ann Lee Hart: look.')).toEqual(['Ann Lee', 'Ann Lee Hart'])
  })

  test('a comment on a snoozed item reaches the colleague it mentions', async () => {
    const { id, q } = await opened('document', 2)
    const colleague = await makeStaff(server, ['compliance'], { name: 'Vera Lind' })
    await snooze(compliance, id, 1)
    await comment(compliance, id, 'Ask @Vera Lind about the stamp.')
    const { items, groups } = await list(colleague, { q, mentioned: 'true' })
    const { mentions } = (await call(server, inboxCounts, { as: colleague })).answer
    expect([mentions, items.length, groups.today + groups.later]).toEqual([1, 1, 1])
    expect(groups.snoozed).toEqual({ count: 0, overdue: 0 })
    const hidden = await list(colleague, { q })
    expect([hidden.items.length, hidden.groups.snoozed.count]).toEqual([0, 1])
  })

  test('a comment on a decided item reaches only the colleague it mentions, until it is read', async () => {
    const { id, record, q } = await opened('document', -2)
    const colleague = await makeStaff(server, ['compliance'], { name: 'Ruth Holm' })
    await comment(compliance, id, 'Ask @Ruth Holm about the stamp.')
    await transaction(server.dependencies.pool, (tx) =>
      closeWorkItem(tx, 'document', record, {
        identity: { kind: 'staff', id: compliance.id as StaffId, roles: ['compliance'] },
        now: server.clock.now(),
      }),
    )
    const mentions = async () => {
      const { items, groups } = await list(colleague, { q, mentioned: 'true' })
      return { items: items.map((one) => [one.id, one.group, one.mine]), groups }
    }
    const counts = async () => (await call(server, inboxCounts, { as: colleague })).answer
    const { all, late } = await counts()
    const snoozed = { count: 0, overdue: 0 }
    expect(await mentions()).toEqual({
      items: [[id, 'decided', false]],
      groups: { overdue: 0, today: 0, later: 0, decided: 1, snoozed },
    })
    expect(await counts()).toMatchObject({ all, late, mentions: 1 })
    expect((await list(colleague, { q, mentioned: 'true', overdue: 'true' })).items).toEqual([])
    const view = { list: 'inbox' as const, name: 'Mentions', query: { mentioned: 'true' }, shared: false }
    await call(server, saveView, { as: colleague, body: view })
    const counted = async () =>
      (await call(server, listSavedViews, { as: colleague, query: { list: 'inbox' } })).answer.views[0]?.count
    expect(await counted()).toBe(1)
    expect((await list(colleague, { q })).items).toEqual([])
    const page = (as: MadeStaff) => call(server, getInboxItem, { as, params: { id } })
    expect((await page(compliance)).status).toBe(404)
    expect((await page(colleague)).answer).toMatchObject({
      item: { group: 'decided' },
      timeline: [{ verb: 'comment' }],
    })
    await call(server, viewItem, { as: colleague, params: { id }, body: { here: true } })
    expect(await mentions()).toMatchObject({ items: [], groups: { decided: 0 } })
    expect([(await counts()).mentions, await counted()]).toEqual([0, 0])
    // The page that showed the item can still be read.
    expect((await page(colleague)).status).toBe(200)
  })

  test('is refused to roles without permission and to clients', async () => {
    const { id, record } = await opened('document', 2)
    const auditor = await makeStaff(server, ['auditor'])
    const client = await makeClient(server)
    for (const [as, status] of [
      [operations, 404],
      [auditor, 403],
      [client, 401],
    ] as const) {
      expect((await assign(as, id, 'me')).status).toBe(status)
      expect((await snooze(as, id, 1)).status).toBe(status)
      expect((await comment(as, id, 'Hello.')).status).toBe(status)
    }
    expect((await call(server, getInboxItem, { as: operations, params: { id } })).status).toBe(404)
    expect((await call(server, getInboxItem, { as: client, params: { id } })).status).toBe(401)
    expect((await call(server, listAssignees, { as: client, query: { kind: 'document' } })).status).toBe(401)
    expect((await call(server, listAssignees, { as: auditor, query: { kind: 'document' } })).status).toBe(403)
    expect(await eventsOf(record)).toEqual([])
  })
})

test('a comment can mention active colleagues who may read the item; staff without permission cannot list them', async () => {
  const auditor = await makeStaff(server, ['auditor'], { name: 'Ada Marsh' })
  const deactivated = await makeStaff(server, ['operations'], { name: 'Zoe Gone' })
  await server.dependencies.pool.query(`update staff set state = 'deactivated' where id = $1`, [deactivated.id])
  const names = async (as: MadeStaff, kind: string) =>
    (await call(server, listMentionable, { as, query: { kind } })).answer.people.map(({ name }) => name)
  expect(await names(operations, 'account')).toEqual(expect.arrayContaining(['Ada Marsh', 'Maren Falk']))
  expect(await names(operations, 'account')).not.toContain('Tom Reyes')
  expect(await names(operations, 'account')).not.toContain('Zoe Gone')
  expect(await names(compliance, 'document')).not.toContain('Tom Reyes')
  expect((await call(server, listMentionable, { as: operations, query: { kind: 'document' } })).status).toBe(403)
  expect((await call(server, listMentionable, { as: auditor, query: { kind: 'document' } })).status).toBe(403)
})

describe('the saved filter', () => {
  const filterOf = async (as: MadeStaff) => (await call(server, officeCurrent, { as })).answer.inboxFilter

  test('defaults to what the roles can decide, and to everything for roles that decide nothing', async () => {
    const auditor = await makeStaff(server, ['auditor'])
    expect(await filterOf(await makeStaff(server, ['operations']))).toEqual({ mine: true, kind: null, assigned: null })
    expect(await filterOf(auditor)).toEqual({ mine: false, kind: null, assigned: null })
  })

  test('is stored for the person, across sessions', async () => {
    const staff = await makeStaff(server, ['compliance'])
    const body = { mine: false, kind: 'document', assigned: unassigned }
    expect((await call(server, saveInboxFilter, { as: staff, body })).status).toBe(200)
    expect(await filterOf(staff)).toEqual(body)
    expect(await filterOf(compliance)).toEqual({ mine: true, kind: null, assigned: null })
  })

  test('drops a type that the person may no longer read, and rejects unknown values', async () => {
    const staff = await makeStaff(server, ['compliance'])
    await call(server, saveInboxFilter, { as: staff, body: { mine: false, kind: 'document', assigned: null } })
    await server.dependencies.pool.query(`update staff set roles = '{operations}' where id = $1`, [staff.id])
    expect(await filterOf(staff)).toEqual({ mine: false, kind: null, assigned: null })
    const body = { mine: false, kind: 'everything', assigned: null }
    expect((await call(server, saveInboxFilter, { as: staff, body })).status).toBe(400)
    const client = await makeClient(server)
    expect((await call(server, saveInboxFilter, { as: client, body: { ...body, kind: null } })).status).toBe(401)
  })
})

describe('the stream of changes', () => {
  const stream = (token: string | null) => openEventStream(new URL(changesPath, server.url), token)

  test('sends changes of items that the person may read, and ends with the session', async () => {
    const staff = await makeStaff(server, ['operations'])
    const open = await stream(staff.token)
    expect(open.status).toBe(200)
    const secret = randomUUID()
    await transaction(server.dependencies.pool, (tx) => notifyChange(tx, 'document', secret))
    const record = await item('withdrawal', 1)
    expect(JSON.parse(await open.next())).toEqual({ kind: 'withdrawal', id: record })
    await call(server, officeLogout, { as: staff })
    await open.ended
  })

  test('sends what staff write on a client’s page, which colleagues may have open', async () => {
    const [open, { id }] = [await stream(compliance.token), await makeClient(server)]
    const as = compliance
    const changes = [
      () => call(server, writeNote, { as, params: { id }, body: { text: 'Calls back on Monday.' } }),
      () => call(server, signOutClient, { as, params: { id }, body: { reason: 'Lost phone.' } }),
      () => call(server, checkSecurityAnswer, { as, params: { id }, body: { answer: 'Rex' } }),
      () => call(server, sendResetLink, { as, params: { id }, body: {} }),
    ]
    for (const change of changes) {
      expect((await change()).status).toBeLessThan(300)
      expect(JSON.parse(await open.next())).toEqual({ kind: 'client', id })
    }
  })

  test('closes an older stream of a person who has opened more than the maximum, and serves the newest', async () => {
    const staff = await makeStaff(server, ['operations'])
    const pages = []
    for (let page = 0; page < 21; page += 1) pages.push(await stream(staff.token))
    expect(pages.map(({ status }) => status)).toEqual(pages.map(() => 200))
    // The database orders the announcements of the streams, which can overtake each other.
    const older = pages.slice(0, -1)
    const closed = await Promise.race(older.map(async (page) => (await page.ended, page)))
    const left = pages.filter((page) => page !== closed)
    const record = await item('withdrawal', 1)
    const events = await Promise.all([left[0]?.next(), pages.at(-1)?.next()])
    expect(events.map((event) => JSON.parse(event ?? '{}') as object)).toEqual(
      events.map(() => ({ kind: 'withdrawal', id: record })),
    )
    await call(server, officeLogout, { as: staff })
    await Promise.all(pages.map(({ ended }) => ended))
  })

  test('is closed to clients and visitors', async () => {
    const client = await makeClient(server)
    expect((await stream(null)).status).toBe(401)
    expect((await stream(client.token)).status).toBe(401)
  })
})

test('a request made on a Friday is due on Monday, or after the working days or hours that the firm has configured', async () => {
  const live = { requestType: 'live', platform: 'MT5', accType: 'Standard', baseCurrency: 'EUR', leverage: 30 }
  const dues = async () => {
    const client = await makeClient(server)
    await call(server, editUser, { as: client, body: { ...defaultClientDetails, surname: 'Falk' } })
    await call(server, requestAnAccount, { as: client, body: live })
    const { answer } = await call(server, getOfficeClient, { as: compliance, params: { id: client.id } })
    return answer.client.waiting.map(({ kind, dueAt }) => `${kind} ${dueAt.toISOString()}`).toSorted()
  }
  expect(await dues()).toEqual(['account 2026-06-22T09:44:00.000Z', 'profile_change 2026-06-22T09:44:00.000Z'])
  const sla = settingDefault('sla', server.clock.now())
  await applySetting(server, 'sla', {
    ...sla,
    times: { ...sla.times, account: { number: 2, unit: 'workingDays' }, profile_change: { number: 30, unit: 'hours' } },
    holidays: ['2026-06-22'],
  })
  // Two working days after Friday, as Monday is a holiday in the firm's calendar; 30 hours end on Saturday.
  expect(await dues()).toEqual(['account 2026-06-24T09:44:00.000Z', 'profile_change 2026-06-20T15:44:00.000Z'])
})
