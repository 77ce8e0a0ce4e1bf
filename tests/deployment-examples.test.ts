/**
 * The assumptions that the examples in deploy/ make about each other, checked without root, nginx or buildah; the
 * commands image, drain and deploy-drill test them for real (ADR 195).
 */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type ClientRequest } from 'node:http'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { officeEndpoints } from '#contract/endpoints.ts'
import { readConfig } from '#server/config/config.ts'
import { deploymentChecks, missingFor } from '#scripts/deployment-checks.ts'
import { usablePort } from '#scripts/simulators.ts'
import { startNginx, testNginx, writeNginx } from './deployment/nginx.ts'
import { makeCertificates, proxyTarget } from './deployment/surroundings.ts'
import { until } from './until.ts'

const root = dirname(import.meta.dirname)
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const nginx = read('deploy/nginx/portal.conf')
const manifests = read('deploy/kubernetes/product.yaml')
const compose = read('deploy/compose/compose.yaml')
const containerfile = read('deploy/Containerfile')

/** Returns the directives of a file, without comments. */
const directives = (text: string) => text.replaceAll(/^\s*#.*$/gm, '')
const number = (pattern: RegExp, text: string) => Number(pattern.exec(text)?.[1] ?? Number.NaN)

/** The handlers that tell whether a promise was fulfilled. */
const isSettled = [() => true, () => false] as const

const drainSeconds =
  readConfig({
    NODE_ENV: 'production',
    PORTAL_URL: 'https://portal.example',
    OFFICE_URL: 'https://office.example',
    DATABASE_URL: 'postgres://app@db.example/portal',
    MASTER_KEY_FILE: '/run/master.key',
    SMTP_URL: 'smtp://mail.example',
    MAIL_FROM: 'noreply@example.com',
    MT5_URL: 'https://mt5.example',
    MT5_LOGIN: '1000',
    MT5_PASSWORD: 'secret',
  }).drainMs / 1000

test('nginx retries only unsent requests on the other server, and closes idle connections before a server has drained', () => {
  const all = directives(nginx + read('deploy/nginx/to-product.conf') + read('deploy/nginx/every-server.conf'))
  expect(all.match(/server web-\d:3000 max_fails=1 fail_timeout=2s;/g)).toHaveLength(2)
  expect(all.match(/proxy_next_upstream [^;]*;/g)).toEqual(['proxy_next_upstream error;'])
  expect(all).not.toContain('non_idempotent')
  expect(number(/keepalive_timeout (\d+)s/, all)).toBeLessThan(drainSeconds)
  expect(number(/fail_timeout=(\d+)s/, all)).toBeLessThan(drainSeconds)
  expect(all).toContain('proxy_set_header X-Request-Id $request_id;')
  expect(all).toMatch(/log_format without_secrets [^;]*\$request_id/)
})

test('nginx 1.22 can load the example beside its own nginx.conf: the http block has no TLS settings', () => {
  const inHttp = directives(nginx).replaceAll(/^server \{[^]*?^\}/gm, '')
  expect(inHttp).toContain('upstream product')
  expect(inHttp).not.toMatch(/\b(ssl_\w+|server_tokens|gzip|sendfile|access_log)\b/)
  expect(directives(nginx)).not.toMatch(/\bhttp2 on\b/)
  const servers = directives(nginx).match(/^server \{[^]*?^\}/gm) ?? []
  const ownNames = servers.filter((text) => text.includes('ssl_certificate '))
  expect(ownNames).toHaveLength(2)
  for (const text of ownNames) expect(text).toContain('include /etc/nginx/every-server.conf;')
})

test('nginx accepts the largest body of the back office', () => {
  const location = /location \/api\/backoffice\/ \{[^]*?^ {2}\}/m.exec(directives(nginx))?.[0] ?? ''
  const largest = Math.max(...officeEndpoints.map(({ bodyBytesMax }) => bodyBytesMax ?? 0))
  expect(number(/client_max_body_size (\d+)m;/, location) * 1024 * 1024).toBeGreaterThan(largest)
})

test('streams are not buffered, time out later than their heartbeats are apart, and leave room for a company behind one address', () => {
  const locations = directives(nginx).match(/location = \S+ \{[^]*?^ {2}\}/gm) ?? []
  const streams = locations.filter((text) =>
    /location = (\/api\/accounts\/live|\/api\/backoffice\/changes) /.test(text),
  )
  expect(streams).toHaveLength(2)
  for (const text of streams) {
    expect(text).toContain('proxy_buffering off;')
    // Four heartbeats may be lost.
    expect(number(/proxy_read_timeout (\d+)s/, text)).toBe(90)
  }
  expect(streams[0]).toContain('limit_conn streams 1000;')
  expect(nginx).toContain('zone=streams:10m')
  expect(manifests).toContain("proxy-buffering: 'off'")
  expect(number(/proxy-read-timeout: '(\d+)'/, manifests)).toBeGreaterThan(20)
})

test('the comment of the nginx example and the operations guide require enough connections for those streams', () => {
  const streams = number(/limit_conn streams (\d+);/, nginx)
  for (const text of [nginx, read('docs/operations.md')]) {
    const connections = number(/worker_connections (\d+);/, text)
    // Each stream needs a connection to the browser and one to the product, in addition to pages and calls.
    expect(connections).toBeGreaterThan(2 * 2 * streams)
    expect(number(/worker_rlimit_nofile (\d+);/, text)).toBeGreaterThanOrEqual(2 * connections)
  }
})

const lacking = missingFor('drain')
test.skipIf(lacking.length > 0)('nginx opens 101 streams to one address and sends their data immediately', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'portal-nginx-'))
  const product = createServer((_request, answer) => {
    answer.writeHead(200, { 'content-type': 'text/event-stream' })
    answer.write(': open\n\n')
  }).listen(0, '127.0.0.1')
  await once(product, 'listening')
  const { port } = product.address() as AddressInfo
  const [plain, secure] = [await usablePort(0), await usablePort(0)]
  const home = writeNginx({ folder, ports: { plain, secure }, upstreams: [port, port] })
  makeCertificates(join(home, 'certificates'))
  testNginx(home)
  const running = startNginx(home)
  const { url, agent } = proxyTarget(join(home, 'certificates'), secure)
  const opened: ClientRequest[] = []
  const first = (path: string) =>
    new Promise<string>((resolve, reject) => {
      const asked = request(new URL(path, url), { agent }, (answer) => {
        answer.once('data', (part: Buffer) => resolve(`${answer.statusCode} ${part.toString()}`)).on('error', reject)
      })
      opened.push(asked)
      asked.on('error', reject).end()
    })
  try {
    await until(() => first('/healthz').then(...isSettled))
    const streams = Array.from({ length: 101 }, () => first('/api/accounts/live?ids=a'))
    expect(new Set(await Promise.all(streams))).toEqual(new Set(['200 : open\n\n']))
  } finally {
    for (const one of opened) one.on('error', () => undefined).destroy()
    agent?.destroy()
    await running.stop()
    product.closeAllConnections()
    product.close()
    rmSync(folder, { recursive: true })
  }
})

