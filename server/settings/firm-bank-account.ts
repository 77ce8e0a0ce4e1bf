/** The firm's client money account in each currency, and those that it replaced. */
import { currencies, type Currency } from '#rules/money.ts'
import type { Connection } from '../db/sql.ts'
import type { Dependencies } from '../dependencies.ts'
import { settingDefault } from './defaults.ts'
import { readSetting, readSettingHistory } from './settings.ts'

export interface FirmAccount {
  /** The ledger's name of the account, under which its statements are imported. */
  readonly name: string
  readonly currency: Currency
  /** When the settings replaced it; null for a present one. */
  readonly replacedAt: Date | null
}

/**
 * Returns the accounts of the settings and those that they replaced, the present ones first, each with the IBAN and
 * number by which it is recognised: clients pay to a replaced account for months (requirements 24.168). The product's
 * sample accounts are left out once the firm has stored its own.
 */
export async function firmAccounts(connection: Connection): Promise<(FirmAccount & { names: readonly string[] })[]> {
  const stored = await readSettingHistory(connection, 'wireAccounts')
  // Of the defaults, those of the accounts do not depend on the time.
  const start = new Date(0)
  const versions = stored.length > 0 ? stored : [{ value: settingDefault('wireAccounts', start), from: start }]
  const accounts = versions.flatMap(({ value }, place) =>
    currencies.flatMap((currency) => {
      const { IBAN, BankAccountNumber } = value[currency]
      const names = [IBAN, BankAccountNumber].map(normalizeAccountNumber).filter((one) => one !== '')
      const replacedAt = versions[place - 1]?.from ?? null
      return names[0] === undefined ? [] : [{ name: names[0], currency, replacedAt, names }]
    }),
  )
  // A later version may name the same account with its other number, or without it.
  return accounts.map((account) => {
    const newest = accounts.find(({ names }) => names.includes(account.name)) ?? account
    return { ...newest, names: account.names }
  })
}

/**
 * Returns the ledger's name of the firm's account in a currency, under which its statements are imported, as the
 * settings name it at a time of this transaction.
 */
export async function readFirmBankAccount(connection: Connection, currency: Currency, now: Date): Promise<string> {
  return nameOf((await readSetting(connection, 'wireAccounts', now)).value[currency])
}

/** Returns the same from the settings that the process has read. */
export async function firmBankAccount(
  { settings }: Pick<Dependencies, 'settings'>,
  currency: Currency,
): Promise<string> {
  return nameOf((await settings.get('wireAccounts'))[currency])
}

function nameOf({ IBAN, BankAccountNumber }: { readonly IBAN: string; readonly BankAccountNumber: string }): string {
  return normalizeAccountNumber(IBAN || BankAccountNumber)
}

/** Returns an account's number as it is compared: in capitals, without spaces. */
export function normalizeAccountNumber(text: string): string {
  return text.replace(/\s/g, '').toUpperCase()
}
