/** Switches that write the platform's records: changes by dealers, and past data. */
import { requireValue, numberField, Misuse, textField, type Fields, type Route } from '../process/http.ts'
import { playHistory } from './past-trades.ts'
import { hundredths } from './hundredths.ts'
import type { Account, Deal, Store } from './store.ts'

export function recordRoutes(book: Store): Record<string, Route> {
  const deleted = new Map<string, Account>()
  return {
    'POST /accounts/delete': ({ fields }) => {
      const account = requireValue(book.account(requireValue(textField(fields, 'login'), 'login')), 'login')
      deleted.set(account.login, account)
      book.state.commit({ accounts: { [account.login]: null } })
    },
    'POST /accounts/restore': ({ fields }) => {
      const account = requireValue(deleted.get(requireValue(textField(fields, 'login'), 'login')), 'login')
      book.state.commit({ accounts: { [account.login]: account } })
    },
    'POST /deals/change': ({ fields }) => {
      const deal = dealIn(book, fields)
      book.replaceDeal(deal, { ...deal, amount: amountIn(fields) })
    },
    'POST /deals/write': ({ fields }) => {
      const account = requireValue(book.account(requireValue(textField(fields, 'login'), 'login')), 'login')
      const [action, time] = [requireValue(numberField(fields, 'action'), 'action'), numberField(fields, 'time')]
      const facts = { action, amount: amountIn(fields), comment: textField(fields, 'comment') ?? '' }
      const { ticket } = book.deal(account, { ...facts, ...(time !== undefined && { time }) })
      return { ok: true, ticket }
    },
    'POST /deals/past': ({ fields }) => {
      const account = requireValue(book.account(requireValue(textField(fields, 'login'), 'login')), 'login')
      const [from, to] = [
        requireValue(numberField(fields, 'from'), 'from'),
        requireValue(numberField(fields, 'to'), 'to'),
      ]
      return { ok: true, deals: playHistory(book, account, { from, to, seed: numberField(fields, 'seed') ?? 1 }) }
    },
  }
}

export function dealIn(book: Store, fields: Fields): Deal {
  return requireValue(book.state.rows('deals').get(requireValue(textField(fields, 'ticket'), 'ticket')), 'ticket')
}

function amountIn(fields: Fields): number {
  const amount = hundredths(requireValue(textField(fields, 'amount'), 'amount'))
  if (amount === null) throw new Misuse('amount is not an amount')
  return amount
}
