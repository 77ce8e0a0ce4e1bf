/** A daily report that arrives after the statement of its month was created. */
import { expect, test } from 'vitest'
import * as contract from '#contract/statements.ts'
import { setBothClocks } from '#tests/both-clocks.ts'
import { call, makeClient, clientTokenFor } from '#tests/factories.ts'
import { platformForFile } from '#tests/for-file.ts'
import { makeFundedAccount } from '#tests/funded-account.ts'
import { readPlatforms } from '../../jobs/platform-days.ts'
import { storeDocument } from '../files/upload-file.ts'
import { readTrades } from '../trading-history/jobs.ts'
import { drawStatements } from './jobs.ts'

const place = platformForFile({ now: new Date('2026-08-28T09:00:00Z') })

async function readAt(time: string): Promise<void> {
  await setBothClocks(place, time)
  await readTrades(place.server.dependencies)
}

test('a report that replaces the reading of a month’s last day makes a second edition', async () => {
  const { server, platform } = place
  await setBothClocks(place, '2026-08-28T09:00:00Z')
  await readPlatforms(server.dependencies)
  const client = await makeClient(server)
  const { login } = await makeFundedAccount(server, client, 1_000_000n)
  const { position } = await platform.turn('market/open', { login, profit: '-7.00' })
  await readAt('2026-08-28T09:02:00Z')
  await readAt('2026-08-31T22:00:00Z')
  await platform.turn('forbid', { path: '/api/daily/', count: 0 })
  await setBothClocks(place, '2026-09-01T09:00:00Z')
  await platform.turn('market/move', { position, profit: '99.00' })
  await readAt('2026-09-01T09:00:00Z')
  await readAt('2026-09-02T23:30:00Z')
  const draw = () => drawStatements(server.dependencies, storeDocument, server.clock.now())
  const list = async () => {
    const as = await clientTokenFor(server, client)
    const params = { platform: 'MT5' as const, number: login }
    return (await call(server, contract.getStatements, { as, params })).answer.statements
  }
  const closingEquity = async (edition: string) => {
    const as = await clientTokenFor(server, client)
    const params = { platform: 'MT5' as const, number: login, month: '2026-08', edition }
    const file = (await call(server, contract.statementCsv, { as, params })).bytes.toString().trim()
    return file.split('\n').at(-1)?.split(',')[16]
  }
  await setBothClocks(place, '2026-09-03T00:01:00Z')
  await draw()
  expect((await list())[0]).toMatchObject({ month: '2026-08', editions: [{ edition: 1 }] })
  expect(await closingEquity('1')).toBe('10099.00')
  await platform.turn('reset', {})
  await readAt('2026-09-03T00:02:00Z')
  await readAt('2026-09-03T01:03:00Z')
  await draw()
  expect((await list())[0]).toMatchObject({ month: '2026-08', editions: [{ edition: 2 }, { edition: 1 }] })
  expect(await closingEquity('2')).toBe('9993.00')
})
