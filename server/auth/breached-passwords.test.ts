/** The operator's list of stolen passwords (ASVS 6.2.12). */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changePassword } from '#contract/passwords.ts'
import { openBreachedPasswords } from '#server/auth/breached-passwords.ts'
import { call, goodPassword, makeClient, startTestServer } from '#tests/factories.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'breached-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const sha1 = (word: string) => createHash('sha1').update(word).digest('hex').toUpperCase()

function fileOf(name: string, content: string | Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

async function breachedWords(path: string | null, words: readonly string[]): Promise<boolean[]> {
  const list = await openBreachedPasswords(path)
  try {
    return await Promise.all(words.map((word) => list.has(word)))
  } finally {
    await list.close()
  }
}

describe.each([
  [
    'with counts and carriage returns, as published by Have I Been Pwned',
    (hash: string, at: number) => `${hash}:${at + 1}\r\n`,
  ],
  ['without counts', (hash: string) => `${hash}\n`],
  ['in lower case', (hash: string) => `${hash.toLowerCase()}\n`],
])('a list of hashes %s', (name, lineOf) => {
  const words = Array.from({ length: 999 }, (_, at) => `stolen-password-${at}`)

  test('contains each of its words and no other', async () => {
    const hashes = words.map(sha1).toSorted()
    const path = fileOf(`${name.slice(0, 8)}.txt`, hashes.map(lineOf).join(''))
    expect(await breachedWords(path, words)).toEqual(words.map(() => true))
    const others = Array.from({ length: 500 }, (_, at) => `Not-stolen-${at}`)
    expect(await breachedWords(path, others)).toEqual(others.map(() => false))
  })

  test.each([1, 2, 3])('with %i entries is searched up to its first and last entry', async (many) => {
    const hashes = words.slice(0, many).map(sha1).toSorted()
    const path = fileOf(`${name.slice(0, 8)}-${many}.txt`, hashes.map(lineOf).join(''))
    expect(await breachedWords(path, words.slice(0, many + 1))).toEqual([...hashes.map(() => true), false])
  })
})

test('a last line without a line break is read, and passwords are also looked up in lower case', async () => {
  const path = fileOf('open-end.txt', [sha1('aaaaaa'), sha1('bbbbbb')].toSorted().join('\n'))
  expect(await breachedWords(path, ['aaaaaa', 'bbbbbb', 'AaAaAa', 'cccccc'])).toEqual([true, true, true, false])
})

test('words in plain text are found in any case, and without a file no word is found', async () => {
  const path = fileOf('words.txt', 'Harbour-lights\r\nzwölf Möwen\n\n')
  expect(await breachedWords(path, ['harbour-lights', 'Zwölf Möwen', '', 'lights'])).toEqual([true, true, false, false])
  expect(await breachedWords(null, ['harbour-lights'])).toEqual([false])
})

describe('an unusable file is rejected by a clear error', () => {
  const rising = Array.from({ length: 50 }, (_, at) => sha1(String(at))).toSorted()
  test.each<[string, string | Buffer | null, RegExp]>([
    ['that does not exist', null, /^BREACHED_PASSWORDS_FILE is ".*absent\.txt", which cannot be read\.$/],
    ['that is empty', '', /is empty\.$/],
    ['that is not sorted', [...rising].reverse().join('\n'), /is not in ascending order at byte \d+\.$/],
    [
      'with lines that are not hashes',
      [...rising.slice(0, 25), 'x'.repeat(40), ...rising.slice(25)].join('\n'),
      /no SHA-1 hash/,
    ],
    ['that is not UTF-8 text', Buffer.from([0xff, 0xfe, 0x00, 0x41, 0x0a]), /is not UTF-8 text\.$/],
    ['with more than 8 MB of words', 'many words\n'.repeat(800_000), /has more than 8 MB of words/],
  ])('a file %s', async (_, content, sentence) => {
    const path = content === null ? join(folder, 'absent.txt') : fileOf('unusable.txt', content)
    await expect(openBreachedPasswords(path)).rejects.toThrow(sentence)
  })
})

test('a client cannot choose a breached password, and a server with an unusable list does not start', async () => {
  const stolen = 'Harbour-lights-1987'
  const env = { BREACHED_PASSWORDS_FILE: fileOf('server.txt', `${sha1(stolen)}:3\r\n`) }
  const server = await startTestServer({ env })
  try {
    const client = await makeClient(server)
    const change = (at: { url: string }, password: string) =>
      call(at, changePassword, { as: client, body: { currentPassword: goodPassword, password } })
    const { failure } = await change(server, stolen)
    expect(failure).toMatchObject({ code: 'password-leaked', errors: { password: expect.any(String) as string } })
    expect((await change(server, 'Quiet-harbour-2031')).status).toBe(200)
    const unusable = { BREACHED_PASSWORDS_FILE: join(folder, 'none.txt') }
    await expect(startTestServer({ database: server.database, env: unusable })).rejects.toThrow(/which cannot be read/)
  } finally {
    await server.stop()
  }
})
