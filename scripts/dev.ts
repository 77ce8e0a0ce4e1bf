/**
 * `npm run dev`: the product with hot reload. Vite serves both front ends on PORT, the server runs behind it and is
 * restarted when its files change; database, simulators and demo data keep running.
 */
import { watch } from 'node:fs'
import { dirname, join } from 'node:path'
import { createServer, type ViteDevServer } from 'vite'
import { readConfig } from '#server/config/config.ts'
import { sourcePrograms } from './server-programs.ts'
import { startStack, type Stack } from './stack.ts'
import { moveMarkets, usablePort } from './simulators.ts'
import { readUsage } from './usage.mjs'

readUsage('dev')

const root = dirname(import.meta.dirname)
const watchedRooms = ['server', 'contract', 'rules', 'scripts']
/** Paths of the server in addition to those that the apps' own configurations proxy. */
const serverPaths = ['^/demo(/|$)', '^/healthz$', '^/readyz$']
/** An editor writes several files together. */
const settleMs = 150

let product: Stack | null = null
const vites: ViteDevServer[] = []
let ending = false

async function end(exitCode: number): Promise<void> {
  if (ending) process.exit(exitCode)
  ending = true
  await Promise.all(vites.map((vite) => vite.close()))
  await product?.stop()
  process.exit(exitCode)
}

async function start(): Promise<void> {
  const outer = readConfig(process.env)
  const origin = `http://localhost:${outer.port}`
  const env = { ...process.env, PORT: String(await usablePort(outer.port + 1)), PORTAL_URL: origin, OFFICE_URL: origin }
  const config = readConfig(env)
  const onGone = (sentence: string): void => {
    console.error(sentence)
    void end(1)
  }
  product = await startStack({
    env,
    config,
    programs: () => Promise.resolve(sourcePrograms()),
    meanwhile: () => Promise.resolve(),
    onGone,
  })
  await moveMarkets(product.serverEnv)
  const server = `http://127.0.0.1:${config.port}`
  process.env['API_URL'] = server

  const officePort = await usablePort(outer.port + 2)
  vites.push(await startVite('office', officePort, {}))
  const toServer = Object.fromEntries(serverPaths.map((path) => [path, { target: server }]))
  vites.push(
    await startVite('portal', outer.port, {
      ...toServer,
      '^/email/confirm/': { target: server, bypass: pageForNavigation },
      // The page /upload-documents starts like the call.
      '/upload': { bypass: pageForNavigation },
      '^/office(/|$)': { target: `http://127.0.0.1:${officePort}` },
    }),
  )
  watchServer(product)
  console.log(`\n  Portal        ${origin}/\n  Back office   ${origin}/office/\n  Demo          ${origin}/demo\n`)
  console.log(`  The server's log is ${join(config.dataDir, 'server.log')}. Press Ctrl-C to stop.\n`)
}

/** A page and a call share one address: a navigation gets the page (requirements 15.17). */
function pageForNavigation({ headers, url }: { headers: { accept?: string }; url?: string }): string | undefined {
  return headers.accept?.includes('text/html') === true ? url : undefined
}

async function startVite(app: string, port: number, proxy: Record<string, object>): Promise<ViteDevServer> {
  const vite = await createServer({
    configFile: join(root, app, 'vite.config.ts'),
    logLevel: 'warn',
    // The build maps each icon to its own module: if they were optimized one by one, each newly found one would reload
    // the page.
    optimizeDeps: { exclude: ['@tabler/icons-react'] },
    // Pages of the office are served through the portal's address; its hot reload connects directly.
    server: { port, strictPort: true, host: '127.0.0.1', proxy, ws: { clientPort: port } },
  })
  return vite.listen()
}

function watchServer(running: Stack): void {
  let timer: NodeJS.Timeout | undefined
  let restarting = Promise.resolve()
  const restart = async (): Promise<void> => {
    const begun = performance.now()
    try {
      await running.restartServer()
      console.log(`  Server restarted in ${((performance.now() - begun) / 1000).toFixed(1)} s.`)
    } catch (error) {
      console.error((error as Error).message)
    }
  }
  for (const folder of watchedRooms)
    watch(join(root, folder), { recursive: true }, (_, file) => {
      if (file === null || !/\.(ts|sql)$/.test(file) || file.endsWith('.test.ts')) return
      clearTimeout(timer)
      timer = setTimeout(() => (restarting = restarting.then(restart)), settleMs)
    })
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void end(0))

try {
  await start()
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  void end(1)
}
