/**
 * Key rotation while two servers respond: no request is rejected, no encrypted value is lost (ASVS 11.2.2 and 13.3.4,
 * requirements 29.11 and 33.28).
 */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { documentThumbnail } from '#contract/office/documents.ts'
import { profile } from '#contract/profile.ts'
import { login } from '#contract/users-session.ts'
import { readConfig } from '#server/config/config.ts'
import { row, rows, run, sql, transaction } from '#server/db/sql.ts'
import { rotatedPurposes, type RotatedPurpose } from '#server/crypto/keys.ts'
import { operate } from '#server/operator/commands.ts'
import { createLink, oneTimeIdsOf, peekLink } from '#server/auth/one-time-links.ts'
import { createTotpSecret, currentTotpCode, stepOfCode } from '#server/auth/totp.ts'
import { accountOpening } from '#server/features/accounts/request-queries.ts'
import { openingData } from '#server/features/accounts/opening-data.ts'
import { makeJpeg, uploadTo } from '#tests/files.ts'
import {
  call,
  goodPassword,
  makeAccount,
  makeClient,
  makeStaff,
  startTestServer,
  clientTokenFor,
  type MadeClient,
  type TestServer,
} from '#tests/factories.ts'
import { encryptedPassword } from '#tests/passwords.ts'
import { reencryptReplaced } from './reencrypt.ts'

let server: TestServer
let other: TestServer
let client: MadeClient
/** Each test has its own servers, because a rotation advances the clock and may leave a key that is not in use yet. */
beforeEach(async () => {
  server = await startTestServer({ now: new Date() })
  other = await startTestServer({ beside: server })
  client = await makeClient(server)
})
afterEach(async () => {
  await other.stop()
  await server.stop()
})

async function runKeysCommand(...argv: string[]): Promise<{ succeeded: boolean; text: string }> {
  const lines: string[] = []
  const given = ['keys', ...argv, '--yes']
  const succeeded = await operate(readConfig(server.env), given, (line) => lines.push(line), server.clock.now)
  return { succeeded, text: lines.join('\n') }
}

/** Rotates to a new key that both servers know and use. */
async function rotate(purpose: RotatedPurpose): Promise<{ before: string; after: string }> {
  const before = server.dependencies.keys[purpose].current.kid
  const { text } = await runKeysCommand('rotate', purpose)
  const [after = ''] = text.split(' ')
  await expect
    .poll(() => [server, other].map(({ dependencies }) => dependencies.keys[purpose].byId(after)?.kid))
    .toEqual([after, after])
  for (const { dependencies } of [server, other]) expect(dependencies.keys[purpose].current.kid).toBe(before)
  server.clock.turn(11)
  for (const { dependencies } of [server, other]) expect(dependencies.keys[purpose].current.kid).toBe(after)
  return { before, after }
}

/** Does everything that a key is used for on both servers; returns the statuses that are not 2xx. */
async function useEveryKey(): Promise<number[]> {
  const statuses: number[] = []
  const somebody = await makeClient(server)
  for (const [one, otherServer] of [
    [server, other],
    [other, server],
  ] as const) {
    const session = await clientTokenFor(one, somebody)
    statuses.push((await call(otherServer, profile, { as: session })).status)
    const password = await encryptedPassword(one, goodPassword)
    statuses.push((await call(otherServer, login, { body: { email: somebody.email, password } })).status)
    const file = await uploadTo(one, { ...somebody, ...session }, await makeJpeg(), 'page.jpg')
    statuses.push(file.status, (await fetch(new URL(file.json.url, otherServer.url))).status)
  }
  return statuses.filter((status) => status < 200 || status > 299)
}

describe('a key of each purpose', () => {
  test('is rotated while both servers respond: no request fails, and sessions, links and encrypted passwords stay valid', async () => {
    const session = await clientTokenFor(server, client)
    const early = await encryptedPassword(server, goodPassword)
    const file = (await uploadTo(server, client, await makeJpeg(), 'early.jpg')).json
    const refused: number[] = []
    const rotation = { goesOn: true }
    const load = (async () => {
      while (rotation.goesOn) refused.push(...(await useEveryKey()))
    })()
    for (const purpose of rotatedPurposes) await rotate(purpose)
    rotation.goesOn = false
    await load
    expect(refused).toEqual([])
    expect((await call(other, profile, { as: session })).status).toBe(200)
    expect((await call(other, login, { body: { email: client.email, password: early } })).status).toBe(200)
    expect((await fetch(new URL(file.url, other.url))).status).toBe(200)
  })

  test('is not rotated again before the new key is in use', async () => {
    expect((await runKeysCommand('rotate', 'token')).succeeded).toBe(true)
    expect((await runKeysCommand('rotate', 'token')).text).toContain('is on its way')
    server.clock.turn(11)
    expect((await runKeysCommand('rotate', 'nothing')).text).toContain('Enter one of')
  })

  test('is not rotated if it verifies references', async () => {
    const before = server.dependencies.keys.reference.kid
    expect(await runKeysCommand('rotate', 'reference')).toMatchObject({
      succeeded: false,
      text: expect.stringContaining('cannot be rotated'),
    })
    await server.dependencies.keys.reload()
    expect(server.dependencies.keys.reference.kid).toBe(before)
  })
})

const idOf = async (label: string) => {
  const found = await row<{ id: string }>(server.dependencies.pool, sql`select id from files where label = ${label}`)
  if (!found) throw new Error('not stored')
  return found.id
}

