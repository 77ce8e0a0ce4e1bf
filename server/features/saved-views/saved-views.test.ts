import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { listInbox } from '#contract/office/inbox.ts'
import { searchAudit } from '#contract/office/records.ts'
import { deactivateStaff } from '#contract/office/staff.ts'
import { changeView, listSavedViews, removeView, saveView } from '#contract/office/saved-views.ts'
import { savedViewsMax } from '#rules/constants.ts'
import { transaction } from '#server/db/sql.ts'
import { openWorkItem } from '#server/db/work-items.ts'
import { call, makeClient, makeStaff, type MadeStaff } from '../../../tests/factories.ts'
import { serverForFile, staffForFile } from '../../../tests/for-file.ts'

const server = serverForFile()
const owner = staffForFile(server, ['finance'], { name: 'Paul Okafor' })
const colleague = staffForFile(server, ['operations'], { name: 'Tom Reyes' })

const over10k = { list: 'inbox', name: 'Over 10k', query: { kind: 'withdrawal', amountFrom: '10000' }, shared: false }

const viewsOf = async (as: MadeStaff, list = 'inbox') =>
  (await call(server, listSavedViews, { as, query: { list } })).answer.views
const save = (as: MadeStaff, change: object = {}) => call(server, saveView, { as, body: { ...over10k, ...change } })

/** Makes a pending withdrawal. */
async function withdrawal(amount: string, hours = 1) {
  const now = server.clock.now()
  await transaction(server.dependencies.pool, (tx) =>
    openWorkItem(tx, 'withdrawal', randomUUID(), now, {
      state: 'pending',
      dueAt: new Date(now.getTime() + hours * 3_600_000),
      summary: { amount, currency: 'EUR', account: '5011', reference: 'W1' },
    }),
  )
}

test('a view is private until it is shared, and only its owner can change it', async () => {
  const { id } = (await save(owner)).answer
  expect(await viewsOf(owner)).toMatchObject([{ id, name: 'Over 10k', query: over10k.query, shared: false, own: true }])
  expect(await viewsOf(colleague)).toEqual([])

  const { list: _list, ...fields } = over10k
  const shared = { ...fields, name: 'Large', shared: true }
  const changed = await call(server, changeView, { as: owner, params: { id }, body: shared })
  expect(changed.answer.before).toEqual(fields)
  expect(await viewsOf(colleague)).toMatchObject([{ name: 'Large', own: false, owner: { name: 'Paul Okafor' } }])

  expect((await call(server, changeView, { as: colleague, params: { id }, body: fields })).status).toBe(404)
  expect((await call(server, removeView, { as: colleague, params: { id } })).status).toBe(404)
  expect(await viewsOf(colleague)).toHaveLength(1)

  expect((await call(server, removeView, { as: owner, params: { id } })).status).toBe(200)
  expect((await call(server, removeView, { as: owner, params: { id } })).status).toBe(404)
  expect(await viewsOf(colleague)).toEqual([])
})

test('only an administrator can delete the shared view of a person who has left, which is logged', async () => {
  const administrator = await makeStaff(server, ['administrator'])
  const leaver = await makeStaff(server, ['finance'], { name: 'Ines Roth' })
  const { id } = (await save(leaver, { name: 'Ines at noon', shared: true })).answer
  const { id: hidden } = (await save(leaver, { name: 'Ines alone' })).answer
  const shown = async (as: MadeStaff) => (await viewsOf(as)).filter(({ owner: { name } }) => name === 'Ines Roth')
  const remove = async (as: MadeStaff, view: string) =>
    (await call(server, removeView, { as, params: { id: view } })).status
  expect(await shown(administrator)).toMatchObject([{ id, own: false, mayRemove: false }])
  expect(await remove(administrator, id)).toBe(404)
  const leaving = { as: administrator, params: { id: leaver.id }, body: { version: 1, reason: 'Left.' } }
  expect((await call(server, deactivateStaff, leaving)).status).toBe(200)
  expect(await shown(administrator)).toMatchObject([{ id, own: false, mayRemove: true }])
  expect(await shown(colleague)).toMatchObject([{ id, mayRemove: false }])
  expect([await remove(colleague, id), await remove(administrator, hidden)]).toEqual([404, 404])
  expect([await remove(administrator, id), await remove(administrator, id)]).toEqual([200, 404])
  expect(await shown(colleague)).toEqual([])
  const logged = { as: administrator, query: { kind: 'saved_view', record: id } }
  const { rows } = (await call(server, searchAudit, logged)).answer
  expect(rows).toMatchObject([{ verb: 'remove', actor: { id: administrator.id } }])
  // The view's name is not stored, as it may name a client.
  expect(rows[0]?.after).toEqual({ list: 'inbox', staff: 'Ines Roth' })
})

