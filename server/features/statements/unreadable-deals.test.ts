/** Statements of an account with a deal or a position that cannot be read (ADR 328). */
import { beforeAll, expect } from 'vitest'
import { getStatements, statementPdf } from '#contract/statements.ts'
import { run } from '#server/db/sql.ts'
import { setBothClocks } from '#tests/both-clocks.ts'
import { call, makeClient, clientTokenFor, type MadeClient } from '#tests/factories.ts'
import { platformForFile } from '#tests/for-file.ts'
import { makeFundedAccount } from '#tests/funded-account.ts'
import { pdfText } from '#tests/files.ts'
import { story } from '#tests/story.ts'
import { storeDocument } from '../files/upload-file.ts'
import { readTrades } from '../trading-history/jobs.ts'
import { drawStatements } from './jobs.ts'

const place = platformForFile({ now: new Date('2026-07-31T12:00:00Z') })
let client: MadeClient
let account: Awaited<ReturnType<typeof makeFundedAccount>>
let ticket: string
beforeAll(async () => {
  await at('2026-07-31T12:00:00Z')
  client = await makeClient(place.server)
  account = await makeFundedAccount(place.server, client, 1_000_000n)
})

const at = (time: string) => setBothClocks(place, time)
const turn = (name: string, fields: object = {}) => place.platform.turn(name, fields)

/** Closes a trade on the platform; returns its closing deal. */
async function trade(profit: string): Promise<string> {
  const { position } = await turn('market/open', { login: account.login, profit })
  await turn('market/close', { position })
  return (await place.platform.read<{ ticket: string }[]>(`deals?login=${account.login}`)).at(-1)?.ticket ?? ''
}

async function read(): Promise<void> {
  place.server.clock.turn(60)
  await readTrades(place.server.dependencies)
}

const draw = () => drawStatements(place.server.dependencies, storeDocument, place.server.clock.now())

async function statements(of = account) {
  const params = { platform: 'MT5' as const, number: of.login }
  return (await call(place.server, getStatements, { as: await clientTokenFor(place.server, client), params })).answer
}

const statementsOf = async (of: typeof account): Promise<Record<string, [string, number]>> =>
  Object.fromEntries(
    (await statements(of)).statements.map(({ month, state, editions }) => [month, [state, editions.length]]),
  )
const states = () => statementsOf(account)

// Readings continue from the last deal, so the clock is never set back.
story('statements of an account with a deal that cannot be read', (step) => {
  step('the deal’s month and later ones have the status checking; earlier ones are drawn', async () => {
    await trade('10.00')
    await read()
    await at('2026-08-01T09:00:00Z')
    await read()
    await at('2026-08-20T09:00:00Z')
    ticket = await trade('50.00')
    await turn('deals/garble', { ticket, fields: { Profit: '1e400' } })
    await read()
    for (const day of ['2026-09-01', '2026-10-01', '2026-10-05']) {
      await at(`${day}T09:00:00Z`)
      await read()
      await draw()
    }
    expect(await states()).toEqual({
      '2026-07': ['drawn', 1],
      '2026-08': ['checking', 0],
      '2026-09': ['checking', 0],
    })
    expect((await statements()).running).toBeNull()
  })

  step('these statements are drawn once the deal can be read', async () => {
    await turn('reset')
    await at('2026-10-06T09:00:00Z')
    await read()
    await read()
    await at('2026-10-06T11:00:00Z')
    await draw()
    expect(await states()).toEqual({ '2026-07': ['drawn', 1], '2026-08': ['drawn', 1], '2026-09': ['drawn', 1] })
  })

  step('a statement already drawn has the status correcting if such a deal affects it', async () => {
    await turn('deals/garble', { ticket, fields: { Profit: '1e400' } })
    await run(place.server.dependencies.pool)`
      update account_histories set unread = true where account_id = ${account.id}`
    await read()
    await at('2026-10-06T13:00:00Z')
    await draw()
    expect(await states()).toEqual({
      '2026-07': ['drawn', 1],
      '2026-08': ['correcting', 1],
      '2026-09': ['correcting', 1],
    })
    await turn('reset')
  })
})

story('statements of a month at whose end a position could not be read', (step) => {
  let other: typeof account
  step('other accounts have their statements with prices, the affected account has one without', async () => {
    // Without daily reports, only the reading at the end of a month gives the value of open positions.
    await turn('groups', { groups: [{ name: 'real\\standard-EUR', currency: 'EUR', reports: false }] })
    await at('2026-10-20T09:00:00Z')
    other = await makeFundedAccount(place.server, client, 500_000n)
    await turn('market/open', { login: other.login, profit: '7.00' })
    const { position } = await turn('market/open', { login: account.login, profit: '5.00' })
    await read()
    await at('2026-11-01T09:00:00Z')
    await turn('positions/garble', { position, fields: { Profit: 'n/a' } })
    await read()
    for (const day of ['2026-11-03', '2026-11-05']) {
      await at(`${day}T09:00:00Z`)
      await read()
      await draw()
    }
    for (const [of, prices] of [
      [other, true],
      [account, false],
    ] as const) {
      expect((await statementsOf(of))['2026-10']).toEqual(['drawn', 1])
      const params = { platform: 'MT5' as const, number: of.login, month: '2026-10', edition: '1' }
      const { bytes } = await call(place.server, statementPdf, {
        as: await clientTokenFor(place.server, client),
        params,
      })
      const paper = (await pdfText(bytes)).replaceAll(/\s+/g, ' ')
      expect(paper).toContain('Open positions at the end of the month (1)')
      expect(
        paper.includes('Prices and results of the open positions at the end of the month are not available.'),
      ).toBe(!prices)
    }
  })
})
