/** The firm's own client money accounts, as statements and staff name them. */
import { currencies, type Currency } from '#rules/money.ts'
import { Problem } from '../../http/problem.ts'
import { normalizeAccountNumber } from '../../settings/firm-bank-account.ts'
import type { Dependencies } from '../../dependencies.ts'

interface FirmAccount {
  readonly name: string
  readonly currency: Currency
}

async function configuredAccounts(
  dependencies: Pick<Dependencies, 'settings'>,
): Promise<(FirmAccount & { names: readonly string[] })[]> {
  const kept = await dependencies.settings.get('wireAccounts')
  return currencies.flatMap((currency) => {
    const { IBAN, BankAccountNumber } = kept[currency]
    const name = normalizeAccountNumber(IBAN || BankAccountNumber)
    const names = [normalizeAccountNumber(IBAN), normalizeAccountNumber(BankAccountNumber)].filter((one) => one !== '')
    return name === '' ? [] : [{ name, currency, names }]
  })
}

/** Returns every IBAN and number of the firm's accounts, without spaces. */
export async function firmAccountNumbers(dependencies: Pick<Dependencies, 'settings'>): Promise<string[]> {
  return (await configuredAccounts(dependencies)).flatMap(({ names }) => names)
}

async function findFirmAccount(
  dependencies: Pick<Dependencies, 'settings'>,
  written: string,
): Promise<FirmAccount | null> {
  const found = (await configuredAccounts(dependencies)).find(({ names }) =>
    names.includes(normalizeAccountNumber(written)),
  )
  return found ? { name: found.name, currency: found.currency } : null
}

/** Returns the firm's account of an IBAN or number, with its currency. Throws `account-unknown-bank`. */
export async function firmAccount(dependencies: Pick<Dependencies, 'settings'>, written: string): Promise<FirmAccount> {
  const found = await findFirmAccount(dependencies, written)
  if (!found) throw new Problem('account-unknown-bank', { field: 'bankAccount' })
  return found
}

/**
 * Returns the account of a statement: named by the file or chosen by a clerk. Throws `statement-other-account` if the
 * two differ, and `statement-account-unknown` if the file's is not the firm's. Null if neither is named.
 */
export async function accountOfStatement(
  dependencies: Pick<Dependencies, 'settings'>,
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