test('a view of the inbox shows the current number of its items, as in the list', async () => {
  const staff = await makeStaff(server, ['finance'])
  for (const amount of ['18400.00', '10000.00', '9999.99']) await withdrawal(amount)
  await withdrawal('25000.00', -1)
  const { id } = (await save(staff)).answer
  const overdue = (await save(staff, { name: 'Overdue', query: { overdue: 'true', currency: 'EUR', columns: 'a,b' } }))
    .answer
  const empty = (await save(staff, { name: 'Gone', query: { kind: 'no-such-kind' } })).answer
  const counts = new Map((await viewsOf(staff)).map((view) => [view.id, view.count]))
  expect(counts.get(id)).toBe(3)
  expect(counts.get(overdue.id)).toBe(1)
  expect(counts.get(empty.id)).toBeNull()
  const listed = await call(server, listInbox, { as: staff, query: over10k.query })
  expect(listed.answer.items.map(({ summary }) => summary['amount'])).toEqual(['25000.00', '18400.00', '10000.00'])
  const between = { amountFrom: '9999.99', amountTo: '10000' }
  expect((await call(server, listInbox, { as: staff, query: between })).answer.items).toHaveLength(2)
  expect((await call(server, listInbox, { as: staff, query: { currency: 'USD' } })).answer.items).toEqual([])
})

test('a view stores the payment method by its name in the firm’s settings', async () => {
  const staff = await makeStaff(server, ['finance'])
  const query = { state: 'all', dated: 'credited', method: 'Credit/Debit Card' }
  expect((await save(staff, { list: 'deposits', query })).status).toBe(201)
  expect(await viewsOf(staff, 'deposits')).toMatchObject([{ query }])
  for (const method of ['', 'x'.repeat(201)])
    expect((await save(staff, { list: 'deposits', name: 'Other', query: { method } })).status).toBe(400)
})

test('view names are unique per person and list, ignoring case, including simultaneous requests', async () => {
  const staff = await makeStaff(server, ['finance'])
  const both = await Promise.all([save(staff), save(staff, { name: 'OVER 10K' })])
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409])
  expect((await save(staff, { list: 'withdrawals' })).status).toBe(201)
  const { id } = (await save(staff, { name: 'Other' })).answer
  const body = { name: 'over 10k', query: {}, shared: false }
  const renamed = await call(server, changeView, { as: staff, params: { id }, body })
  expect(renamed.status).toBe(409)
  expect(renamed.failure.code).toBe('view-name-used')
})

test('a view stores no search text and no unknown filter', async () => {
  for (const query of [{ q: 'Brandt' }, { client: randomUUID() }, { kind: 'a b' }, { 'x-y': '1' }])
    expect((await save(owner, { name: 'Bad', query })).status).toBe(400)
})

test('a view is only for lists that the person may read', async () => {
  const operations = await makeStaff(server, ['operations'])
  expect((await save(operations, { list: 'corrections' })).status).toBe(403)
  expect((await call(server, listSavedViews, { as: operations, query: { list: 'corrections' } })).status).toBe(403)
  const auditor = await makeStaff(server, ['auditor'])
  expect((await save(auditor, { list: 'corrections' })).status).toBe(201)
  const client = await makeClient(server)
  expect((await call(server, saveView, { as: client, body: over10k })).status).toBe(401)
})

test('the number of views per person is limited', async () => {
  const staff = await makeStaff(server, ['finance'])
  for (let count = 0; count < savedViewsMax; count += 1)
    expect((await save(staff, { name: `View ${count}` })).status).toBe(201)
  expect((await save(staff, { name: 'One more' })).failure.code).toBe('too-many-views')
})
