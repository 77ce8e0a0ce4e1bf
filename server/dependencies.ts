/** Dependencies of all handlers, created in `app.ts`. */
import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from 'pg'
import type { Config } from './config/config.ts'
import type { Keys } from './crypto/keys.ts'
import type { PaymentProvider } from './integrations/card-provider/payment-provider.ts'
import type { FileScanner } from './integrations/file-scanner/file-scanner.ts'
import type { FileStore } from './integrations/file-store/file-store.ts'
import type { MailTransport } from './integrations/mail/mail-transport.ts'
import type { TradingServer } from './integrations/trading-platform/trading-server.ts'
import type { BreachedPasswords } from './auth/breached-passwords.ts'
import type { IpLocations } from './http/ip-locations.ts'
import type { Settings } from './settings/settings.ts'

export type Platform = 'MT4' | 'MT5'

export interface Dependencies {
  readonly config: Config
  /** The pool for requests; jobs and operations use their own. */
  readonly pool: Pool
  readonly jobs: Pool
  readonly keys: Keys
  readonly settings: Settings
  /** A platform that is not connected throws Unavailable at each call. */
  readonly platforms: Readonly<Record<Platform, TradingServer>>
  readonly cards: PaymentProvider | null
  readonly mail: MailTransport
  readonly files: FileStore
  readonly breachedPasswords: BreachedPasswords
  readonly ipLocations: IpLocations
  readonly scanner: FileScanner | null
  readonly log: FastifyBaseLogger
  /** Aborted as soon as the server must stop: from then on it drains for `config.drainMs` (ADR 193). */
  readonly stopping: AbortSignal
  readonly now: () => Date
  /** Delays a response by this number of ms; tests record it instead. */
  readonly pause: (ms: number) => Promise<unknown>
}

/** Returns whether the environment has an address for a platform; operations of one without an address stay pending. */
export function isConnected(dependencies: Pick<Dependencies, 'config'>, platform: Platform): boolean {
  return (platform === 'MT4' ? dependencies.config.mt4 : dependencies.config.mt5) !== null
}

/** Returns the platforms that the environment has an address for. */
export function connectedPlatforms(dependencies: Pick<Dependencies, 'config'>): Platform[] {
  return (['MT4', 'MT5'] as const).filter((platform) => isConnected(dependencies, platform))
}
