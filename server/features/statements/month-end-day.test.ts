/** The statement of a month whose last day is not known names the day that its closing figures are of. */
import { expect, test } from 'vitest'
import * as contract from '#contract/statements.ts'
import { setBothClocks } from '#tests/both-clocks.ts'
import { call, makeClient, tokenFor } from '#tests/factories.ts'
import { pdfText } from '#tests/files.ts'
import { platformForFile } from '#tests/for-file.ts'
import { fundedAccount } from '#tests/funded-account.ts'
import { storeDocument } from '../files/upload-file.ts'
import { readTrades } from '../trading-history/jobs.ts'
import { drawStatements } from './jobs.ts'

const place = platformForFile({ now: new Date('2026-08-28T09:00:00Z') })

async function at(time: string): Promise<void> {
  await setBothClocks(place, time)
  await readTrades(place.server.dependencies)
}

test('paper and file say which day the closing figures are of', async () => {
  const { server, platform } = place
  await platform.turn('groups', { groups: [{ name: 'real\\standard-EUR', currency: 'EUR', reports: false }] })
  await at('2026-08-28T09:00:00Z')
  const client = await makeClient(server)
  const { login } = await fundedAccount(server, client, 1_000_000n)
  await platform.turn('market/open', { login, profit: '40.00' })
  await at('2026-08-28T09:02:00Z')
  await at('2026-08-30T09:00:00Z')
  // Nothing is read before September: the night after the 31st is missing.
  await at('2026-09-03T09:00:00Z')
  await at('2026-09-04T09:00:00Z')
  await drawStatements(server.dependencies, storeDocument, server.clock.now())
  const as = await tokenFor(server, client)
  const params = { platform: 'MT5' as const, number: login, month: '2026-08', edition: '1' }
  const file = (await call(server, contract.statementCsv, { as, params })).bytes.toString().trim().split('\n')
  expect(file.at(-1)).toMatch(/^2026\/08\/29,Closing,/)
  const paper = await pdfText((await call(server, contract.statementPdf, { as, params })).bytes)
  const text = paper.replaceAll(/\s+/g, ' ')
  expect(text).toContain('Closing unrealised P&L and equity are as of the end of 2026/08/29.')
  expect(text).not.toContain('Margin used at closing')
  expect(text).not.toContain('The unrealised P&L in the summary is that of the end of the month.')
})
