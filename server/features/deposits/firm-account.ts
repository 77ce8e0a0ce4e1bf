/** The firm's own client money accounts, as statements and staff name them. */
import { currencies, type Currency } from '#rules/money.ts'
import { Problem } from '../../http/problem.ts'
import { normalizeAccountNumber } from '../../settings/firm-bank-account.ts'
import { readSettingHistory } from '../../settings/settings.ts'
import type { Dependencies } from '../../dependencies.ts'

interface FirmAccount {
  readonly name: string
  readonly currency: Currency
}

/**
 * Returns the accounts of the settings and those that they replaced, the present ones first: clients pay to a replaced
 * account for months (requirements 24.168).
 */
async function accountsEverConfigured({
  pool,
}: Pick<Dependencies, 'pool'>): Promise<(FirmAccount & { names: readonly string[] })[]> {
  // Only the default depends on the time, and that of the accounts does not.
  const history = await readSettingHistory(pool, 'wireAccounts', new Date(0))
  return history.flatMap((accounts) =>
    currencies.flatMap((currency) => {
      const { IBAN, BankAccountNumber } = accounts[currency]
      const names = [IBAN, BankAccountNumber].map(normalizeAccountNumber).filter((one) => one !== '')
      return names[0] === undefined ? [] : [{ name: names[0], currency, names }]
    }),
  )
}

/** Returns every IBAN and number of the firm's present and former accounts, without spaces. */
export async function firmAccountNumbers(dependencies: Pick<Dependencies, 'pool'>): Promise<string[]> {
  return (await accountsEverConfigured(dependencies)).flatMap(({ names }) => names)
}

async function findFirmAccount(dependencies: Pick<Dependencies, 'pool'>, written: string): Promise<FirmAccount | null> {
  const found = (await accountsEverConfigured(dependencies)).find(({ names }) =>
    names.includes(normalizeAccountNumber(written)),
  )
  return found ? { name: found.name, currency: found.currency } : null
}

/** Returns the firm's account of an IBAN or number, with its currency. Throws `account-unknown-bank`. */
export async function firmAccount(dependencies: Pick<Dependencies, 'pool'>, written: string): Promise<FirmAccount> {
  const found = await findFirmAccount(dependencies, written)
  if (!found) throw new Problem('account-unknown-bank', { field: 'bankAccount' })
  return found
}

/**
 * Returns the account of a statement: named by the file or chosen by a clerk. Throws `statement-other-account` if the
 * two differ, and `statement-account-unknown` if the file's is not the firm's. Null if neither is named.
 */
export async function accountOfStatement(
  dependencies: Pick<Dependencies, 'pool'>,
  written: string | undefined,
  inFile: string | null,
): Promise<FirmAccount | null> {
  const chosen = written ? await firmAccount(dependencies, written) : null
  const named = inFile === null ? null : await findFirmAccount(dependencies, inFile)
  if (inFile !== null && (named === null || (chosen !== null && chosen.name !== named.name)))
    throw new Problem(chosen ? 'statement-other-account' : 'statement-account-unknown', {
      values: { account: inFile.slice(0, 42), ours: chosen?.name ?? '' },
      field: 'csv',
    })
  return chosen ?? named
}
