/**
 * The integrations of the demo: simulators as separate programs, on loopback, with secrets and ports that stay the same
 * over restarts, so that unfinished work (such as an open checkout) can continue.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '#server/config/config.ts'
import type { Environment } from '#server/config/read-variable.ts'
import { webhookPath } from '#server/integrations/card-provider/payment-provider.ts'
import { keepRunning, type ChildProgram } from './child-process.ts'

interface SimulatorState {
  readonly secret: string
  readonly port: number
  readonly switchPort: number
}

interface Simulator {
  readonly name: string
  readonly needed: (config: Config) => boolean
  /** The program's environment, in addition to its ports and its state. */
  readonly env: (secret: string, config: Config) => Environment
  /** The server's environment. */
  readonly serverEnv: (kept: SimulatorState) => Environment
}

const localUrl = (port: number) => `http://127.0.0.1:${port}`

export const simulators: readonly Simulator[] = [
  {
    name: 'mt5',
    needed: (config) => config.mt5 === null,
    env: (secret) => ({ MANAGER_LOGIN: '1000', MANAGER_PASSWORD: secret }),
    serverEnv: ({ secret, port, switchPort }) => ({
      MT5_URL: localUrl(port),
      MT5_LOGIN: '1000',
      MT5_PASSWORD: secret,
      DEMO_MT5_SWITCHES_URL: localUrl(switchPort),
    }),
  },
  {
    name: 'mt4-gateway',
    needed: (config) => config.mt4 === null,
    env: (secret) => ({ GATEWAY_KEY: 'portal', GATEWAY_SECRET: secret }),
    serverEnv: ({ secret, port, switchPort }) => ({
      MT4_URL: localUrl(port),
      MT4_KEY: 'portal',
      MT4_SECRET: secret,
      DEMO_MT4_SWITCHES_URL: localUrl(switchPort),
    }),
  },
  {
    name: 'card-provider',
    needed: (config) => config.card === null,
    env: (secret, { portalUrl }) => ({
      MERCHANT_ID: '1234',
      API_KEY: 'portal',
      API_SECRET: secret,
      WEBHOOK_KEY: 'portal-webhooks',
      WEBHOOK_SECRET: `${secret}-webhooks`,
      WEBHOOK_URL: `${portalUrl}${webhookPath}`,
    }),
    serverEnv: ({ secret, port, switchPort }) => ({
      CARD_URL: localUrl(port),
      CARD_MERCHANT: '1234',
      CARD_KEY: 'portal',
      CARD_SECRET: secret,
      CARD_ASTROPAY_PRODUCT: '9001',
      CARD_WEBHOOK_KEY: 'portal-webhooks',
      CARD_WEBHOOK_SECRET: `${secret}-webhooks`,
      DEMO_CARD_SWITCHES_URL: localUrl(switchPort),
    }),
  },
  {
    name: 'mailbox',
    needed: (config) => config.mail.smtpUrl === null,
    env: () => ({}),
    serverEnv: ({ port, switchPort }) => ({
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      DEMO_MAILBOX_URL: localUrl(switchPort),
    }),
  },
]

export interface Simulators {
  /** The variables for the server's start. */
  readonly serverEnv: Environment
  stop(): Promise<void>
}

/** Starts a simulator for every integration that the environment does not name. */
export async function startSimulators(config: Config, onGone: (sentence: string) => void): Promise<Simulators> {
  return startEach(
    simulators.filter((simulator) => simulator.needed(config)),
    config,
    onGone,
  )
}

/** Starts only the mailbox. */
export async function startMailbox(config: Config, onGone: (sentence: string) => void): Promise<Simulators> {
  return startEach(
    simulators.filter(({ name }) => name === 'mailbox'),
    config,
    onGone,
  )
}

/** Makes the market of the demo's platforms move, from now until they end. */
export async function moveMarkets(serverEnv: Environment): Promise<void> {
  for (const switches of [serverEnv['DEMO_MT5_SWITCHES_URL'], serverEnv['DEMO_MT4_SWITCHES_URL']])
    if (switches !== undefined)
      await fetch(`${switches}/market/walk`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ on: true }),
      })
}

