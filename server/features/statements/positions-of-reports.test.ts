/**
 * Open positions on a statement: from the daily report of the month's last day, otherwise from the first reading after
 * it.
 */
import { expect } from 'vitest'
import * as contract from '#contract/statements.ts'
import { setBothClocks } from '#tests/both-clocks.ts'
import { call, makeClient, clientTokenFor } from '#tests/factories.ts'
import { pdfText } from '#tests/files.ts'
import { platformForFile } from '#tests/for-file.ts'
import { makeFundedAccount } from '#tests/funded-account.ts'
import { story } from '#tests/story.ts'
import { storeDocument } from '../files/upload-file.ts'
import { readTrades } from '../trading-history/jobs.ts'
import { drawStatements } from './jobs.ts'

const place = platformForFile({ now: new Date('2026-08-28T09:00:00Z') })
const turn = (name: string, fields: object) => place.platform.turn(name, fields)

const at = (time: string) => setBothClocks(place, time)

async function readAt(time: string): Promise<void> {
  await at(time)
  await readTrades(place.server.dependencies)
}

/**
 * Returns the text of August's statement with a position closed 20 minutes after the end of the month, before the
 * reading.
 */
async function statementOfAugust(): Promise<{ text: string; position: string; kept: string }> {
  const { server } = place
  await readAt('2026-08-28T09:00:00Z')
  const client = await makeClient(server)
  const { login } = await makeFundedAccount(server, client, 1_000_000n)
  await makeFundedAccount(server, client, 100_000n)
  const open = async (fields: object) =>
    ((await turn('market/open', { login, ...fields })) as { position: string }).position
  const position = await open({ symbol: 'XAUUSD', notional: '3000.00', profit: '41.17' })
  const kept = await open({ symbol: 'GBPUSD', notional: '6000.00', profit: '-7.31' })
  await turn('market/move', { position, storage: '-1.23' })
  await readAt('2026-08-28T09:02:00Z')
  await readAt('2026-08-31T22:00:00Z')
  await at('2026-09-01T00:20:00Z')
  await turn('market/close', { position })
  await turn('market/move', { position: kept, profit: '99.88' })
  await readAt('2026-09-01T00:50:00Z')
  await readAt('2026-09-03T09:00:00Z')
  await drawStatements(server.dependencies, storeDocument, server.clock.now())
  const as = await clientTokenFor(server, client)
  const params = { platform: 'MT5' as const, number: login, month: '2026-08', edition: '1' }
  const paper = await pdfText((await call(server, contract.statementPdf, { as, params })).bytes)
  const text = paper.replaceAll(/\s+/g, ' ')
  return { text: text.slice(text.indexOf('Summary')), position, kept }
}

const rowOf = (text: string, position: string, length = 90) => text.slice(text.indexOf(position)).slice(0, length)

story('open positions on a statement', (step) => {
  step('a position that was closed before the reading has price and result from the report', async () => {
    const { text, position, kept } = await statementOfAugust()
    expect(rowOf(text, position)).toContain('41.17')
    expect(rowOf(text, position)).toContain('−1.23')
    expect(rowOf(text, kept)).toContain('−7.31')
    expect(text).not.toContain('99.88')
    expect(text).toContain(
      'Prices and results of the open positions are from the platform’s daily report of 2026/08/31.',
    )
    expect(text).not.toContain('were read at')
    // A notional of 9,000 at a leverage of 30.
    expect(text).toContain('Margin used at closing: 300.00')
  })

  step('full reports are read once, with one call for both accounts', async () => {
    const calls = async () =>
      (await place.platform.read<{ path: string }[]>('calls')).filter(({ path }) => path.startsWith('/api/daily/get'))
    expect((await calls()).filter(({ path }) => path === '/api/daily/get_batch')).toHaveLength(1)
    expect((await calls()).filter(({ path }) => path === '/api/daily/get')).toEqual([])
  })

  step('without a report, the statement uses the first reading and names its time', async () => {
    await turn('groups', { groups: [{ name: 'real\\standard-EUR', currency: 'EUR', reports: false }] })
    const { text, position, kept } = await statementOfAugust()
    expect(rowOf(text, position)).toContain('– – –')
    expect(rowOf(text, kept)).toContain('99.88')
    expect(text).toContain('Prices and results of the open positions were read at 2026/09/01 00:50')
    expect(text).not.toContain('daily report')
    expect(text).toContain('Margin used at closing: 200.00')
  })
})
