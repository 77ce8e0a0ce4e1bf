/** The market: it moves only on command, or by a seeded random walk. */
import { decimal, hundredths } from './hundredths.ts'
import type { Store, Position } from './store.ts'
import { closeBy, closePosition, openPosition, turnPosition, type Costs, priceNow } from './trading.ts'
import { Misuse, requireValue, numberField, textField, type Fields, type Route } from '../process/http.ts'
import { seeded } from './seeded.ts'

export const unitsPerLot = 100_000
export const prices: Readonly<Record<string, number>> = {
  EURUSD: 1.0842,
  GBPUSD: 1.2715,
  USDJPY: 151.2,
  XAUUSD: 2391.5,
}

/** `watch` is called before positions change: it records past midnights. */
export function marketRoutes(book: Store, watch: () => void): { routes: Record<string, Route>; stop: () => void } {
  let walk: NodeJS.Timeout | undefined
  let steps: (() => void) | undefined
  const stop = () => clearInterval(walk)
  const change =
    (switched: (book: Store, fields: Fields) => unknown): Route =>
    ({ fields }) => {
      watch()
      return switched(book, fields)
    }
  return {
    stop,
    routes: {
      'POST /market/open': change(handleOpen),
      'POST /market/order': change(handlePlace),
      'POST /market/move': change(handleMove),
      'POST /market/close': change(handleClose),
      'POST /market/turn': change(handleTurn),
      'POST /market/close-by': change(handleCloseBy),
      'POST /market/walk': ({ fields }) => {
        stop()
        if (fields.on === false) return
        const takeStep = walkingMarket(book, walkIn(fields))
        const next = () => {
          watch()
          takeStep()
        }
        walk = setInterval(next, numberField(fields, 'everyMs') ?? 5000).unref()
      },
      'POST /market/steps': ({ fields }) => {
        if (steps === undefined || fields.seed !== undefined) steps = walkingMarket(book, walkIn(fields))
        for (let count = numberField(fields, 'count') ?? 1; count > 0; count -= 1) {
          watch()
          steps()
        }
      },
      'GET /accounts': ({ query }) =>
        book
          .accounts()
          .filter(loginFilter(query))
          .map((account) => accountView(book, account.login)),
      'GET /positions': ({ query }) =>
        book
          .positions()
          .filter(loginFilter(query))
          .map((position) => ({
            ...position,
            notional: decimal(position.notional),
            profit: decimal(position.profit),
          })),
      'GET /deals': ({ query }) =>
        book
          .deals()
          .filter(loginFilter(query))
          .filter((deal) => (query.get('comment') ?? deal.comment) === deal.comment)
          .filter((deal) => (query.get('action') ?? String(deal.action)) === String(deal.action))
          .map((deal) => ({ ...deal, amount: decimal(deal.amount) })),
    },
  }
}

function loginFilter(query: URLSearchParams): (row: { login: string }) => boolean {
  const login = query.get('login')
  return (row) => login === null || row.login === login
}

