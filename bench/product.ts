/** The product as `npm start` runs it: its first page loads in a browser, its second start, its memory at rest. */
import { fork, type ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { chromium, type Page } from '@playwright/test'
import { variables } from '#server/config/environment.ts'
import { appsToCompress } from '#scripts/build-apps.ts'
import { findChromium } from '#scripts/chromium.ts'
import { demoSignIns } from '#scripts/demo-sign-ins.ts'
import { usablePort } from '#scripts/simulators.ts'
import { signInNewStaff } from '#tests/e2e/staff.ts'
import {
  accountsBudget,
  addedCodeBytes,
  budgetIn,
  chunkBytesMax,
  inboxBudget,
  measureLoad,
  signInBudget,
  storeLanguage,
  type Budget,
  type PageLoad,
} from '#tests/page-load.ts'
import { productVariable } from '#tests/product.ts'
import { makeBenchFolder, removeDataDir } from './context.ts'
import { resultWithMaximum, type Result } from './results.ts'

const firstStartSecondsMax = 60
const secondStartSecondsMax = 3
const idleMegabytesMax = 150
/** How long a server is idle before its memory is read. */
const restMs = 10_000

interface RunningProduct {
  readonly env: Record<string, string>
  readonly seconds: number
  readonly pid: number
  stop(): Promise<void>
}

/** The first start seeds the demo; page loads are measured on it, and the second start is timed. */
export async function benchProduct(pages: boolean, start: boolean): Promise<{ pages: Result[]; start: Result[] }> {
  const dataDir = makeBenchFolder()
  const results: { pages: Result[]; start: Result[] } = { pages: [], start: [] }
  try {
    const first = await startProduct(dataDir)
    try {
      if (pages) results.pages = await measurePages(first.env)
    } finally {
      await first.stop()
    }
    if (start) {
      const began = resultWithMaximum('first start to ready, packages there', first.seconds, firstStartSecondsMax, 's')
      results.start = [began, ...(await measureSecondStart(dataDir))]
    }
  } finally {
    removeDataDir(dataDir)
  }
  return results
}

async function startProduct(dataDir: string): Promise<RunningProduct> {
  const port = String(await usablePort(0))
  const outer = Object.entries(process.env).filter(([name]) => !Object.hasOwn(variables, name))
  const begun = performance.now()
  const child = fork(join(import.meta.dirname, '..', 'scripts', 'start.ts'), [], {
    env: { ...Object.fromEntries(outer), PORT: port, PORTAL_URL: `http://localhost:${port}`, DATA_DIR: dataDir },
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const env = await waitUntilReady(child)
  const seconds = (performance.now() - begun) / 1000
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  return {
    env,
    seconds,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

function waitUntilReady(child: ChildProcess): Promise<Record<string, string>> {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(`The product did not start.\n${output}`)))
    child.on('message', (message: { ready?: boolean; serverEnv?: Record<string, string> }) => {
      if (message.ready === true) resolve(message.serverEnv ?? {})
    })
  })
}

/** The product begins to compress its pages when it is ready (ADR 325). */
async function waitUntilCompressed(): Promise<void> {
  for (let looks = 0; appsToCompress().length > 0; looks += 1) {
    if (looks === 240) throw new Error('The pages were not compressed within two minutes.')
    await wait(500)
  }
}

async function measurePages(env: Record<string, string>): Promise<Result[]> {
  await waitUntilCompressed()
  process.env[productVariable] = JSON.stringify(env)
  const executablePath = await findChromium()
  const browser = await chromium.launch({
    ...(executablePath === null ? {} : { executablePath }),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  try {
    const page = await browser.newPage({ baseURL: env['PORTAL_URL'] ?? '', locale: 'en-GB' })
    const results = pageLoadResults('login', await measureLoad(page, '/'), signInBudget)
    const inGerman = async (name: string, of: Page, path: string, budget: Budget) => {
      await storeLanguage(of, 'de')
      results.push(...pageLoadResults(`${name} in German`, await measureLoad(of, path), budgetIn('de', budget)))
      await storeLanguage(of, 'en')
    }
    await inGerman('login', page, '/', signInBudget)
    await page.goto('/')
    const client = demoSignIns.find(({ who }) => who === 'client')
    await page.getByLabel('Email').fill(client?.email ?? '')
    await page.getByLabel('Password', { exact: true }).fill(client?.password ?? '')
    await page.getByRole('button', { name: 'SIGN IN' }).press('Enter')
    await page.waitForURL('**/trading-accounts')
    const accounts = await measureLoad(page, '/trading-accounts')
    results.push(...pageLoadResults('accounts', accounts, accountsBudget))
    await inGerman('accounts', page, '/trading-accounts', accountsBudget)
    await page.goto('/trading-accounts')
    const path = await page.locator('a[href^="/trading-accounts/MT5/"]').first().getAttribute('href')
    const account = await measureLoad(page, path ?? '')
    const ownBytes = addedCodeBytes(account, accounts)
    results.push(
      resultWithMaximum('account page, what it adds to accounts', kilobytesOf(ownBytes), chunkBytesMax / 1000, 'kB'),
    )
    const clerk = await signInNewStaff(browser, 'operations', 'Bench Clerk')
    results.push(...pageLoadResults('inbox', await measureLoad(clerk.page, '/office/inbox'), inboxBudget))
    await inGerman('inbox', clerk.page, '/office/inbox', inboxBudget)
    return results
  } finally {
    await browser.close()
  }
}

const kilobytesOf = (bytes: number): number => Math.round(bytes / 100) / 10

function pageLoadResults(name: string, load: PageLoad, budget: Budget): Result[] {
  const parts: [string, number, number | undefined, string][] = [
    ['all bytes', kilobytesOf(load.bytes), budget.bytes / 1000, 'kB'],
    ['JavaScript', kilobytesOf(load.scriptBytes), budget.scriptBytes && budget.scriptBytes / 1000, 'kB'],
    ['font', kilobytesOf(load.fontBytes), budget.fontBytes && budget.fontBytes / 1000, 'kB'],
    ['requests', load.requests.length, budget.requests, ''],
  ]
  return parts.flatMap(([what, measured, most, unit]) =>
    most === undefined ? [] : [resultWithMaximum(`${name}, ${what}`, measured, most, unit)],
  )
}

async function measureSecondStart(dataDir: string): Promise<Result[]> {
  const second = await startProduct(dataDir)
  try {
    const results = [resultWithMaximum('second start to ready', second.seconds, secondStartSecondsMax, 's')]
    await wait(restMs)
    const megabytes = residentMegabytes(second.pid)
    if (megabytes !== null)
      results.push(resultWithMaximum('server with jobs at rest', megabytes, idleMegabytesMax, 'MB'))
    return results
  } finally {
    await second.stop()
  }
}

/** Returns the resident memory of the server's own process, a child of the starter; null if the system has no /proc. */
function residentMegabytes(starter: number): number | null {
  try {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const status = readIfExists(`/proc/${pid}/status`)
      if (!status.includes(`\nPPid:\t${starter}\n`) || !readIfExists(`/proc/${pid}/cmdline`).includes('serve.mjs'))
        continue
      return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024
    }
  } catch {
    // Not Linux.
  }
  return null
}

function readIfExists(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
