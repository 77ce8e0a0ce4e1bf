/** Months that ended while nothing was read have statements as well: an outage must not affect clients (ADR 241). */
import { expect, test } from 'vitest'
import * as contract from '#contract/statements.ts'
import { getAccountCurve } from '#contract/trading-history.ts'
import { run, sql } from '#server/db/sql.ts'
import { setBothClocks } from '#tests/both-clocks.ts'
import { call, makeAccount, makeClient, clientTokenFor, type MadeClient } from '#tests/factories.ts'
import { pdfText } from '#tests/files.ts'
import { platformForFile } from '#tests/for-file.ts'
import { makeFundedAccount } from '#tests/funded-account.ts'
import { storeDocument } from '../files/upload-file.ts'
import { readTrades } from '../trading-history/jobs.ts'
import { drawStatements } from './jobs.ts'
import { missingMonths } from './queries.ts'

const place = platformForFile({ now: new Date('2026-06-28T09:00:00Z') })

async function at(time: string): Promise<void> {
  await setBothClocks(place, time)
  await readTrades(place.server.dependencies)
}

async function monthsOf(client: MadeClient, number: string) {
  const { server } = place
  const params = { platform: 'MT5' as const, number }
  const { statements } = (
    await call(server, contract.getStatements, { as: await clientTokenFor(server, client), params })
  ).answer
  return statements.map(({ month, closingBalance }) => [month, closingBalance])
}

test('an outage of two months leaves no month without a statement', async () => {
  const { server, platform } = place
  await platform.turn('groups', {
    groups: [
      { name: 'real\\standard-EUR', currency: 'EUR', reports: false },
      { name: 'real\\standard-USD', currency: 'USD', reports: true },
    ],
  })
  await at('2026-06-28T09:00:00Z')
  const client = await makeClient(server)
  const flat = await makeFundedAccount(server, client, 1_000_000n)
  const trading = await makeFundedAccount(server, client, 2_000_000n, 'USD')
  const exposed = await makeFundedAccount(server, client, 3_000_000n)
  await platform.turn('market/open', { login: trading.login, profit: '40.00' })
  await platform.turn('market/open', { login: exposed.login, profit: '40.00' })
  await at('2026-06-28T09:02:00Z')
  await at('2026-06-29T09:00:00Z')
  // Nothing is read until September.
  await at('2026-09-06T09:00:00Z')
  await at('2026-09-07T09:10:00Z')
  await drawStatements(server.dependencies, storeDocument, server.clock.now())
  const params = { platform: 'MT5' as const, number: trading.login }
  const query = { period: '3m' as const }
  const curve = await call(server, getAccountCurve, { as: await clientTokenFor(server, client), params, query })
  const days = curve.answer.points.filter(({ equity }) => equity !== null).map(({ day }) => day)
  for (const day of ['2026-07-01', '2026-07-15', '2026-08-12', '2026-09-03']) expect(days).toContain(day)
  const months = ['2026-08', '2026-07', '2026-06']
  expect(await monthsOf(client, flat.login)).toEqual(months.map((month) => [month, 1_000_000n]))
  expect(await monthsOf(client, trading.login)).toEqual(months.map((month) => [month, 2_000_000n]))
  // Without daily reports the value of its open position at the end of these months is unknown.
  expect((await monthsOf(client, exposed.login)).map(([month]) => month)).not.toContain('2026-07')
  const as = await clientTokenFor(server, client)
  const paper = async (number: string) => {
    const params = { platform: 'MT5' as const, number, month: '2026-07', edition: '1' }
    return (await pdfText((await call(server, contract.statementPdf, { as, params })).bytes)).replaceAll(/\s+/g, ' ')
  }
  expect(await paper(flat.login)).not.toContain('are as of the end of')
  expect(await paper(trading.login)).toContain('2026/07/31')

  // The yearly statement explains why months are missing.
  for (const time of ['2026-09-30T20:00:00Z', '2026-10-01T09:00:00Z', '2026-10-03T09:10:00Z']) await at(time)
  await drawStatements(server.dependencies, storeDocument, server.clock.now())
  const year = { platform: 'MT5' as const, number: exposed.login, year: '2026' }
  const headers = { 'accept-language': 'de' }
  const later = await clientTokenFor(server, client)
  const file = await call(server, contract.yearCsv, { as: later, params: year, headers })
  const unknown = 'Die Zahlen vom Beginn oder vom Ende des Monats liegen nicht vor.'
  expect(file.bytes.toString()).toMatch(new RegExp(`^2026-07,,{11}EUR,${unknown}$`, 'm'))
  const yearPaper = await call(server, contract.yearPdf, { as: later, params: year, headers })
  expect((await pdfText(yearPaper.bytes)).replaceAll(/\s+/g, ' ')).toContain(`Juni 2026 bis August 2026 ${unknown}`)
})

test('the reason of a missing month does not depend on the time zone of the database', async () => {
  const { server } = place
  const { id } = await makeAccount(server, await makeClient(server))
  const { pool } = server.dependencies
  await run(pool, sql`update trading_accounts set opened_at = '2026-06-30T20:00:00Z' where id = ${id}`)
  const connection = await pool.connect()
  try {
    for (const zone of ['UTC', 'Asia/Tokyo']) {
      await connection.query({ text: `select set_config('timezone', $1, false)`, values: [zone] })
      const clock = { now: server.clock.now(), minutes: 180 }
      const missing = await missingMonths(connection, id, '2026', clock)
      expect(missing.filter(({ why }) => why === 'beforeOpening').at(-1)?.month, zone).toBe('2026-05')
    }
  } finally {
    connection.release(true)
  }
})
