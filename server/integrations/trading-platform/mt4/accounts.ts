/** Accounts in the gateway's format, read and new. */
import type * as z from 'zod/mini'
import type { Currency, Money } from '#rules/money.ts'
import { Rejected, Unavailable } from '../../errors.ts'
import { exactAmount } from '../figures.ts'
import { loginPattern } from '../identifiers.ts'
import type { NewPlatformAccount, PlatformAccount } from '../trading-server.ts'
import type * as answers from './answers.ts'

export type WireAccount = z.infer<typeof answers.accountAnswer>

/** UserRecord stores texts of fixed lengths in bytes, whose last byte ends the text. */
const lengths = {
  group: 15,
  name: 127,
  email: 47,
  country: 31,
  phone: 31,
  address: 95,
  city: 31,
  state: 31,
  postcode: 15,
  status: 15,
} as const

/** Returns the path of an account. Throws `not-found` for a text that is not a login. */
export function accountPath(login: string): string {
  if (!loginPattern.test(login)) throw new Rejected('not-found', 'mt4:not_found', 'Not a login')
  return `/v2/accounts/${login}`
}

/** Returns the body of the call that opens an account. */
export function newAccountFields(request: NewPlatformAccount): object {
  const { ref, group, name, email, country, leverage, main, investor, person } = request
  if (Buffer.byteLength(group) > lengths.group)
    throw new Rejected('bad-input', 'mt4:bad_group', `No MT4 group is named ${group}`)
  return {
    group,
    name: inputText(name, lengths.name),
    email: inputText(email, lengths.email),
    country: inputText(country, lengths.country),
    leverage,
    comment: ref,
    passwords: { main, investor },
    ...(person && {
      phone: inputText(person.phone, lengths.phone),
      address: inputText(person.address, lengths.address),
      city: inputText(person.city, lengths.city),
      state: inputText(person.state, lengths.state),
      postcode: inputText(person.postcode, lengths.postcode),
      status: person.status,
    }),
  }
}

/** Returns an account as read at `readAt`, by our clock. Throws `Unavailable` for an invalid amount. */
export function figuresOf(account: WireAccount, readAt: Date): PlatformAccount {
  const { currency, equity, margin, freeMargin, profit, leverage, group, enabled } = account
  return {
    balance: amountOf(account.balance, currency),
    credit: amountOf(account.credit, currency),
    ...(equity !== undefined && { equity: amountOf(equity, currency) }),
    ...(margin !== undefined && { margin: amountOf(margin, currency) }),
    ...(freeMargin !== undefined && { freeMargin: amountOf(freeMargin, currency) }),
    ...(profit !== undefined && { profit: amountOf(profit, currency) }),
    leverage,
    group,
    enabled,
    readAt,
  }
}

/**
 * Parses a decimal text into minor units. Throws `Unavailable` for a text that is not an exact amount in the currency.
 */
export function amountOf(text: string, currency: Currency): Money {
  const amount = exactAmount(text, currency)
  if (amount === null) throw new Unavailable('The gateway returned no amount')
  return amount
}

/** Returns a person's text for the platform: without control characters, cut to the stored length. */
function inputText(text: string, lengthMax: number): string {
  if (/\p{Cc}/u.test(text)) throw new Rejected('bad-input', 'mt4:input', 'Control characters are not sent')
  let cut = ''
  for (const character of text.toWellFormed()) {
    if (Buffer.byteLength(cut + character) > lengthMax) break
    cut += character
  }
  return cut
}
