/** The firm's bank account for clients' money in each currency. */
import type { Currency } from '#rules/money.ts'
import type { Dependencies } from '../dependencies.ts'

/** The ledger's name of the account in a currency: the one that its statements come under. */
export async function firmBankAccount(
  dependencies: Pick<Dependencies, 'settings'>,
  currency: Currency,
): Promise<string> {
  const { IBAN, BankAccountNumber } = (await dependencies.settings.get('wireAccounts'))[currency]
  return (IBAN || BankAccountNumber).replace(/\s/g, '').toUpperCase()
}