test('Kubernetes stops routing to a server before it stops listening, and kills it only after its whole shutdown time', () => {
  const [web = ''] = /kind: Deployment\nmetadata: \{ name: web[^]*?^---/m.exec(manifests) ?? []
  const probe = /readinessProbe: \{ httpGet: \{ path: \/readyz, port: http \}, (.*) \}/.exec(web)?.[1] ?? ''
  expect(number(/periodSeconds: (\d+)/, probe) * number(/failureThreshold: (\d+)/, probe)).toBeLessThan(drainSeconds)
  expect(web).toMatch(/livenessProbe: \{ httpGet: \{ path: \/healthz,/)
  const answersAndJobs = 18
  const grace = [...manifests.matchAll(/terminationGracePeriodSeconds: (\d+)/g)].map(([, seconds]) => Number(seconds))
  grace.push(number(/stop_grace_period: (\d+)s/, compose))
  expect(grace).toHaveLength(3)
  for (const seconds of grace) expect(seconds).toBeGreaterThan(drainSeconds + answersAndJobs)
  expect(manifests).toMatch(/proxy-next-upstream: error\n/)
})

test('the health check is configured in the image and in compose, and the programs that the image names exist', () => {
  expect(containerfile).toMatch(/^HEALTHCHECK .*CMD \["node", "scripts\/health\.mjs"\]$/m)
  expect(compose).toContain('test: [CMD, node, scripts/health.mjs]')
  // A cluster that is being created responds on its socket, before its roles exist.
  expect(compose).toContain('test: [CMD, pg_isready, -h, 127.0.0.1,')
  for (const [program] of containerfile.matchAll(/scripts\/[\w-]+\.(mjs|ts)/g))
    expect(existsSync(join(root, program))).toBe(true)
})

test('the image has the document engine and the fonts in a layer that changes only with the lock files', () => {
  expect(containerfile.match(/^COPY --from=\w+ .*$/gm)?.slice(-3)).toEqual([
    'COPY --from=documents --chown=0:0 /documents ./',
    'COPY --from=packages --chown=0:0 /build/node_modules ./node_modules',
    'COPY --from=build --chown=0:0 /product ./',
  ])
  const stages = containerfile.split(/^FROM /m).filter((stage) => /AS (?:packages|documents)\n/.test(stage))
  expect(stages).toHaveLength(2)
  for (const stage of stages) expect(stage).not.toMatch(/^COPY \. /m)
})

test('only named paths enter the build, without the secrets inside them', () => {
  expect(read('.dockerignore')).toBe(read('.containerignore'))
  const rules = directives(read('.containerignore'))
    .split('\n')
    .filter((line) => line !== '')
  expect(rules[0]).toBe('*')
  const named = rules.filter((rule) => rule.startsWith('!')).map((rule) => rule.slice(1))
  for (const path of ['deploy', '.git', '.data', '.env', 'dist', 'node_modules']) expect(named).not.toContain(path)
  for (const path of named) expect(existsSync(join(root, path)), path).toBe(true)
  for (const secret of ['**/*.env', '**/*.key', '**/*.pem', '**/secrets']) expect(rules).toContain(secret)
  expect(rules.findIndex((rule) => rule.startsWith('**'))).toBeGreaterThan(
    rules.findLastIndex((rule) => rule.startsWith('!')),
  )
})

test('the health check fails if no server responds', () => {
  const run = () =>
    execFileSync(process.execPath, [join(root, 'scripts/health.mjs')], { env: { PORT: '1' }, stdio: 'ignore' })
  expect(run).toThrow()
})

test('the first-day guide names files that exist, and its code blocks are valid shell scripts', () => {
  const day = read('docs/first-day.md')
  const blocks = [...day.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block]) => block ?? '')
  expect(blocks.length).toBe(day.split('```sh').length - 1)
  expect(blocks.length).toBeGreaterThan(8)
  const folder = mkdtempSync(join(tmpdir(), 'portal-first-day-'))
  writeFileSync(join(folder, 'day.sh'), blocks.join('\n'))
  execFileSync('sh', ['-n', join(folder, 'day.sh')])
  rmSync(folder, { recursive: true })
  for (const [path] of day.matchAll(/\b(scripts|deploy)\/[\w./-]+\.(ts|mjs|conf)/g))
    expect(existsSync(join(root, path)), path).toBe(true)
})

test('each deployment check lists its requirements, and .ci/run runs all of them', () => {
  const ci = read('.ci/run')
  for (const check of Object.keys(deploymentChecks) as (keyof typeof deploymentChecks)[]) {
    expect(ci).toContain(check)
    expect(JSON.parse(read('package.json'))).toHaveProperty(['scripts', check])
    expect(Array.isArray(missingFor(check))).toBe(true)
  }
  expect(globSync('tests/deployment/*.ts', { cwd: root }).length).toBeGreaterThan(4)
})
