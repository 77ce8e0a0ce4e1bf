import { expect, test } from 'vitest'
import { endSession, listSessions } from '#contract/security.ts'
import { currentUser } from '#contract/users-session.ts'
import { rows, sql } from '#server/db/sql.ts'
import { call, makeClient, makeStaff, clientTokenFor } from '#tests/factories.ts'
import { serverForFile } from '#tests/for-file.ts'

const server = serverForFile()

const listedSessions = async (token: string) => (await call(server, listSessions, { as: token })).answer.sessions

test('a client sees their open sessions, with the current one marked, and no other client’s', async () => {
  const client = await makeClient(server, { state: 'pending' })
  await makeClient(server)
  const other = await clientTokenFor(server, client)
  const sessions = await listedSessions(client.token)
  expect(sessions.map(({ id }) => id).toSorted()).toEqual([client.sessionId, other.sessionId].toSorted())
  expect(sessions.find(({ current }) => current)?.id).toBe(client.sessionId)
})

test('a client can end any of their sessions, including the current one', async () => {
  const client = await makeClient(server)
  const other = await clientTokenFor(server, client)
  expect((await call(server, endSession, { as: client, body: { sessionId: other.sessionId } })).status).toBe(200)
  expect((await call(server, currentUser, { as: other.token })).status).toBe(401)
  expect((await call(server, endSession, { as: client, body: { sessionId: client.sessionId } })).status).toBe(200)
  expect((await call(server, currentUser, { as: client })).status).toBe(401)
})

test('ending a session that has already ended changes nothing', async () => {
  const client = await makeClient(server)
  const other = await clientTokenFor(server, client)
  const end = () => call(server, endSession, { as: client, body: { sessionId: other.sessionId } })
  expect((await end()).status).toBe(200)
  expect((await end()).status).toBe(200)
  const events = await rows(
    server.dependencies.pool,
    sql`select from events where client_id = ${client.id} and verb = 'endSession'`,
  )
  expect(events).toHaveLength(1)
})

test('another client’s session and an unknown id are not found', async () => {
  const client = await makeClient(server)
  const stranger = await makeClient(server)
  for (const sessionId of [stranger.sessionId, 'x', '00000000-0000-7000-8000-000000000000']) {
    expect((await call(server, endSession, { as: client, body: { sessionId } })).status).toBe(404)
  }
  expect((await call(server, currentUser, { as: stranger })).status).toBe(200)
})

test('staff and visitors are refused', async () => {
  const staff = await makeStaff(server, ['administrator'])
  expect((await call(server, listSessions, { as: staff })).status).toBe(401)
  expect((await call(server, endSession, { body: { sessionId: 'x' } })).status).toBe(401)
})