test('files, second factors and data of openings under an old key are encrypted again, and only then can the key be retired', async () => {
  const file = (await uploadTo(server, client, await makeJpeg(), 'kept.jpg')).json
  const owner = { table: 'clients', id: client.id } as const
  const factor = createTotpSecret(server.dependencies.keys, owner, client.email, 'Test')
  await run(server.dependencies.pool, sql`update clients set factor_secret = ${factor.sealed} where id = ${client.id}`)
  const small = { params: { id: await idOf(file.filename) }, as: await makeStaff(server, ['compliance']) }
  expect((await call(server, documentThumbnail, small)).status).toBe(200)
  const account = await makeAccount(server, client, { state: 'processing' })
  const opening = async () => {
    const { dependencies } = server
    const found = await accountOpening(dependencies.pool, account.id)
    if (found === null) throw new Error('no account')
    return openingData(dependencies, found)
  }
  const sent = await opening()
  const files = await rotate('file')
  const factors = await rotate('factor')
  server.clock.turn(180)
  expect((await runKeysCommand('status')).text).toMatch(new RegExp(`${files.before}.*records`))
  expect((await runKeysCommand('retire', files.before)).text).toContain('still use')
  expect((await runKeysCommand('retire', factors.before)).text).toContain('still use')
  while ((await reencryptReplaced(server.dependencies, server.clock.now())) > 0) continue
  for (const kid of [files.before, factors.before])
    expect(await runKeysCommand('retire', kid)).toEqual({ succeeded: true, text: `${kid} has been removed.` })
  expect((await runKeysCommand('retire', files.after)).text).toContain('is current')
  const sealed = await row<{ secret: Buffer }>(
    server.dependencies.pool,
    sql`select factor_secret as secret from clients where id = ${client.id}`,
  )
  const now = server.clock.now()
  const { code } = currentTotpCode(server.dependencies.keys, owner, sealed?.secret ?? Buffer.alloc(0), now)
  expect(stepOfCode(other.dependencies.keys, owner, sealed?.secret ?? Buffer.alloc(0), code, now)).not.toBeNull()
  expect(await opening()).toEqual(sent)
  const label = await rows<{ kid: string }>(
    server.dependencies.pool,
    sql`select kid from files where label = ${file.filename}`,
  )
  expect(label).toEqual([{ kid: files.after }])
  const bytes = await fetch(new URL(file.url, other.url))
  expect(bytes.status).toBe(200)
  // A thumbnail is created again instead.
  const thumbnails = () =>
    rows<{ kid: string }>(
      server.dependencies.pool,
      sql`select kid from file_thumbnails where file_id = ${small.params.id}`,
    )
  expect(await thumbnails()).toEqual([])
  expect((await call(server, documentThumbnail, small)).status).toBe(200)
  expect(await thumbnails()).toEqual([{ kid: files.after }])
})

test('the link of an email sent before the link key was rotated still opens', async () => {
  const link = await transaction(server.dependencies.pool, (tx) =>
    createLink(
      tx,
      server.dependencies.keys,
      { purpose: 'reset', owner: { clientId: client.id }, lifeSeconds: 3600 },
      server.clock.now(),
    ),
  )
  const { before } = await rotate('link')
  const idOf = await oneTimeIdsOf(other.dependencies.pool, other.dependencies.keys, [link])
  expect((await peekLink(other.dependencies.pool, idOf(link), ['reset']))?.id).toBe(link)
  server.clock.turn(600)
  expect((await runKeysCommand('retire', before)).text).toContain('still use')
  server.clock.turn(3600)
  expect((await runKeysCommand('retire', before)).succeeded).toBe(true)
})

describe('a start', () => {
  const start = () => startTestServer({ beside: server })

  test('with a partly restored table of keys fails with a clear error and creates no key', async () => {
    const alone = await startTestServer()
    const links = sql`delete from keys where purpose = 'factor'`
    await run(alone.dependencies.pool, links)
    await expect(startTestServer({ beside: alone })).rejects.toThrow('no key for factor')
    expect(await rows(alone.dependencies.pool, sql`select kid from keys where purpose = 'factor'`)).toEqual([])
    await run(alone.dependencies.pool, sql`update keys set wrapped = ${randomBytes(80)} where purpose = 'token'`)
    await run(alone.dependencies.pool, sql`update keys set purpose = 'factor' where purpose = 'link'`)
    await expect(startTestServer({ beside: alone })).rejects.toThrow('no key for link')
    await alone.stop()
  })

  test('with a partly replaced master key fails; after all keys are wrapped again only the new one works', async () => {
    const path = join(readConfig(server.env).dataDir, 'next-master.key')
    const next = randomBytes(32).toString('base64')
    writeFileSync(path, 'c2hvcnQ=')
    expect((await runKeysCommand('wrap', path)).text).toContain('not 32 bytes')
    writeFileSync(path, next)
    expect((await runKeysCommand('wrap', path)).succeeded).toBe(true)
    await expect(start()).rejects.toThrow('is not the one that this database was written with')
    writeFileSync(readConfig(server.env).masterKeyFile, next)
    const again = await start()
    expect((await call(again, profile, { as: await clientTokenFor(server, client) })).status).toBe(200)
    await run(server.dependencies.pool, sql`update keys set wrapped = ${randomBytes(80)} where purpose = 'token'`)
    await expect(start()).rejects.toThrow('They come from different backups.')
    await again.stop()
  })
})
