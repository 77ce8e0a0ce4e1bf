/** Trades at the simulated gateway, whose values the conformance run does not compare (docs/mt4-gateway.md). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { integrationUrl } from '../../address.ts'
import { httpClient } from '../../http-client.ts'
import { startSimulator, type RunningSimulator } from '../../start-simulator.ts'
import { aDay, ask, type GatewayUnderTest } from './gateway-contract.ts'
import { mt4 } from './mt4.ts'

let simulator: RunningSimulator
let gateway: GatewayUnderTest
beforeAll(async () => {
  simulator = await startSimulator('mt4-gateway')
  const url = integrationUrl(`http://127.0.0.1:${simulator.port}`, 'The gateway')
  const line = httpClient({ url, timeoutMs: 10_000, connectionsMax: 2, publicOnly: false })
  gateway = { line, key: 'portal', secret: 'simulator-gateway-secret' }
})
afterAll(async () => {
  gateway.line.close()
  await simulator.stop()
})

test('positions, pending orders and closed trades have the fields of the contract', async () => {
  const adapter = mt4({
    url: `http://127.0.0.1:${simulator.port}`,
    key: gateway.key,
    secret: gateway.secret,
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
  await simulator.turn('market/open', { login, symbol: 'EURUSD', side: 'sell', lots: 0.2, commission: '-1.00' })
  await simulator.turn('market/close', { login, storage: '-0.50', commission: '-1.00' })
  await simulator.turn('market/open', { login, profit: '3.00' })
  await simulator.turn('market/order', { login, kind: 'buy-stop', price: 1.2 })
  const path = `/v2/accounts/${login}`
  const closed = (await ask(gateway, { path: `${path}/trades?${aDay()}` })).body.trades
  expect(closed).toMatchObject([{ side: 'sell', lots: '0.2', swap: '-0.50', commission: '-2.00', profit: '0.00' }])
  expect((await ask(gateway, { path: `${path}/positions` })).body.positions).toMatchObject([{ profit: '3.00' }])
  expect((await ask(gateway, { path: `${path}/orders` })).body.orders).toMatchObject([
    { kind: 'buy-stop', price: '1.2', expiresAt: null },
  ])
})
