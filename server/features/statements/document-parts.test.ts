/** Statements that are too long for the PDF and say so (requirements 24.31, 24.33). */
import { expect, test } from 'vitest'
import { pdfText } from '#tests/files.ts'
import type { StatementHead } from './document-parts.ts'
import type { StatementFacts, StatementTrade } from './month-facts.ts'
import { render as renderMonth } from './render-month.ts'

const head: StatementHead = {
  firm: 'Harbour Markets Ltd',
  client: 'Hannah Brandt',
  platform: 'MT5',
  number: '50124471',
  accountType: 'Standard',
  currency: 'EUR',
  language: 'en',
  createdAt: new Date('2026-09-03T09:00:00Z'),
  timeZone: 'Europe/London',
}

const trade = (number: number): StatementTrade => ({
  ticket: String(700_000 + number),
  openedMs: String(Date.parse('2026-08-03T08:00:00Z')),
  closedMs: String(Date.parse('2026-08-03T09:00:00Z') + number),
  symbol: 'EURUSD',
  side: 'buy',
  volume: '10000000',
  openPrice: '1.10000',
  closePrice: '1.10010',
  profit: '1',
  swap: '0',
  commission: '0',
  fee: '0',
})

const opening = { balance: '100000', credit: '0', floating: '0' }

/** Returns the text of a statement of August with this many trades of 0.01 each. */
async function statementTextWith(count: number): Promise<string> {
  const facts: StatementFacts = {
    opening,
    closing: { ...opening, balance: String(100_000 + count) },
    rows: { profit: String(count) },
    trades: Array.from({ length: count }, (_, at) => trade(at + 1)),
    movements: [],
    positions: [],
    positionsMs: null,
    offsetMinutes: 180,
  }
  return (await pdfText(await renderMonth({ head, month: '2026-08-01', edition: 1, facts }))).replaceAll(/\s+/g, ' ')
}

test('the PDF of a month lists up to 2,000 trades and refers to the CSV file for more; its total includes all', async () => {
  const complete = await statementTextWith(2_000)
  expect(complete).toContain('702000')
  expect(complete).not.toContain('Only the first')
  const cut = await statementTextWith(2_001)
  expect(cut).toContain('Closed trades (2001)')
  expect(cut).toContain('702000')
  expect(cut).not.toContain('702001')
  expect(cut).toMatch(/Only the first 2,?000 trades are shown\. The CSV file contains all 2,?001\./)
  expect(cut).toMatch(/Total 20\.01/)
})
