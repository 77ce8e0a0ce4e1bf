import { expect, test } from 'vitest'
import { dealsOf, originalTicketLookup } from './orders-as-deals.ts'
import { tradeFrom, type ReadTrade, type WireTrade } from './read-trade.ts'

const opened = {
  login: '410001',
  kind: 'buy',
  symbol: 'EURUSD',
  openedAt: '2026-08-03T09:00:00Z',
  openPrice: '1.08420',
}
const order = (ticket: string, comment: string, more: Partial<WireTrade> = {}): ReadTrade =>
  tradeFrom(
    {
      ...opened,
      ticket,
      lots: '0.10',
      closedAt: '2026-08-04T09:00:00Z',
      closePrice: '1.08500',
      stopLoss: null,
      takeProfit: null,
      swap: '-0.05',
      commission: '-0.70',
      taxes: '0.00',
      deleted: false,
      profit: '-0.08',
      comment,
      changedAt: '2026-08-04T09:00:00Z',
      ...more,
    },
    null,
  )

test('the remainders of a partly closed order are traced to the first order by their comments', () => {
  const origins = originalTicketLookup([
    order('100', 'to #101'),
    order('101', 'to #102[sl]'),
    order('102', 'from #101[tp]'),
  ])
  expect(['100', '101', '102', '7'].map(origins)).toEqual(['100', '100', '100', '7'])
})

test('comments written by clients neither join orders that were opened separately nor form a cycle', () => {
  const others = [
    order('200', 'from #100', { login: '410002' }),
    order('201', 'from #100', { openedAt: '2026-08-03T09:00:01Z' }),
    order('202', 'from #100', { openPrice: '1.08421' }),
    order('203', 'from #100', { kind: 'sell' }),
    order('100', 'to #99'),
    order('99', 'from #100'),
    order('300', 'from #300'),
  ]
  const origins = originalTicketLookup(others)
  for (const { ticket } of others) expect(origins(ticket)).toBe(ticket)
})

test('amounts and volumes are exact, including small and negative ones', () => {
  expect(dealsOf(order('100', ''), '100')[1]).toMatchObject({ profit: -8n, swap: -5n, commission: -70n, fee: 0n })
  const [, closed] = dealsOf(order('100', '', { lots: '12.00000001', profit: '0.08' }), '100')
  expect(closed).toMatchObject({ profit: 8n, closedVolume: 1_200_000_001n, reason: -1 })
  // The second of two orders that were closed by each other has no lots left.
  expect(dealsOf(order('100', '', { lots: '0' }), '100')[1]).toMatchObject({ volume: 0n })
})
