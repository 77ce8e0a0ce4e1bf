import { readdir, readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { siteOf } from './origins.ts'
import { serverForFile } from '#tests/for-file.ts'

const sites = { PORTAL_URL: 'https://portal.example', OFFICE_URL: 'https://office.example' }
const server = serverForFile({ env: sites })

/** Returns the status of a GET with any Host. */
function statusOf(path: string, host: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    // The path is sent exactly as written.
    const { hostname, port } = new URL(server.url)
    const sent = request({ hostname, port, path, headers: { host, ...headers } }, (answer) => {
      answer.resume()
      answer.once('end', () => resolve(answer.statusCode ?? 0))
    })
    sent.once('error', reject)
    sent.end()
  })
}

/** Returns the endpoints that the sources of a directory import. */
async function endpointsCalledIn(room: string): Promise<Endpoint[]> {
  const folder = new URL(`../../${room}/`, import.meta.url)
  const sources = (await readdir(folder, { recursive: true })).filter((name) => /(?<!\.test)\.tsx?$/.test(name))
  const called = new Map<string, Endpoint>()
  for (const source of sources) {
    const text = await readFile(new URL(source, folder), 'utf8')
    for (const [, names = '', file = ''] of text.matchAll(/import \{([^}]*)\} from '#contract\/([\w/-]+\.ts)'/g)) {
      const contract = (await import(new URL(`../../contract/${file}`, import.meta.url).href)) as Record<
        string,
        unknown
      >
      for (const name of names.split(',').map((one) => one.trim().split(' as ')[0] ?? '')) {
        const found = contract[name]
        if (isEndpoint(found)) called.set(found.name, found)
      }
    }
  }
  return [...called.values()]
}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'path' in value && 'method' in value && 'access' in value
}

test.each([
  ['/api/settings', 'portal.example', 200],
  ['/api/settings', 'office.example', 200],
  ['/api/users/current', 'office.example', 404],
  ['/api/accounts/getDemoAccounts', 'office.example', 404],
  ['/api/docs', 'office.example', 404],
  ['/api/backoffice/current', 'portal.example', 404],
  ['/office/', 'portal.example', 404],
  ['/office', 'portal.example', 404],
  ['/', 'office.example', 404],
  ['/api/settings', 'evil.example', 404],
  ['/api/settings', 'portal.example.evil', 404],
  ['/healthz', '10.0.0.7:3000', 200],
  ['/readyz', 'office.example', 200],
  ['/brand.css', 'office.example', 200],
  ['/brand-0123456789ab.css', 'office.example', 200],
  ['/api/%62ackoffice/current', 'portal.example', 404],
  ['/%61pi/backoffice/inbox', 'portal.example', 404],
  ['/api/%62ackoffice/current', 'office.example', 401],
  ['http://office.example/api/backoffice/current', 'portal.example', 404],
  ['/api/users/%63urrent', 'office.example', 404],
  ['/%6fffice/', 'portal.example', 404],
])('a GET of %s at the host %s returns %i', async (path, host, status) => {
  expect(await statusOf(path, host)).toBe(status)
})

test('every endpoint that the back-office pages call is available at the back-office origin', async () => {
  const called = (await Promise.all(['office', 'ui'].map(endpointsCalledIn))).flat()
  expect(called.length).toBeGreaterThan(50)
  const refused: string[] = []
  for (const { method, path } of called) {
    const isRead = method === 'GET' && !path.startsWith('/api/backoffice/')
    if (isRead && (await statusOf(path, 'office.example')) === 404) refused.push(`${method} ${path}`)
    if (!isRead && !path.startsWith('/api/backoffice/')) refused.push(`${method} ${path}`)
  }
  expect(refused).toEqual([])
})

test('a back-office endpoint at the back-office origin requires a token', async () => {
  expect(await statusOf('/api/backoffice/inbox', 'office.example')).toBe(401)
})

test('a forwarded host header is ignored', async () => {
  expect(await statusOf('/api/backoffice/inbox', 'portal.example', { 'x-forwarded-host': 'office.example' })).toBe(404)
})

test('the default port of the scheme may be given or omitted, and another port is another origin', () => {
  const both = { portalUrl: 'https://portal.example', officeUrl: 'https://portal.example:8443' }
  expect(siteOf('portal.example:443', both)).toBe('portal')
  expect(siteOf('PORTAL.example', both)).toBe('portal')
  expect(siteOf('portal.example:8443', both)).toBe('office')
  for (const host of [undefined, '', 'portal.example/x', 'portal.example@evil', 'evil'])
    expect(siteOf(host, both)).toBeNull()
})
