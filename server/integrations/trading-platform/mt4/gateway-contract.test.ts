/** The gateway's contract, against the simulator or the gateway that GATEWAY_URL names (docs/mt4-gateway.md). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { integrationUrl } from '../../address.ts'
import { httpClient } from '../../http-client.ts'
import { startSimulator, type RunningSimulator } from '../../start-simulator.ts'
import { aDay, ask, readingChecks, writingChecks, type GatewayUnderTest } from './gateway-contract.ts'
import { mt4 } from './mt4.ts'

const { GATEWAY_URL, GATEWAY_KEY = 'portal', GATEWAY_SECRET = 'simulator-gateway-secret', GATEWAY_GROUP } = process.env
const group = GATEWAY_GROUP ?? (GATEWAY_URL === undefined ? 'demo-std-EUR' : undefined)

let simulator: RunningSimulator | null = null
let gateway: GatewayUnderTest
beforeAll(async () => {
  simulator = GATEWAY_URL === undefined ? await startSimulator('mt4-gateway') : null
  const url = GATEWAY_URL ?? `http://127.0.0.1:${simulator?.port}`
  const line = httpClient({
    url: integrationUrl(url, 'GATEWAY_URL'),
    timeoutMs: 10_000,
    connectionsMax: 2,
    publicOnly: false,
  })
  gateway = { line, key: GATEWAY_KEY, secret: GATEWAY_SECRET }
})
afterAll(async () => {
  gateway.line.close()
  await simulator?.stop()
})

describe('a gateway', () => {
  for (const check of readingChecks) test(check.name, () => check.run(gateway))
  for (const check of group === undefined ? [] : writingChecks(group)) test(check.name, () => check.run(gateway))
})

// Trades cannot be made through the contract, so that only the simulator's are seen.
test.skipIf(GATEWAY_URL !== undefined)(
  'positions, pending orders and closed trades have the fields of the contract',
  async () => {
    const adapter = mt4({
      url: `http://127.0.0.1:${simulator?.port}`,
      key: GATEWAY_KEY,
      secret: GATEWAY_SECRET,
    })
    const { login } = await adapter.createAccount({
      ref: 'CONTRACT-TRADES',
      group: 'demo-std-EUR',
      name: 'Contract Check',
      email: 'contract@example.com',
      country: 'Germany',
      leverage: 30,
      main: 'Quince-71a',
      investor: 'Harbour-71a',
    })
    await adapter.close()
    await simulator?.turn('market/open', { login, symbol: 'EURUSD', side: 'sell', lots: 0.2, commission: '-1.00' })
    await simulator?.turn('market/close', { login, storage: '-0.50', commission: '-1.00' })
    await simulator?.turn('market/open', { login, profit: '3.00' })
    await simulator?.turn('market/order', { login, kind: 'buy-stop', price: 1.2 })
    const path = `/v2/accounts/${login}`
    const closed = (await ask(gateway, { path: `${path}/trades?${aDay()}` })).body.trades
    expect(closed).toMatchObject([{ side: 'sell', lots: '0.2', swap: '-0.50', commission: '-2.00', profit: '0.00' }])
    expect((await ask(gateway, { path: `${path}/positions` })).body.positions).toMatchObject([{ profit: '3.00' }])
    expect((await ask(gateway, { path: `${path}/orders` })).body.orders).toMatchObject([
      { kind: 'buy-stop', price: '1.2', expiresAt: null },
    ])
  },
)
