/**
 * `npm run deploy-drill`: follows docs/first-day.md exactly on an empty Debian, in separate namespaces, then opens the
 * first administrator's invitation and has a client deposit and withdraw through Debian's nginx.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { openInvitation } from '#contract/office/session.ts'
import { row } from '#server/db/sql.ts'
import { buildApps, compressApps } from '#scripts/build-apps.ts'
import { databaseAccount, databaseBinaries, spawnOptionsFor } from '#scripts/database-binaries.ts'
import { requireMachine } from '#scripts/deployment-checks.ts'
import { readUsage } from '#scripts/usage.mjs'
import { call } from '../call.ts'
import { startTestServer } from '../factories.ts'
import { startMoneyLoad } from '../faults/money-load.ts'
import { until } from '../until.ts'
import { bareDebian, copyOfCheckout, root } from './machine.ts'
import { backUpAndRestore } from './restored-backup.ts'
import { makeCertificates, startProgram, startSurroundings, proxyTarget, type Surroundings } from './surroundings.ts'

const insideVariable = 'DEPLOY_DRILL_DEBIAN'
const clientsVariable = 'DEPLOY_DRILL_CLIENTS'
const blocks = [...readFileSync(join(root, 'docs', 'first-day.md'), 'utf8').matchAll(/^```sh\n([^]*?)^```$/gm)].map(
  ([, block]) => block ?? '',
)

const superuserPassword = 'of-the-superuser'
const superuserUrl = (database: string) => `postgres://postgres:${superuserPassword}@127.0.0.1:5432/${database}`

/** Enters separate namespaces: ports 80, 443 and 5432 are free there, and mounts and processes end with them. */
async function enterNamespaces(): Promise<void> {
  readUsage('deploy-drill')
  requireMachine('deploy-drill')
  const packages = /^apt-get install -y --no-install-recommends (.+)$/m.exec(blocks[0] ?? '')?.[1]?.split(' ') ?? []
  const debian = await bareDebian(packages)
  const clients = await bareDebian(['postgresql-client-18'], 'forky').catch((error: Error) => {
    console.log(
      `Backup and restore: not run, because Debian's testing suite gives no client of PostgreSQL 18. ${error.message}`,
    )
  })
  await buildApps()
  await compressApps()
  const own = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc']
  const child = spawn('unshare', [...own, process.execPath, import.meta.filename], {
    stdio: 'inherit',
    env: { ...process.env, [insideVariable]: debian, [clientsVariable]: clients ?? '' },
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  process.exit(code ?? 1)
}

/** Creates a cluster with PostgreSQL 18 from npm; returns its directory. */
function makeCluster(around: Surroundings): string {
  console.log('PostgreSQL 18 is the one from npm, not a package of Debian.')
  const account = databaseAccount()
  const [cluster, passwordFile] = [join(around.folder, 'postgres'), join(around.folder, 'postgres.password')]
  mkdirSync(cluster, { mode: 0o700 })
  writeFileSync(passwordFile, superuserPassword)
  if (account) for (const path of [cluster, passwordFile]) chownSync(path, account.uid, account.gid)
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '-E', 'UTF8']
  const args = [
    '-D',
    cluster,
    '-U',
    'postgres',
    '-A',
    'scram-sha-256',
    '--pwfile',
    passwordFile,
    '--no-sync',
    ...locale,
  ]
  const initdb = join(databaseBinaries(account), 'initdb')
  const made = spawnSync(initdb, args, { cwd: '/', encoding: 'utf8', ...spawnOptionsFor(account) })
  if (made.status !== 0) throw new Error(made.stderr)
  return cluster
}

/** Runs a cluster on the document's port; returns a function that stops it. */
async function startPostgres(around: Surroundings, cluster: string): Promise<() => Promise<void>> {
  const account = databaseAccount()
  const settings = ['-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off', '-k', cluster]
  const running = spawn(join(databaseBinaries(account), 'postgres'), ['-D', cluster, ...settings], {
    cwd: '/',
    stdio: 'ignore',
    ...spawnOptionsFor(account),
  })
  const stop = async () => {
    if (running.exitCode !== null) return
    running.kill('SIGINT')
    await once(running, 'exit')
  }
  around.stops.push(stop)
  await until(async () => {
    if (running.exitCode !== null) throw new Error(`PostgreSQL ended with ${running.exitCode}.`)
    const client = new pg.Client(superuserUrl('postgres'))
    return client.connect().then(
      () => client.end().then(() => true),
      () => false,
    )
  })
  return stop
}

/**
 * Prepares the machine before the first block: Debian, Node, the checkout with its packages and apps, the certificates.
 */
function prepareDebian(around: Surroundings, debian: string): string {
  const machine = join(around.folder, 'debian')
  mkdirSync(machine)
  execFileSync('tar', ['-xf', debian, '-C', machine])
  const product = join(machine, 'opt', 'client-portal')
  copyOfCheckout(product)
  execFileSync('cp', ['-al', join(root, 'node_modules'), product])
  cpSync(join(root, 'dist'), join(product, 'dist'), { recursive: true })
  copyFileSync(process.execPath, join(machine, 'usr', 'local', 'bin', 'node'))
  chmodSync(join(machine, 'usr', 'local', 'bin', 'node'), 0o755)
  const certificates = join(machine, 'etc', 'nginx', 'certificates')
  mkdirSync(certificates)
  makeCertificates(certificates)
  copyFileSync(around.env['NODE_EXTRA_CA_CERTS'] ?? '', join(machine, 'etc', 'ssl', 'platform.pem'))
  execFileSync('mount', ['-t', 'proc', 'proc', join(machine, 'proc')])
  execFileSync('mount', ['--bind', '/dev', join(machine, 'dev')])
  return machine
}

/** Runs every block in one shell on that machine; returns their output. Started processes keep running. */
async function runDocumentBlocks(around: Surroundings, machine: string): Promise<string> {
  writeFileSync(join(machine, 'root', 'first-day.sh'), `set -eu\n${blocks.join('\n')}\necho "all blocks have run"\n`)
  const { MT5_LOGIN, MT5_PASSWORD, MT5_URL, SMTP_URL } = around.env
  const log = join(around.folder, 'first-day.log')
  const shell = startProgram('chroot', [machine, '/bin/sh', '/root/first-day.sh'], {
    log,
    env: {
      MT5_LOGIN,
      MT5_PASSWORD,
      MT5_URL,
      SMTP_URL,
      MT5_CA_FILE: '/etc/ssl/platform.pem',
      PGPASSWORD: superuserPassword,
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      HOME: '/root',
      DEBIAN_FRONTEND: 'noninteractive',
    },
  })
  await once(shell.child, 'exit')
  const output = readFileSync(log, 'utf8')
  if (shell.child.exitCode !== 0 || !output.includes('all blocks have run'))
    throw new Error(`A block failed.\n${output.slice(-4000)}`)
  return output
}

/**
 * Opens the invitation through nginx, then makes a deposit and a withdrawal, which the jobs process sends to the
 * platform.
 */
async function depositAndWithdraw(around: Surroundings, machine: string, output: string): Promise<void> {
  const proxy = proxyTarget(join(machine, 'etc', 'nginx', 'certificates'), 443)
  const id = decodeURIComponent(/\/welcome\/(\S+)/.exec(output)?.[1] ?? '')
  const { name, roles } = (await call(proxy, openInvitation, { body: { id } })).answer
  console.log(`✓ The first administrator's link opens through nginx: ${name}, ${roles.join(', ')}.`)
  const secret = (file: string) => readFileSync(join(machine, 'etc', 'client-portal', file), 'utf8').trim()
  const address = (role: string, file: string) => `postgres://${role}:${secret(file)}@127.0.0.1:5432/portal`
  const database = {
    url: address('portal_app', 'database_server'),
    ownerUrl: address('portal_owner', 'database_owner'),
  }
  const { NODE_EXTRA_CA_CERTS: _, ...integrations } = around.env
  const observer = await startTestServer({
    now: new Date(),
    database,
    env: {
      ...integrations,
      MT5_URL: `http://127.0.0.1:${around.platform.port}`,
      MASTER_KEY_FILE: join(machine, 'etc', 'client-portal', 'master.key'),
    },
  })
  const load = await startMoneyLoad({ observer, server: proxy, clients: 1, patienceMs: 120_000 })
  const [actor] = load.actors
  if (!actor) throw new Error('no one acts')
  await load.depositByWire(actor)
  await load.withdraw(actor)
  await until(async () => {
    const left = await row<{ count: number }>(observer.dependencies.pool)`select count(*)::int as count from operations
        where kind <> 'mail' and state not in ('done', 'refused')`
    return left?.count === 0
  })
  const deals = await around.platform.read<unknown[]>(`deals?login=${actor.account.login}&action=2`)
  const found = await row<{ deposit: string; withdrawal: string }>(observer.dependencies.pool)`select
      (select state from deposits) as deposit, (select state from withdrawals) as withdrawal`
  console.log(
    `✓ Through nginx: deposit ${found?.deposit}, withdrawal ${found?.withdrawal}; ${deals.length} balance deals at the platform.`,
  )
  if (
    found?.deposit !== 'approved' ||
    found.withdrawal !== 'approved' ||
    deals.length !== 3 ||
    load.refusals.length > 0
  )
    throw new Error(`That is not what was expected. ${JSON.stringify(load.refusals)}`)
  await observer.stop()
  proxy.agent?.destroy()
}

async function drill(debian: string): Promise<void> {
  execFileSync('ip', ['link', 'set', 'lo', 'up'])
  const around = await startSurroundings()
  try {
    const stopPostgres = await startPostgres(around, makeCluster(around))
    const machine = prepareDebian(around, debian)
    const output = await runDocumentBlocks(around, machine)
    const { stderr: nginx } = spawnSync('chroot', [machine, 'nginx', '-v'], { encoding: 'utf8' })
    console.log(`✓ ${blocks.length} blocks of docs/first-day.md ran on an empty Debian; ${nginx.trim()}.`)
    await depositAndWithdraw(around, machine, output)
    const clientsArchive = process.env[clientsVariable] ?? ''
    if (clientsArchive !== '')
      await backUpAndRestore({
        machine,
        clientsArchive,
        superuserUrl: superuserUrl('portal'),
        startServers: blocks.find((block) => block.startsWith('for process in')) ?? '',
        stopPostgres,
        startPostgres: async (cluster) => void (await startPostgres(around, cluster)),
      })
  } finally {
    // Processes that the document started end with the namespace; its directory can be removed once nothing is mounted
    // in it.
    for (const part of ['proc', 'dev']) spawnSync('umount', ['-l', join(around.folder, 'debian', part)])
    await around.stop()
  }
  process.exit()
}

const debian = process.env[insideVariable]
await (debian === undefined ? enterNamespaces() : drill(debian))
