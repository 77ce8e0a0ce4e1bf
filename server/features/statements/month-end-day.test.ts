/** Statements of months with an unusual end: a missing reading, a deleted account, a changed clock. */
import { expect, test } from 'vitest'
import * as contract from '#contract/statements.ts'
import { setBothClocks } from '#tests/both-clocks.ts'
import { call, makeClient, clientTokenFor } from '#tests/factories.ts'
import { pdfText } from '#tests/files.ts'
import { platformForFile } from '#tests/for-file.ts'
import { makeFundedAccount } from '#tests/funded-account.ts'
import { storeDocument } from '../files/upload-file.ts'
import { readPlatforms } from '../../jobs/platform-days.ts'
import { readTrades } from '../trading-history/jobs.ts'
import { drawStatements } from './jobs.ts'

const place = platformForFile({ now: new Date('2026-08-28T09:00:00Z') })

async function at(time: string): Promise<void> {
  await setBothClocks(place, time)
  await readTrades(place.server.dependencies)
}

test('PDF and CSV show the day of the closing balances', async () => {
  const { server, platform } = place
  await platform.turn('groups', { groups: [{ name: 'real\\standard-EUR', currency: 'EUR', reports: false }] })
  await at('2026-08-28T09:00:00Z')
  const client = await makeClient(server)
  const { login } = await makeFundedAccount(server, client, 1_000_000n)
  await platform.turn('market/open', { login, profit: '40.00' })
  await at('2026-08-28T09:02:00Z')
  await at('2026-08-30T09:00:00Z')
  // Nothing is read until September: the reading of the night after 31 August is missing.
  await at('2026-09-03T09:00:00Z')
  await at('2026-09-04T09:00:00Z')
  await drawStatements(server.dependencies, storeDocument, server.clock.now())
  const as = await clientTokenFor(server, client)
  const params = { platform: 'MT5' as const, number: login, month: '2026-08', edition: '1' }
  const file = (await call(server, contract.statementCsv, { as, params })).bytes.toString().trim().split('\n')
  expect(file.at(-1)).toMatch(/^2026\/08\/29,Closing,/)
  const paper = await pdfText((await call(server, contract.statementPdf, { as, params })).bytes)
  const text = paper.replaceAll(/\s+/g, ' ')
  expect(text).toContain('Closing unrealised P&L and equity are as of the end of 2026/08/29.')
  expect(text).not.toContain('Margin used at closing')
  expect(text).not.toContain('The unrealised P&L in the summary is as of the end of the month.')
})

test('the last month of a deleted account ends with the sum of its deals', async () => {
  const { server, platform } = place
  await at('2026-09-27T09:00:00Z')
  const client = await makeClient(server)
  const { login } = await makeFundedAccount(server, client, 1_000_000n)
  await at('2026-09-27T09:02:00Z')
  await at('2026-09-28T09:00:00Z')
  // The day has no end-of-day reading, as the account is deleted first.
  const { position } = (await platform.turn('market/open', { login, profit: '40.00' })) as { position: string }
  await platform.turn('market/close', { position })
  await at('2026-09-28T09:02:00Z')
  await platform.turn('accounts/delete', { login })
  for (const day of ['09-29', '09-30', '10-01', '10-02', '10-03']) await at(`2026-${day}T09:00:00Z`)
  await drawStatements(server.dependencies, storeDocument, server.clock.now())
  const as = await clientTokenFor(server, client)
  const params = { platform: 'MT5' as const, number: login }
  const { statements } = (await call(server, contract.getStatements, { as, params })).answer
  expect(statements).toMatchObject([{ month: '2026-09', state: 'drawn', closingBalance: 1_004_000n }])
  const first = { ...params, month: '2026-09', edition: '1' }
  const paper = await pdfText((await call(server, contract.statementPdf, { as, params: first })).bytes)
  expect(paper).not.toContain('are as of the end of')
  await platform.turn('accounts/restore', { login })
})

test('a month in which the platform’s clock changed shows both offsets', async () => {
  const { server, platform } = place
  const read = async (time: string, zoneMinutes: number) => {
    server.clock.set(new Date(time))
    await platform.turn('clock', { at: Date.parse(time) / 1000 + zoneMinutes * 60, zoneMinutes })
    await readPlatforms(server.dependencies)
    await readTrades(server.dependencies)
  }
  await read('2026-10-20T09:00:00Z', 180)
  const client = await makeClient(server)
  const { login } = await makeFundedAccount(server, client, 1_000_000n)
  await read('2026-10-20T09:02:00Z', 180)
  await read('2026-10-24T09:00:00Z', 180)
  await read('2026-10-26T09:00:00Z', 120)
  for (const day of ['10-31', '11-01', '11-03', '11-04']) await read(`2026-${day}T09:00:00Z`, 120)
  await drawStatements(server.dependencies, storeDocument, server.clock.now())
  const as = await clientTokenFor(server, client)
  const params = { platform: 'MT5' as const, number: login, month: '2026-10', edition: '1' }
  const paper = await pdfText((await call(server, contract.statementPdf, { as, params })).bytes)
  const both = 'UTC+03:00 until 2026/10/24, then UTC+02:00'
  expect(paper.replaceAll(/\s+/g, ' ')).toContain(`in the platform’s server time (${both})`)
  const file = (await call(server, contract.statementCsv, { as, params })).bytes.toString()
  expect(file).toContain(`"Date (${both})"`)
})