async function startEach(
  needed: readonly Simulator[],
  config: Config,
  onGone: (sentence: string) => void,
): Promise<Simulators> {
  const folder = join(config.dataDir, 'simulators')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const started = await Promise.allSettled(needed.map((simulator) => startProgramOf(simulator, config, folder, onGone)))
  const running = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const stop = async () => {
    await Promise.all(running.map(({ program }) => program.stop()))
  }
  const failed = started.find((result) => result.status === 'rejected')
  if (failed !== undefined) {
    await stop()
    throw failed.reason
  }
  return { serverEnv: Object.assign({}, ...running.map((one) => one.serverEnv)) as Environment, stop }
}

async function startProgramOf(
  simulator: Simulator,
  config: Config,
  folder: string,
  onGone: (sentence: string) => void,
): Promise<{ program: ChildProgram; serverEnv: Environment }> {
  const kept = await loadSimulatorState(join(folder, `${simulator.name}.json`))
  const program = await keepRunning({
    script: join(import.meta.dirname, '..', 'simulators', simulator.name, 'main.ts'),
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: join(config.dataDir, 'compiled'),
      STATE_FILE: join(folder, `${simulator.name}.jsonl`),
      PORT: String(kept.port),
      SWITCH_PORT: String(kept.switchPort),
      ...simulator.env(kept.secret, config),
    },
    log: join(folder, `${simulator.name}.log`),
    onGone,
  })
  return { program, serverEnv: simulator.serverEnv(kept) }
}

/** Returns the previous ports and secret; a port that another process has taken meanwhile is replaced. */
async function loadSimulatorState(file: string): Promise<SimulatorState> {
  const last = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as SimulatorState) : null
  const kept: SimulatorState = {
    secret: last?.secret ?? `Aa1-${randomBytes(18).toString('base64url')}`,
    port: await usablePort(last?.port ?? 0),
    switchPort: await usablePort(last?.switchPort ?? 0),
  }
  writeFileSync(file, JSON.stringify(kept), { mode: 0o600 })
  return kept
}

/** Ports that were already returned: a free one may be found twice before its first owner listens. */
const returnedPorts = new Set<number>()

/** Free ports that were recently given to other processes. */
const reservedPortsFolder = join(tmpdir(), `portal-ports-${process.getuid?.() ?? 0}`)
const portReservationMs = 120_000

/** Below those that systems use for outgoing connections, which would take a port before its owner listens. */
const ports = { least: 20_000, most: 29_999 }

/** Returns the wanted port if it is free on loopback, otherwise any free one; each is returned once. */
export async function usablePort(wanted: number): Promise<number> {
  const port = wanted === 0 ? randomInt(ports.least, ports.most + 1) : wanted
  // Recorded first: checking whether a port is free takes it for a moment, which its owner may need to listen.
  if (returnedPorts.has(port) || (wanted === 0 && !reservePort(port)) || !(await isPortFree(port))) return usablePort(0)
  returnedPorts.add(port)
  return port
}

async function isPortFree(port: number): Promise<boolean> {
  const server = createServer()
  const listens = await new Promise<boolean>((answer) => {
    server.once('error', () => answer(false))
    server.listen(port, '127.0.0.1', () => answer(true))
  })
  if (listens) await new Promise((closed) => server.close(closed))
  return listens
}

/** Records that a port is given; returns false if another process may still be about to listen on it. */
function reservePort(port: number): boolean {
  mkdirSync(reservedPortsFolder, { recursive: true, mode: 0o700 })
  const file = join(reservedPortsFolder, String(port))
  const found = statSync(file, { throwIfNoEntry: false })
  if (found && Date.now() - found.mtimeMs > portReservationMs) rmSync(file, { force: true })
  try {
    writeFileSync(file, '', { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
