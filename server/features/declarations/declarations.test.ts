import { expect, test } from 'vitest'
import { acceptDeclarations } from '#contract/declarations.ts'
import { currentUser } from '#contract/users-session.ts'
import { rows, sql } from '#server/db/sql.ts'
import { call, makeClient, type MadeClient } from '#tests/factories.ts'
import { serverForFile } from '#tests/for-file.ts'

const server = serverForFile()

const accept = (client: MadeClient, body: object = {}) => call(server, acceptDeclarations, { as: client, body })
const consents = (client: MadeClient) =>
  rows(
    server.dependencies.pool,
    sql`select version from consents where client_id = ${client.id} and text_key = 'clientAssetsDeclaration'`,
  )

test('an approved client accepts the declaration once, and the new token records it', async () => {
  const client = await makeClient(server, { declaration: false })
  expect((await call(server, currentUser, { as: client })).answer.user.acceptedDeclaration).toBe(false)
  const { token = '' } = (await accept(client, { version: 1 })).answer
  expect((await call(server, currentUser, { as: token })).answer).toMatchObject({ user: { acceptedDeclaration: true } })
  expect((await accept(client, { version: 1 })).status).toBe(200)
  expect(await consents(client)).toEqual([{ version: 1 }])
})

test('accepting a version that is not in force is rejected with the number of the current version', async () => {
  const client = await makeClient(server, { declaration: false })
  expect((await accept(client, { version: 2 })).failure).toMatchObject({
    code: 'text-replaced',
    values: { version: 1 },
  })
  expect(await consents(client)).toEqual([])
})

test('accepting the declaration without its version is rejected', async () => {
  const client = await makeClient(server, { declaration: false })
  const { code, errors } = (await accept(client)).failure
  expect([code, Object.keys(errors)]).toEqual(['required', ['version']])
  expect(await consents(client)).toEqual([])
})

test('a client who is not approved cannot accept the declaration', async () => {
  const client = await makeClient(server, { state: 'pending', identityApproved: true, addressApproved: true })
  expect((await accept(client, { version: 1 })).failure.code).toBe('approval-first')
})
