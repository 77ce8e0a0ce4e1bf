/**
 * The environment of the product in a drill: the broker's platform and mail server over TLS, certificates, and
 * processes.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:https'
import type { LookupFunction } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSimulator, type RunningSimulator } from '../start-simulator.ts'
import { tlsProxy } from '../tls-proxy.ts'
import { mt5Environment } from '../funded-account.ts'
import type { CallTarget } from '../call.ts'

export const portalName = 'portal.example.com'
export const officeName = 'office.example.com'

export interface Surroundings {
  readonly folder: string
  readonly platform: RunningSimulator
  readonly mailbox: RunningSimulator
  /** The integrations, as a production server's environment. */
  readonly env: Readonly<Record<string, string>>
  /** `stop` ends everything that was started, the last one first. */
  readonly stops: (() => unknown)[]
  stop(): Promise<void>
}

export async function startSurroundings(): Promise<Surroundings> {
  const folder = mkdtempSync(join(tmpdir(), 'portal-deployment-'))
  chmodSync(folder, 0o711)
  const stops: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
  const platform = await startSimulator('mt5')
  stops.push(() => platform.stop())
  const mailbox = await startSimulator('mailbox')
  stops.push(() => mailbox.stop())
  const secure = await tlsProxy(platform.port)
  stops.push(() => secure.stop())
  const authority = join(folder, 'platform.pem')
  writeFileSync(authority, secure.certificate)
  const env = {
    ...mt5Environment(platform),
    MT5_URL: `https://localhost:${secure.port}`,
    NODE_EXTRA_CA_CERTS: authority,
    SMTP_URL: `smtp://127.0.0.1:${mailbox.port}`,
    MAIL_FROM: 'noreply@example.com',
    PORTAL_URL: `https://${portalName}`,
    OFFICE_URL: `https://${officeName}`,
  }
  return {
    folder,
    platform,
    mailbox,
    env,
    stops,
    async stop() {
      for (const one of stops.splice(0).toReversed()) await one()
    },
  }
}

/** Writes key and certificate of both names, like an operator's own. */
export function makeCertificates(folder: string): void {
  for (const [file, name] of [
    ['portal', portalName],
    ['office', officeName],
  ]) {
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
    const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`]
    const to = ['-keyout', join(folder, `${file}.key`), '-out', join(folder, `${file}.pem`)]
    execFileSync('openssl', ['req', '-x509', ...curve, ...subject, ...to], { stdio: 'ignore' })
  }
}

/** Returns the proxy on this machine, reached under the product's own names and trusted by its certificates. */
export function proxyTarget(certificates: string, port: number): CallTarget {
  const ca = ['portal', 'office'].map((name) => readFileSync(join(certificates, `${name}.pem`), 'utf8'))
  const lookup: LookupFunction = (_name, { all }, found) => {
    if (all) found(null, [{ address: '127.0.0.1', family: 4 }])
    else found(null, '127.0.0.1', 4)
  }
  const agent = new Agent({ keepAlive: true, ca, lookup })
  return { url: `https://${portalName}:${port}`, officeUrl: `https://${officeName}:${port}`, agent }
}

export interface Program {
  readonly child: ChildProcess
  /** Sends SIGTERM; returns the exit code. */
  stop(): Promise<number | null>
}

/** Starts a program with its output in a file. */
export function startProgram(
  command: string,
  args: readonly string[],
  options: { readonly env: NodeJS.ProcessEnv; readonly log: string; readonly cwd?: string },
): Program {
  const log = openSync(options.log, 'a')
  const { env, cwd } = options
  const child = spawn(command, args, { env, stdio: ['ignore', log, log], ...(cwd === undefined ? {} : { cwd }) })
  closeSync(log)
  return {
    child,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM')
        await once(child, 'exit')
      }
      return child.exitCode
    },
  }
}
