/**
 * The headers of every response, and requests that the HTTP layer must reject (requirements 31.1, 31.2, 31.6, 30.5,
 * 32.1; ASVS V3, V4).
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { call, makeClient } from '#tests/factories.ts'
import { clientForFile, serverForFile } from '#tests/for-file.ts'
import { getDemoAccounts, getLiveAccounts, setNickname } from '#contract/accounts.ts'
import { getBankDetails } from '#contract/bank-details.ts'
import { getDocuments } from '#contract/documents.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { getTransferHistory } from '#contract/history.ts'
import { listNotifications } from '#contract/notifications.ts'
import { getProfessionalClientsApplication } from '#contract/professional-status.ts'
import { contentSecurityPolicy } from './secure-headers.ts'

const server = serverForFile()
const secure = serverForFile({ env: { PORTAL_URL: 'https://portal.example' } })
const client = clientForFile(server)

const everywhere = [
  ['GET', '/api/settings'],
  ['GET', '/api/users/current'],
  ['GET', '/api/absent'],
  ['POST', '/api/users/login'],
  ['GET', '/public/files/absent.jpg'],
  ['GET', '/api/docs'],
  ['GET', '/brand.css'],
  ['GET', '/healthz'],
  ['GET', '/profile/x.css'],
  ['DELETE', '/api/settings'],
] as const

describe.each([
  ['/brand.css', '--brand'],
  ['/api/settings', '"success":true'],
])('%s', (path, text) => {
  test.each([
    ['br, gzip', 'br'],
    ['gzip', null],
    ['br;q=0', null],
  ])('is compressed only for clients that accept Brotli: %s', async (accepted, encoding) => {
    const response = await fetch(server.url + path, { headers: { 'accept-encoding': accepted } })
    expect(response.headers.get('content-encoding')).toBe(encoding)
    expect(response.headers.get('vary')).toBe('accept-encoding')
    expect(await response.text()).toContain(text)
  })
})

describe.each(everywhere)('%s %s', (method, path) => {
  test('has every security header and a correct content type, and reveals nothing about the server', async () => {
    const { headers, status } = await fetch(server.url + path, { method })
    expect(status).toBeLessThan(500)
    const policy = headers.get('content-security-policy') ?? ''
    if (/json|css/.test(headers.get('content-type') ?? ''))
      expect(policy).toBe("default-src 'none'; frame-ancestors 'none'")
    else {
      for (const part of [
        "default-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "form-action 'self'",
      ])
        expect(policy).toContain(part)
      expect(/script-src ([^;]*)/.exec(policy)?.[1]).toBe("'self'")
    }
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect(headers.get('content-type')).toMatch(/; charset=utf-8$/)
    if (path !== '/brand.css') expect(headers.get('cache-control')).toContain('no-store')
    for (const name of ['server', 'x-powered-by', 'set-cookie', 'access-control-allow-origin', 'location'])
      expect(headers.get(name), name).toBeNull()
  })

  test('requires TLS for the future when served over TLS', async () => {
    const { headers } = await fetch(secure.url + path, { method })
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
  })

  test.each(['https://evil.example', 'null', 'https://localhost:3000.evil.example'])(
    'does not allow the foreign origin %s',
    async (origin) => {
      const answers = [
        await fetch(server.url + path, { method, headers: { origin } }),
        await fetch(server.url + path, {
          method: 'OPTIONS',
          headers: { origin, 'access-control-request-method': method },
        }),
      ]
      for (const { headers } of answers)
        expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
    },
  )
})

test('a new client gets empty lists, and null instead of a single record', async () => {
  const fresh = await makeClient(server)
  const json = async (endpoint: Endpoint, params: Record<string, string> = {}) => {
    const { success, ...answer } = (await call(server, endpoint, { as: fresh, params })).json as { success: boolean }
    expect(success).toBe(true)
    return answer
  }
  expect(await json(getLiveAccounts, { a: 'all', b: 'all' })).toEqual({ accounts: [] })
  expect(await json(getLiveAccounts, { a: 'GBP', b: 'pending' })).toEqual({ accounts: [] })
  expect(await json(getDemoAccounts)).toEqual({ accounts: [] })
  expect(await json(getBankDetails, { a: 'EUR', b: 'approved' })).toEqual({ bankDetails: [] })
  expect(await json(getProfessionalClientsApplication)).toEqual({ application: null })
  expect(await json(listNotifications)).toEqual({ notices: [], unread: 0 })
  expect(await json(getDocuments, { id: fresh.id })).toMatchObject({ gcenApiDocsSubmitted: false })
  expect(await json(getDocuments, { id: fresh.id })).toHaveProperty('documents', {})
  expect(await json(getTransferHistory)).toEqual({
    deposits: [],
    withdrawals: [],
    transfers: [],
    next: { deposits: null, withdrawals: null, transfers: null },
  })
  const wrong = await call(server, getLiveAccounts, { as: fresh, params: { a: 'JPY', b: 'all' } })
  expect([wrong.status, Object.keys(wrong.failure.errors)]).toEqual([400, ['a']])
})

test.each(['portal', 'office'])(
  'the page of the %s does not weaken the security headers (requirements 31.1, 31.6)',
  (app) => {
    const page = readFileSync(new URL(`../../${app}/index.html`, import.meta.url), 'utf8')
    expect(page).toContain('<!--brand-->')
    expect(page).not.toMatch(/<meta[^>]+(name="referrer"|http-equiv)/i)
    expect(page).not.toMatch(/<script(?![^>]+src=)|<style|\son\w+=/i)
  },
)

test('the hash of the only inline style allowed matches the text in react-aria', () => {
  const file = createRequire(import.meta.url)
    .resolve('react-aria/package.json')
    .replace('package.json', '')
  const styles = stylesIn(file).map((style) => createHash('sha256').update(style).digest('base64'))
  const named = /'sha256-([^']+)'/.exec(contentSecurityPolicy())?.[1]
  expect(styles).toContain(named)
})

function stylesIn(folder: string): string[] {
  const text = readFileSync(`${folder}dist/private/interactions/usePress.mjs`, 'utf8')
  return [...text.matchAll(/textContent = `([^`]+)`/g)].map(([, style]) =>
    (style ?? '').replace(/\$\{[^}]*\}/g, 'data-react-aria-pressable').trim(),
  )
}

describe('a write', () => {
  const nickname = () => `${server.url}${setNickname.path}`
  const authorization = () => `Bearer ${client.token}`

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/xml'])(
    'rejects the content type %s, which a foreign page could send',
    async (type) => {
      const headers = { authorization: authorization(), 'content-type': type }
      const { status } = await fetch(nickname(), { method: 'POST', headers, body: '{"accountId":"1","nickname":"x"}' })
      expect(status).toBe(415)
    },
  )

  test('without a bearer token is rejected, even with the token in a cookie or the query', async () => {
    const headers = { cookie: `token=${client.token}`, 'content-type': 'application/json' }
    const { status } = await fetch(`${nickname()}?token=${client.token}`, { method: 'POST', headers, body: '{}' })
    expect(status).toBe(401)
  })

  test.each([
    ['GET', {}],
    ['HEAD', {}],
    ['TRACE', {}],
    ['PROPFIND', {}],
    ['GET', { 'x-http-method-override': 'POST', 'x-http-method': 'POST' }],
  ] as const)('cannot be made by %s %j', async (method, headers) => {
    const answer = await sendRaw(
      `${method} ${setNickname.path} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${authorization()}\r\n${Object.entries(
        headers,
      )
        .map((pair) => `${pair.join(': ')}\r\n`)
        .join('')}connection: close\r\n\r\n`,
    )
    expect(statusIn(answer)).toBeGreaterThanOrEqual(400)
    expect(statusIn(answer)).toBeLessThan(500)
  })
})

describe('a body', () => {
  const post = (body: string | Buffer, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${server.url}/api/users/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    })
  const credentials = '"email":"a@example.com","password":"x"'

  test.each<[string, string | Buffer]>([
    ['__proto__', `{${credentials},"__proto__":{"polluted":1}}`],
    ['constructor.prototype', `{${credentials},"constructor":{"prototype":{"polluted":1}}}`],
    ['ten thousand nested lists', '['.repeat(10_000) + ']'.repeat(10_000)],
    ['NaN', `{${credentials},"n":NaN}`],
    ['UTF-16', Buffer.from(`{${credentials}}`, 'utf16le')],
    ['half a body', '{"email":'],
    ['an unknown field', `{${credentials},"role":"administrator"}`],
  ])('with %s is rejected and pollutes no prototype', async (_, body) => {
    const answer = await post(body)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ success: false, reference: expect.stringMatching(/^[0-9A-Z]{8}$/) })
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  test('over 256 kB is rejected, and a compressed one is not decompressed', async () => {
    expect((await post(`{"email":"${'a'.repeat(300_000)}"}`)).status).toBe(413)
    const bomb = gzipSync(Buffer.alloc(1_000_000, 0x20))
    expect([400, 415]).toContain((await post(bomb, { 'content-encoding': 'gzip' })).status)
  })

  test('that cannot be parsed gets an error without internal details', async () => {
    const text = await (await post('{')).text()
    expect(text).not.toMatch(/at .*\.ts|node_modules|select |Unexpected token/i)
  })
})

test('a repeated or unknown query parameter is rejected', async () => {
  for (const query of ['size=10&size=20', 'sort=drop+table'])
    expect(
      (
        await fetch(`${server.url}/api/accounts/getTransferHistory?${query}`, {
          headers: { authorization: `Bearer ${client.token}` },
        })
      ).status,
    ).toBe(400)
})

describe('an ambiguous request that proxy and server could read differently', () => {
  const line = 'POST /api/users/login HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n'
  test.each([
    ['both length and chunks', `${line}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['two lengths', `${line}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`],
    ['a chunk without a valid size', `${line}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`],
    ['a folded header', `${line}x-a: 1\r\n 2\r\ncontent-length: 2\r\n\r\n{}`],
    ['a space before the colon', `${line}content-length : 2\r\n\r\n{}`],
    ['two hosts', `GET /healthz HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n`],
    ['no host', `GET /healthz HTTP/1.1\r\n\r\n`],
  ])('with %s gets 400 and its connection is closed', async (_, text) => {
    const answer = await sendRaw(text)
    expect(statusIn(answer)).toBe(400)
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
  })
})

test.each([
  ['without a host', 'GET /healthz HTTP/1.1\r\n\r\n', 400],
  ['of HTTP/0.9, without headers', 'GET /healthz\r\n\r\n', 400],
  ['of an unknown HTTP version', 'GET /healthz HTTP/3.0\r\nhost: a\r\n\r\n', 400],
  ['with the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['with a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
  ['of an unknown method', 'BREW /healthz HTTP/1.1\r\nhost: a\r\n\r\n', 400],
  ['with an unknown expectation', 'GET /healthz HTTP/1.1\r\nhost: a\r\nexpect: tea\r\n\r\n', 417],
  ['with too many headers', `GET /healthz HTTP/1.1\r\nhost: a\r\n${'x: a\r\n'.repeat(2500)}\r\n`, 431],
  ['with too long a path', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nhost: a\r\n\r\n`, 431],
  [
    'with an unsupported transfer encoding',
    'POST /api/users/login HTTP/1.1\r\nhost: a\r\ntransfer-encoding: gzip\r\n\r\n',
    400,
  ],
  ['in another protocol', 'HELO example.com\r\n\r\n', 400],
  ['with an invalid length', 'POST /api/users/login HTTP/1.1\r\nhost: a\r\ncontent-length: x\r\n\r\n', 400],
  ['with too long a header', `GET / HTTP/1.1\r\nhost: a\r\nx-a: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
])('a request %s is rejected with our own error and all security headers', async (_, text, status) => {
  const answer = await sendRaw(text)
  expect(statusIn(answer)).toBe(status)
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  for (const line of ['x-content-type-options: nosniff', 'cache-control: no-store', 'x-frame-options: DENY'])
    expect(head).toContain(line)
  expect(JSON.parse(body)).toMatchObject({ success: false, code: 'malformed', errors: { server: expect.any(String) } })
})

test('a CONNECT request is not answered and its connection is closed', async () => {
  expect(await sendRaw('CONNECT example.com:443 HTTP/1.1\r\nhost: example.com\r\n\r\n')).toBe('')
})

test('a body sent after 100 Continue is read, and HTTP/1.0 requires no host', async () => {
  const waiting =
    'POST /api/users/login HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}'
  expect(await sendRaw(waiting)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /)
  expect(statusIn(await sendRaw('GET /healthz HTTP/1.0\r\n\r\n'))).toBe(200)
})

test('a private response is not cached, and a path with a file extension is not served as a page', async () => {
  const answer = await call(server, setNickname, { as: client, body: {} })
  expect(answer.headers['cache-control']).toContain('no-store')
  for (const path of ['/profile/x.css', '/trading-accounts.js', '/api/users/current/x.css'])
    expect((await fetch(server.url + path, { headers: { authorization: `Bearer ${client.token}` } })).status).toBe(404)
})

/** Sends raw bytes and returns everything received until the server closes. */
function sendRaw(text: string): Promise<string> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text))
    let answer = ''
    socket.setEncoding('utf8')
    socket.on('data', (part: string) => (answer += part))
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' ? resolve(answer) : reject(error),
    )
    socket.on('close', () => resolve(answer))
  })
}

function statusIn(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0)
}

// There are no files before they are built.
test.runIf(existsSync('dist/portal/index.html'))(
  'an invalid path or header of a file request does not cause a server error',
  async () => {
    for (const path of [
      '/assets//etc/passwd',
      '/assets/%00',
      '/assets/..\\..\\package.json',
      '/office/assets/../../server',
    ])
      expect(await sendRaw(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`), path).toMatch(
        /^HTTP\/1.1 404 /,
      )
    const name = /\/assets\/[\w-]+\.js/.exec(await (await fetch(`${server.url}/`)).text())?.[0]
    const ask = async (headers: Record<string, string>) =>
      (await fetch(`${server.url}${name ?? ''}`, { headers })).status
    expect(await ask({ range: 'bytes=999999999-' })).toBe(200)
    expect(await ask({ 'if-match': '"other"' })).toBe(400)
  },
)
