/** A reversed position was opened by its reversal. */
import { expect, test } from 'vitest'
import * as contract from '#contract/statements.ts'
import { setBothClocks } from '#tests/both-clocks.ts'
import { call, makeClient, clientTokenFor } from '#tests/factories.ts'
import { pdfText } from '#tests/files.ts'
import { platformForFile } from '#tests/for-file.ts'
import { makeFundedAccount } from '#tests/funded-account.ts'
import { readPlatforms } from '../../jobs/platform-days.ts'
import { storeDocument } from '../files/upload-file.ts'
import { readTrades } from '../trading-history/jobs.ts'
import { drawStatements } from './jobs.ts'

const place = platformForFile({ now: new Date('2026-07-30T09:00:00Z') })

test('the trade after a reversal, and a position still open, are dated by the reversal', async () => {
  const { server, platform } = place
  const at = (time: string) => setBothClocks(place, time)
  const read = () => readTrades(server.dependencies)
  await at('2026-07-30T09:00:00Z')
  await readPlatforms(server.dependencies)
  const client = await makeClient(server)
  const { login } = await makeFundedAccount(server, client, 1_000_000n)
  await read()
  await at('2026-08-03T10:00:00Z')
  const { position } = await platform.turn('market/open', { login, lots: 0.5 })
  const { position: open } = await platform.turn('market/open', { login, lots: 0.3, symbol: 'XAUUSD' })
  await at('2026-08-10T11:00:00Z')
  await platform.turn('market/turn', { position, lots: 0.8 })
  await at('2026-08-12T12:00:00Z')
  await platform.turn('market/turn', { position: open, lots: 0.4 })
  await at('2026-08-20T13:00:00Z')
  await platform.turn('market/close', { position })
  await read()
  for (const time of ['2026-08-31T22:00:00Z', '2026-09-01T09:00:00Z', '2026-09-03T09:00:00Z']) {
    await at(time)
    await read()
  }
  await drawStatements(server.dependencies, storeDocument, server.clock.now())
  const as = await clientTokenFor(server, client)
  const params = { platform: 'MT5' as const, number: login, month: '2026-08', edition: '1' }
  const file = (await call(server, contract.statementCsv, { as, params })).bytes.toString().trim()
  const trades = file.split('\n').map((line) => line.split(','))
  const [closed, opened] = [0, 4]
  expect(
    trades.filter((cells) => cells[opened]?.startsWith('2026')).map((cells) => [cells[opened], cells[closed]]),
  ).toEqual([
    [expect.stringContaining('2026/08/03 10:00'), expect.stringContaining('2026/08/10 11:00')],
    [expect.stringContaining('2026/08/03 10:00'), expect.stringContaining('2026/08/12 12:00')],
    [expect.stringContaining('2026/08/10 11:00'), expect.stringContaining('2026/08/20 13:00')],
  ])
  const text = (await pdfText((await call(server, contract.statementPdf, { as, params })).bytes)).replaceAll(
    /\s+/g,
    ' ',
  )
  const positions = text.slice(text.indexOf('Open positions at the end of the month'))
  expect(positions).toContain('2026/08/12')
  expect(positions).not.toContain('2026/08/03')
})
