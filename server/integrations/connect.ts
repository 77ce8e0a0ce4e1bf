/** Connects the adapters of the integrations with the configured addresses. */
import type { FastifyBaseLogger } from 'fastify'
import type { IntegrationName } from '#contract/office/overview.ts'
import type { Config } from '../config/config.ts'
import { webhookPath } from './card-provider/payment-provider.ts'
import { worldline } from './card-provider/worldline/worldline.ts'
import { Unavailable } from './errors.ts'
import { CallCounts } from './call-counts.ts'
import { clamd } from './file-scanner/clamd.ts'
import { smtpMail } from './mail/smtp.ts'
import type { MailTransport } from './mail/mail-transport.ts'
import { mt4 } from './trading-platform/mt4/mt4.ts'
import { mt5 } from './trading-platform/mt5/mt5.ts'
import type { ClockReadings } from './trading-platform/server-clock.ts'
import type { TradingServer } from './trading-platform/trading-server.ts'
import type { Dependencies } from '../dependencies.ts'

type IntegrationDependencies = Pick<Dependencies, 'platforms' | 'cards' | 'mail' | 'scanner'>

/** Creates the configured adapters. Nothing is called yet: an unavailable integration does not delay the start. */
export function connectIntegrations(
  config: Config,
  log: FastifyBaseLogger,
  now: () => Date = () => new Date(),
  clock?: () => Promise<ClockReadings>,
): { parts: IntegrationDependencies; calls: CallCounts; close(): Promise<void> } {
  const counts = new CallCounts(now)
  const calls = (name: IntegrationName) => ({ calls: counts.of(name) })
  const platforms = {
    MT4: config.mt4 ? mt4({ ...config.mt4, log, now, ...calls('MT4') }) : unconnectedPlatform('MetaTrader 4'),
    MT5: config.mt5
      ? mt5({ ...config.mt5, log, now, ...calls('MT5'), ...(clock && { clock }) })
      : unconnectedPlatform('MetaTrader 5'),
  }
  const cards = config.card
    ? worldline({ ...config.card, webhookUrl: `${config.portalUrl}${webhookPath}`, log, ...calls('card') })
    : null
  return {
    parts: {
      platforms,
      cards,
      mail: config.mail.smtpUrl
        ? smtpMail({ ...config.mail, url: config.mail.smtpUrl, log, now, ...calls('mail') })
        : unconnectedMail,
      scanner: config.clamd ? clamd({ ...config.clamd, log, ...calls('scanner') }) : null,
    },
    calls: counts,
    async close() {
      cards?.close()
      await Promise.all([platforms.MT4.close(), platforms.MT5.close()])
    },
  }
}

/** Returns a platform without an address: every call throws, and what depends on it stays pending. */
function unconnectedPlatform(name: string): TradingServer {
  const absent = async (): Promise<never> => {
    throw new Unavailable(`${name} is not connected.`)
  }
  const platform: TradingServer = {
    createAccount: absent,
    findAccountByRef: absent,
    setLeverage: absent,
    setPassword: absent,
    getAccount: absent,
    applyBalance: absent,
    findBalanceOperation: absent,
    balanceOperations: absent,
    balanceOperationsSince: absent,
    accountsOpenedSince: absent,
    openPositions: absent,
    readAccounts: absent,
    readFigures: absent,
    findGroups: absent,
    missingRights: absent,
    get bulk() {
      return platform
    },
    history: null,
    setGroup: absent,
    setEnabled: absent,
    serverTime: absent,
    health: absent,
    close: async () => undefined,
  }
  return platform
}

const unconnectedMail: MailTransport = {
  async send() {
    throw new Unavailable('No mail server is configured: set SMTP_URL.')
  },
  async health() {
    throw new Unavailable('No mail server is configured: set SMTP_URL.')
  },
}
