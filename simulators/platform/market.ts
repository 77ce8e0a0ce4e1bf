/** The market: it moves only on command, or by a seeded walk. */
import { decimal, hundredths } from './store.ts'
import type { Store, Position } from './store.ts'
import { Misuse, needed, numberField, textField } from '../process/http.ts'
import type { Fields, Route } from '../process/http.ts'

const unitsPerLot = 100_000
const prices: Readonly<Record<string, number>> = { EURUSD: 1.0842, GBPUSD: 1.2715, USDJPY: 151.2, XAUUSD: 2391.5 }

export function marketRoutes(book: Store): { routes: Record<string, Route>; stop: () => void } {
  let walk: NodeJS.Timeout | undefined
  const stop = () => clearInterval(walk)
  return {
    stop,
    routes: {
      'POST /market/open': ({ fields }) => open(book, fields),
      'POST /market/order': ({ fields }) => place(book, fields),
      'POST /market/move': ({ fields }) => move(book, fields),
      'POST /market/close': ({ fields }) => close(book, fields),
      'POST /market/walk': ({ fields }) => {
        stop()
        if (fields.on !== false) walk = startWalk(book, fields)
        return { ok: true }
      },
      'GET /accounts': ({ query }) =>
        book
          .accounts()
          .filter(whose(query))
          .map((account) => readable(book, account.login)),
      'GET /positions': ({ query }) =>
        book
          .positions()
          .filter(whose(query))
          .map((position) => ({
            ...position,
            notional: decimal(position.notional),
            profit: decimal(position.profit),
          })),
      'GET /deals': ({ query }) =>
        book
          .deals()
          .filter(whose(query))
          .filter((deal) => (query.get('comment') ?? deal.comment) === deal.comment)
          .filter((deal) => (query.get('action') ?? String(deal.action)) === String(deal.action))
          .map((deal) => ({ ...deal, amount: decimal(deal.amount) })),
    },
  }
}

function whose(query: URLSearchParams): (row: { login: string }) => boolean {
  const login = query.get('login')
  return (row) => login === null || row.login === login
}

function readable(book: Store, login: string): unknown {
  const account = needed(book.account(login), 'login')
  const { passwords: _kept, ...shown } = account
  const figures = book.figures(account)
  return {
    ...shown,
    balance: decimal(account.balance),
    credit: decimal(account.credit),
    equity: decimal(figures.equity),
    margin: decimal(figures.margin),
    freeMargin: decimal(figures.freeMargin),
    profit: decimal(figures.profit),
    positions: figures.positions,
  }
}

function open(book: Store, fields: Fields): unknown {
  const login = needed(textField(fields, 'login'), 'login')
  if (book.account(login) === undefined) throw new Misuse(`There is no account ${login}`)
  const symbol = textField(fields, 'symbol') ?? 'EURUSD'
  const lots = numberField(fields, 'lots') ?? 0.1
  const price = numberField(fields, 'price') ?? prices[symbol] ?? 1
  const notional = amountField(fields, 'notional') ?? Math.round(lots * unitsPerLot * price * 100)
  const side = textField(fields, 'side') === 'sell' ? 'sell' : 'buy'
  const profit = amountField(fields, 'profit') ?? 0
  const commission = amountField(fields, 'commission') ?? 0
  const { position } = book.openPosition({ login, symbol, side, lots, price, notional, profit }, commission)
  return { ok: true, position }
}

function place(book: Store, fields: Fields): unknown {
  const login = needed(textField(fields, 'login'), 'login')
  const symbol = textField(fields, 'symbol') ?? 'EURUSD'
  const kind = textField(fields, 'kind') ?? 'buy-limit'
  const price = numberField(fields, 'price') ?? prices[symbol] ?? 1
  const { order } = book.placeOrder({ login, symbol, kind, lots: numberField(fields, 'lots') ?? 0.1, price })
  return { ok: true, order }
}

function move(book: Store, fields: Fields): unknown {
  const profit = amountField(fields, 'profit')
  const change = amountField(fields, 'change')
  if (profit === undefined && change === undefined) throw new Misuse('profit or change is missing')
  const moved = chosen(book, fields).map((position) => ({
    ...position,
    profit: profit ?? position.profit + (change ?? 0),
  }))
  book.moveProfits(moved)
  return { ok: true, positions: moved.length }
}

function close(book: Store, fields: Fields): unknown {
  needed(textField(fields, 'login') ?? textField(fields, 'position'), 'login')
  const positions = chosen(book, fields)
  const costs = { storage: amountField(fields, 'storage') ?? 0, commission: amountField(fields, 'commission') ?? 0 }
  for (const position of positions) book.closePosition(position, costs)
  return { ok: true, positions: positions.length }
}

function chosen(book: Store, fields: Fields): Position[] {
  const number = textField(fields, 'position')
  return book.positions(textField(fields, 'login')).filter((row) => number === undefined || row.position === number)
}

function amountField(fields: Fields, name: string): number | undefined {
  const text = textField(fields, name)
  if (text === undefined) return undefined
  const amount = hundredths(text)
  if (amount === null) throw new Misuse(`${name} is no amount`)
  return amount
}

function startWalk(book: Store, fields: Fields): NodeJS.Timeout {
  const random = seeded(numberField(fields, 'seed') ?? 1)
  const step = numberField(fields, 'step') ?? 2
  const timer = setInterval(
    () => {
      const moved = book.positions().map((position) => {
        const change = Math.round(((random() * 2 - 1) * step * position.notional) / 1000)
        return { ...position, profit: position.profit + change }
      })
      if (moved.length > 0) book.moveProfits(moved)
    },
    numberField(fields, 'everyMs') ?? 2000,
  )
  timer.unref()
  return timer
}

/** mulberry32: the same seed gives the same walk. */
function seeded(seed: number): () => number {
  let state = Math.trunc(seed)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
