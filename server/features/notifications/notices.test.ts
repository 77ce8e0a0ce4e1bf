import { expect, test } from 'vitest'
import { listNotifications, readNotifications } from '#contract/notifications.ts'
import { run, sql, transaction } from '#server/db/sql.ts'
import { notify } from '#server/mail/send-mail.ts'
import { call, makeClient, type MadeClient } from '#tests/factories.ts'
import { serverForFile } from '#tests/for-file.ts'

const server = serverForFile()

const notifyOf = (client: MadeClient, kind: 'registration-received' | 'second-factor-on' = 'registration-received') =>
  transaction(server.dependencies.pool, (tx) =>
    notify(tx, { clientId: client.id, kind, facts: {}, link: '/documents' }, server.clock.now()),
  )
const listedNotifications = async (client: MadeClient, headers = {}) =>
  (await call(server, listNotifications, { as: client, headers })).answer

test('notifications are listed newest first, in the reader’s language, with the subject of their email', async () => {
  const client = await makeClient(server, { state: 'pending' })
  await notifyOf(client)
  await notifyOf(client, 'second-factor-on')
  const { notices, unread } = await listedNotifications(client)
  expect(unread).toBe(2)
  expect(notices.map(({ text, read, link }) => ({ text, read, link }))).toEqual([
    { text: 'Two-factor authentication is on', read: false, link: '/documents' },
    { text: 'We have received your registration', read: false, link: '/documents' },
  ])
  expect((await listedNotifications(client, { 'accept-language': 'de' })).notices[1]?.text).toBe(
    'Wir haben Ihre Registrierung erhalten',
  )
})

test('some or all notifications can be marked as read, but not another client’s', async () => {
  const client = await makeClient(server)
  const other = await makeClient(server)
  for (let turn = 0; turn < 3; turn += 1) await notifyOf(client)
  const [first] = (await listedNotifications(client)).notices
  await call(server, readNotifications, { as: other, body: { ids: [first?.id ?? ''] } })
  expect((await listedNotifications(client)).unread).toBe(3)
  await call(server, readNotifications, { as: client, body: { ids: [first?.id ?? '', 'nonsense'] } })
  expect((await listedNotifications(client)).unread).toBe(2)
  await call(server, readNotifications, { as: client, body: { all: true } })
  expect((await listedNotifications(client)).unread).toBe(0)
})

test('the list has at most 50 notifications and skips an unknown kind of another version', async () => {
  const client = await makeClient(server)
  for (let turn = 0; turn < 51; turn += 1) await notifyOf(client)
  await run(
    server.dependencies.pool,
    sql`insert into notices (client_id, kind, facts, at) values (${client.id}, 'unheard-of', '{}', ${server.clock.now()})`,
  )
  const { notices, unread } = await listedNotifications(client)
  expect(notices).toHaveLength(49)
  expect(unread).toBe(52)
})
