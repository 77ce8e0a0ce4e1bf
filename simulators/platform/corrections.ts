/** What a dealer does to records of the past, and a past to begin with. */
import { hundredths } from './store.ts'
import type { Deal, Store } from './store.ts'
import { Misuse, needed, numberField, textField } from '../process/http.ts'
import type { Fields, Route } from '../process/http.ts'
import { playHistory } from './past-trades.ts'
import { cancelled } from './trading.ts'

export function recordRoutes(book: Store): Record<string, Route> {
  return {
    'POST /deals/change': ({ fields }) => {
      const deal = dealIn(book, fields)
      book.replaceDeal(deal, { ...deal, amount: amountIn(fields) })
      return { ok: true }
    },
    'POST /deals/cancel': ({ fields }) => {
      const deal = dealIn(book, fields)
      book.replaceDeal(deal, cancelled(deal))
      return { ok: true }
    },
    'POST /deals/write': ({ fields }) => {
      const account = needed(book.account(needed(textField(fields, 'login'), 'login')), 'login')
      const [action, time] = [needed(numberField(fields, 'action'), 'action'), numberField(fields, 'time')]
      const facts = { action, amount: amountIn(fields), comment: textField(fields, 'comment') ?? '' }
      const { ticket } = book.deal(account, { ...facts, ...(time !== undefined && { time }) })
      return { ok: true, ticket }
    },
    'POST /deals/past': ({ fields }) => {
      const account = needed(book.account(needed(textField(fields, 'login'), 'login')), 'login')
      const [from, to] = [needed(numberField(fields, 'from'), 'from'), needed(numberField(fields, 'to'), 'to')]
      return { ok: true, deals: playHistory(book, account, { from, to, seed: numberField(fields, 'seed') ?? 1 }) }
    },
  }
}

function dealIn(book: Store, fields: Fields): Deal {
  return needed(book.state.rows('deals').get(needed(textField(fields, 'ticket'), 'ticket')), 'ticket')
}

function amountIn(fields: Fields): number {
  const amount = hundredths(needed(textField(fields, 'amount'), 'amount'))
  if (amount === null) throw new Misuse('amount is no amount')
  return amount
}
