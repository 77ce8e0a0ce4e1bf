/** The groups of a MetaTrader 5 server. Their names are listed, and only the requested records are read. */
import type { Currency } from '#rules/money.ts'
import { Rejected } from '../../errors.ts'
import { parseCurrency } from '../figures.ts'
import { ForbiddenGroup, unreadableAccountOf, UnreadableValue, removeControlCharacters } from '../unreadable-records.ts'
import type { PlatformGroup, PlatformGroups } from '../trading-server.ts'
import type { Mt5Caller } from './caller.ts'
import { recordOf, textOf, nullIfUnreadable, wholeNumber } from './values.ts'

/** A group's currency never changes (retcode 3010), so it is read once. */
export type KnownCurrencies = Map<string, Currency | null>

/** Names of groups by their currency; null for groups of which it cannot be read. */
export type GroupsByCurrency = ReadonlyMap<Currency | null, readonly string[]>

export interface ListedGroups {
  readonly names: readonly string[]
  /** Each may be any group that is not among the names. */
  readonly unreadableNames: readonly unknown[]
}

export class ServerGroups {
  readonly #caller: Mt5Caller
  readonly #currencies: KnownCurrencies

  constructor(caller: Mt5Caller, currencies: KnownCurrencies) {
    this.#caller = caller
    this.#currencies = currencies
  }

  /** Returns the names of the groups that our login may use, and the values sent instead of names. */
  async names(): Promise<ListedGroups> {
    const listed = await this.#caller.values('/api/group/list')
    const isName = (one: unknown): one is string => typeof one === 'string' && one !== ''
    return { names: listed.filter(isName), unreadableNames: listed.filter((one) => !isName(one)) }
  }

  async currencyOf(name: string): Promise<Currency> {
    const known = this.#currencies.has(name) ? this.#currencies.get(name) : (await this.#read(name)).currency
    if (known === undefined || known === null)
      throw new UnreadableValue(
        'Group',
        'currency',
        name,
        `The group ${name} is in a currency that is not dealt with here`,
      )
    return known
  }

  /** Returns those of the named groups that are in the currencies that we offer, or may be in one of them. */
  async byCurrency(names: readonly string[]): Promise<GroupsByCurrency> {
    const groups = new Map<Currency | null, string[]>()
    for (const name of names) {
      const currency = await this.currencyOf(name).catch((error: unknown) => {
        const unreadable = unreadableAccountOf(error)
        if (unreadable === null) throw error
        return unreadable.reason === 'currency' ? undefined : null
      })
      if (currency !== undefined) groups.set(currency, [...(groups.get(currency) ?? []), name])
    }
    return groups
  }

  /** Returns those of the named groups that exist and that our login may read. */
  async find(wanted: readonly string[]): Promise<PlatformGroups> {
    const { names, unreadableNames } = await this.names()
    const listed = new Set(names)
    const found = new Map<string, PlatformGroup>()
    for (const name of new Set(wanted))
      if (listed.has(name)) {
        const group = await this.#readable(name)
        if (group !== null) found.set(name, group)
      }
    return { found, isComplete: unreadableNames.length === 0 }
  }

  /** Returns null for a group that our login may not read; one with an unreadable currency counts as not offered. */
  async #readable(name: string): Promise<PlatformGroup | null> {
    try {
      const { record, currency } = await this.#read(name)
      return { currency, passwordLengthMin: nullIfUnreadable(() => wholeNumber(record, 'AuthPasswordMin')) }
    } catch (error) {
      if (error instanceof ForbiddenGroup) return null
      if (unreadableAccountOf(error)?.reason !== 'group') throw error
      return { currency: null, passwordLengthMin: null }
    }
  }

  async #read(name: string): Promise<{ record: Record<string, unknown>; currency: Currency | null }> {
    const call = { path: '/api/group/get', query: { group: name }, kind: 'question' } as const
    const answer = await this.#caller.answer(call).catch(throwGroupFailure(name))
    const record = nullIfUnreadable(() => recordOf(answer))
    const code = record && nullIfUnreadable(() => textOf(record, 'Currency'))
    // A group may have any currency, such as USDT. An invalid code, or one of ours misspelt, may hide our accounts.
    const plain = removeControlCharacters(code ?? '')
      .trim()
      .toUpperCase()
    if (record === null || plain === '' || parseCurrency(plain) !== parseCurrency(code))
      throw new UnreadableValue('Group', 'group', name, `The currency of the group ${name} cannot be read`)
    const currency = parseCurrency(code)
    this.#currencies.set(name, currency)
    return { record, currency }
  }
}

/** Throws the failure of reading a group. Its absence must not be taken for that of an account in it. */
function throwGroupFailure(name: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Rejected)) throw error
    throw new ForbiddenGroup(name, error.code)
  }
}
