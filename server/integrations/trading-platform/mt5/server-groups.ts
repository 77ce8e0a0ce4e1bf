/** The groups of a MetaTrader 5 server. Their names are listed, and only the requested records are read. */
import type { Currency } from '#rules/money.ts'
import { Rejected } from '../../errors.ts'
import { currencyNamed } from '../figures.ts'
import { ForbiddenGroup, OddValue, withoutControls } from '../odd-records.ts'
import type { PlatformGroup } from '../trading-server.ts'
import type { Mt5Caller } from './caller.ts'
import { textOf, wholeNumber } from './values.ts'

/** A group's currency never changes (retcode 3010), so it is read once. */
export type KnownCurrencies = Map<string, Currency | null>

export class ServerGroups {
  readonly #caller: Mt5Caller
  readonly #currencies: KnownCurrencies

  constructor(caller: Mt5Caller, currencies: KnownCurrencies) {
    this.#caller = caller
    this.#currencies = currencies
  }

  /** Returns the names of the groups that our login may use. */
  names(): Promise<string[]> {
    return this.#caller.texts('/api/group/list')
  }

  async currencyOf(name: string): Promise<Currency> {
    const known = this.#currencies.has(name)
      ? this.#currencies.get(name)
      : (await this.#read(name).catch(explained(name))).currency
    if (known === undefined || known === null)
      throw new OddValue('Group', 'currency', name, `The group ${name} is in a currency that is not dealt with here`)
    return known
  }

  /** Returns all groups in the currencies that we offer. */
  async byCurrency(): Promise<ReadonlyMap<Currency, readonly string[]>> {
    const groups = new Map<Currency, string[]>()
    for (const name of await this.names()) {
      if (!this.#currencies.has(name)) await this.#read(name)
      const currency = this.#currencies.get(name)
      if (currency) groups.set(currency, [...(groups.get(currency) ?? []), name])
    }
    return groups
  }

  /** Returns those of the named groups that exist. */
  async find(wanted: readonly string[]): Promise<ReadonlyMap<string, PlatformGroup>> {
    const listed = new Set(await this.names())
    const found = new Map<string, PlatformGroup>()
    for (const name of new Set(wanted))
      if (listed.has(name)) {
        const { record, currency } = await this.#read(name)
        found.set(name, { currency, passwordLengthMin: wholeNumber(record, 'AuthPasswordMin') })
      }
    return found
  }

  async #read(name: string): Promise<{ record: Record<string, unknown>; currency: Currency | null }> {
    const record = await this.#caller.record('/api/group/get', { group: name })
    const code = textOf(record, 'Currency')
    // A group may have any currency, such as USDT. One that is none, or one of ours written otherwise, may hide our accounts.
    const plain = withoutControls(code).trim().toUpperCase()
    if (plain === '' || currencyNamed(plain) !== currencyNamed(code))
      throw new OddValue('Currency', 'value', code, `The currency of the group ${name} cannot be read`)
    const currency = currencyNamed(code)
    this.#currencies.set(name, currency)
    return { record, currency }
  }
}

/** Throws the failure of reading a group. Its absence must not be taken for that of an account in it. */
function explained(name: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Rejected) || error.reason !== 'not-found') throw error
    throw new ForbiddenGroup(name, error.code)
  }
}