function accountView(book: Store, login: string): unknown {
  const account = requireValue(book.account(login), 'login')
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

function handleOpen(book: Store, fields: Fields): unknown {
  const login = requireValue(textField(fields, 'login'), 'login')
  if (book.account(login) === undefined) throw new Misuse(`Account ${login} not found`)
  const symbol = textField(fields, 'symbol') ?? 'EURUSD'
  const lots = numberField(fields, 'lots') ?? 0.1
  const price = numberField(fields, 'price') ?? prices[symbol] ?? 1
  const notional = amountField(fields, 'notional') ?? Math.round(lots * unitsPerLot * price * 100)
  const side = textField(fields, 'side') === 'sell' ? 'sell' : 'buy'
  const profit = amountField(fields, 'profit') ?? 0
  const commission = amountField(fields, 'commission') ?? 0
  const stops = { stopLoss: numberField(fields, 'stopLoss'), takeProfit: numberField(fields, 'takeProfit') }
  const given = Object.fromEntries(Object.entries(stops).filter(([, stop]) => stop !== undefined))
  const asked = { login, symbol, side, lots, price, notional, profit, ...given } as const
  const { position } = openPosition(book, asked, commission)
  return { ok: true, position }
}

function handlePlace(book: Store, fields: Fields): unknown {
  const login = requireValue(textField(fields, 'login'), 'login')
  const symbol = textField(fields, 'symbol') ?? 'EURUSD'
  const kind = textField(fields, 'kind') ?? 'buy-limit'
  const price = numberField(fields, 'price') ?? prices[symbol] ?? 1
  const { order } = book.placeOrder({ login, symbol, kind, lots: numberField(fields, 'lots') ?? 0.1, price })
  return { ok: true, order }
}

function handleMove(book: Store, fields: Fields): unknown {
  const profit = amountField(fields, 'profit')
  const change = amountField(fields, 'change')
  const storage = amountField(fields, 'storage')
  if (profit === undefined && change === undefined && storage === undefined)
    throw new Misuse('profit, change or storage is missing')
  const moved = selectedPositions(book, fields).map((position) => ({
    ...position,
    profit: profit ?? position.profit + (change ?? 0),
    ...(storage !== undefined && { storage }),
  }))
  book.moveProfits(moved)
  return { ok: true, positions: moved.length }
}

function handleClose(book: Store, fields: Fields): unknown {
  requireValue(textField(fields, 'login') ?? textField(fields, 'position'), 'login')
  const positions = selectedPositions(book, fields)
  for (const position of positions) closePosition(book, position, costsIn(fields), numberField(fields, 'lots'))
  return { ok: true, positions: positions.length }
}

function handleTurn(book: Store, fields: Fields): void {
  turnPosition(
    book,
    positionIn(book, fields, 'position'),
    costsIn(fields),
    requireValue(numberField(fields, 'lots'), 'lots'),
  )
}

function handleCloseBy(book: Store, fields: Fields): void {
  closeBy(book, positionIn(book, fields, 'position'), positionIn(book, fields, 'by'), costsIn(fields))
}

function positionIn(book: Store, fields: Fields, name: string): Position {
  const number = requireValue(textField(fields, name), name)
  return requireValue(
    book.positions().find(({ position }) => position === number),
    name,
  )
}

function costsIn(fields: Fields): Costs {
  const fee = amountField(fields, 'fee')
  const reason = numberField(fields, 'reason')
  return {
    storage: amountField(fields, 'storage') ?? 0,
    commission: amountField(fields, 'commission') ?? 0,
    ...(fee !== undefined && { fee }),
    ...(reason !== undefined && { reason }),
  }
}

function selectedPositions(book: Store, fields: Fields): Position[] {
  const number = textField(fields, 'position')
  return book.positions(textField(fields, 'login')).filter((row) => number === undefined || row.position === number)
}

function amountField(fields: Fields, name: string): number | undefined {
  const text = textField(fields, name)
  if (text === undefined) return undefined
  const amount = hundredths(text)
  if (amount === null) throw new Misuse(`${name} is not an amount`)
  return amount
}

/** Returns the random walk of the demo's market, whose positions stay near their start. */
function walkIn(fields: Fields): Walk {
  return {
    seed: numberField(fields, 'seed') ?? 1,
    step: numberField(fields, 'step') ?? 0.1,
    tradesEvery: numberField(fields, 'tradesEvery') ?? 200,
  }
}

const daySeconds = 86_400
/** Hundredths of the account's currency for each lot. */
const swapPerLot = 210
const commissionPerLot = 350
const feePerLot = 20
/** The share of its distance from the start by which a price returns at each step. */
const returning = 0.002

interface Walk {
  readonly seed: number
  /** The maximum change of a price in a step, in thousandths. */
  readonly step: number
  /** The average number of steps between an account's trades; 0 for none. */
  readonly tradesEvery: number
}

/**
 * Returns a function that takes one step of a seeded market that moves without commands: prices move randomly and
 * return to their start, a night costs swap, and sometimes an account that trades closes its oldest position and opens
 * a similar one, with commission and fee.
 */
function walkingMarket(book: Store, { seed, step, tradesEvery }: Walk): () => void {
  const random = seeded(seed)
  const distances = new Map<string, number>()
  let day = Math.floor(book.clock.seconds() / daySeconds)
  return () => {
    const nights = Math.max(0, Math.floor(book.clock.seconds() / daySeconds) - day)
    day += nights
    const moves = new Map<string, number>()
    const moveOf = (symbol: string): number => {
      const known = moves.get(symbol)
      if (known !== undefined) return known
      const distance = distances.get(symbol) ?? 0
      const move = ((random() * 2 - 1) * step) / 1000 - distance * returning
      distances.set(symbol, distance + move)
      moves.set(symbol, move)
      return move
    }
    const moved = book.positions().map((position) => movePosition(position, moveOf(position.symbol), nights))
    if (moved.length > 0) book.moveProfits(moved)
    if (tradesEvery <= 0) return
    const oldest = new Map(
      book
        .positions()
        .toReversed()
        .map((position) => [position.login, position]),
    )
    for (const position of oldest.values()) if (random() * tradesEvery < 1) replacePosition(book, position)
  }
}

function movePosition(position: Position, move: number, nights: number): Position {
  const sign = position.side === 'buy' ? 1 : -1
  const profit = position.profit + Math.round(sign * position.notional * move)
  if (nights === 0) return { ...position, profit }
  return { ...position, profit, storage: (position.storage ?? 0) - Math.round(position.lots * swapPerLot * nights) }
}

/** Closes a position and opens a similar one at the current price. */
function replacePosition(book: Store, position: Position): void {
  const { login, symbol, side, lots, notional } = position
  const commission = -Math.round(lots * commissionPerLot)
  closePosition(book, position, { storage: 0, commission, fee: -Math.round(lots * feePerLot) })
  const price = priceNow(position)
  openPosition(book, { login, symbol, side, lots, price, notional, profit: 0 }, commission)
}
