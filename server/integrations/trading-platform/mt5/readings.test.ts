/** Unreadable open trades, or an unreadable account, do not prevent the reading of other balances. */
import { expect, test } from 'vitest'
import { Rejected } from '../../errors.ts'
import { readFigures } from './readings.ts'

type WireRecord = Record<string, unknown>

const state = (Login: string) => ({
  Login,
  Balance: '10.00',
  Credit: '0.00',
  Equity: '10.00',
  Margin: '0.00',
  MarginFree: '10.00',
  Profit: '0.00',
})
const position = (Login: string, Volume: string) => ({
  Position: '5',
  Login,
  Symbol: 'EURUSD',
  Action: '0',
  Volume,
  PriceOpen: '1.1',
  PriceCurrent: '1.1',
  PriceSL: '0',
  PriceTP: '0',
  Storage: '0.00',
  Profit: '0.00',
  TimeCreate: '1790000000',
})

async function figuresWith(answers: Readonly<Record<string, () => WireRecord[]>>) {
  const answer = async (path: string) => answers[path]?.() ?? []
  const caller = { list: answer, listByBody: answer }
  const accounts = ['1', '2'].map((login) => ({ login, currency: 'EUR' as const }))
  return readFigures({ caller, now: () => new Date('2026-06-30T12:00:00Z') }, accounts, false)
}

const states = { '/api/user/account/get_batch': () => [state('1'), state('2')] }

test('a malformed position is counted, and only its own account is shown without open trades', async () => {
  const positions = () => [position('1', '1.5'), position('2', '100')]
  const figures = await figuresWith({ ...states, '/api/position/get_batch': positions })
  expect(figures.get('1')).toMatchObject({ balance: { minor: 1_000n }, openPositions: 1, trades: null })
  expect(figures.get('2')).toMatchObject({ openPositions: 1, trades: { positions: [{ lots: '0.01' }], orders: [] } })
})

test.each([
  ['position', { '/api/position/get_batch': () => [position('n/a', '100')] }],
  ['order', { '/api/order/get_batch': () => [{ Order: '7', Login: 'n/a', Type: '2' }] }],
])(
  'an open %s without a readable login may belong to any account, so no open trades are shown',
  async (_kind, answers) => {
    const figures = await figuresWith({ ...states, ...answers })
    expect([...figures.values()].map(({ trades }) => trades)).toEqual([null, null])
  },
)

test('balances and the number of positions are read even without permission to read orders', async () => {
  const figures = await figuresWith({
    ...states,
    '/api/position/get_batch': () => [position('1', '100')],
    '/api/order/get_batch': () => {
      throw new Rejected('no-permission', 'mt5:http-403', 'Forbidden')
    },
  })
  expect(figures.get('1')).toMatchObject({ balance: { minor: 1_000n }, openPositions: 1, trades: null })
})

test('an account without readable amounts is left out, and other accounts are not affected', async () => {
  const unreadable = { ...state('1'), Equity: '-nan(ind)' }
  const figures = await figuresWith({ '/api/user/account/get_batch': () => [unreadable, state('2')] })
  expect([...figures.keys()]).toEqual(['2'])
})
