/** `npm start`: runs everything that the product needs, in the foreground, until Ctrl-C. */
import { relative } from 'node:path'
import { readConfig, type Config } from '#server/config/config.ts'
import { demoSignIns } from './demo-sign-ins.ts'
import { installFonts } from './fonts.mjs'
import { moveMarkets } from './simulators.ts'
import { buildApps, compressApps } from './build-apps.ts'
import { bundledPrograms } from './server-programs.ts'
import { startStack, type Stack } from './stack.ts'
import { readUsage } from './usage.mjs'

readUsage('start')

const begun = performance.now()
let product: Stack | null = null
let ending = false
const atEnd = new AbortController()

/** Ends in order; immediately on a second request, or while we are still starting. */
async function end(exitCode: number): Promise<void> {
  if (ending) process.exit(exitCode)
  ending = true
  atEnd.abort()
  await product?.stop()
  process.exit(exitCode)
}

function fail(sentence: string): void {
  console.error(sentence)
  void end(1)
}

async function start(): Promise<void> {
  const config = readConfig(process.env)
  product = await startStack({ env: process.env, config, programs: bundledPrograms, meanwhile: build, onGone: fail })
  printAddresses(config, product)
  // Not awaited: until the fonts are installed, documents omit characters and say so.
  void installFonts(atEnd.signal)
  // Nor this: until the copies are there, files are sent uncompressed.
  void compressApps().catch((error: Error) => console.error(error.message))
  process.send?.({ ready: true, port: config.port, serverEnv: product.serverEnv })
  // Browser tests, which fork this, move the market themselves.
  if (process.send === undefined) await moveMarkets(product.serverEnv)
}

async function build(): Promise<void> {
  const built = await buildApps()
  if (built.length > 0) console.log(`Built ${built.join(' and ')}.`)
}

/** Prints one block: the addresses, who can sign in, where mail is shown. */
function printAddresses(config: Config, { demoData }: Stack): void {
  const rows: [string, string][] = [
    ['Portal', `${config.portalUrl}/`],
    ['Back office', `${config.officeUrl}/office/`],
    ['API', `${config.portalUrl}/api/docs`],
    ['Health', `${config.portalUrl}/healthz and /readyz`],
  ]
  if (config.demo) {
    rows.splice(2, 0, ['Demo', `${config.portalUrl}/demo  one-time codes, emails, simulator controls`])
    const isEmpty = demoData !== null && 'none' in demoData
    if (!isEmpty) for (const { who, email, password } of demoSignIns) rows.push([who, `${email}  ${password}`])
    rows.push(['Data and logs', relative(process.cwd(), config.dataDir) || '.'])
  }
  const width = Math.max(...rows.map(([name]) => name.length)) + 3
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  const lines = rows.map(([name, value]) => `  ${name.padEnd(width)}${value}`)
  if (demoData !== null && 'none' in demoData) console.log(`\n${demoData.none}`)
  console.log(`\n${lines.join('\n')}\n\n  Ready after ${seconds} s. Press Ctrl-C to stop.\n`)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']) process.on(signal, () => void end(0))

try {
  await start()
} catch (error) {
  fail(error instanceof Error ? error.message : String(error))
}
