/** The firm's client money account in each currency. */
import type { Currency } from '#rules/money.ts'
import type { Dependencies } from '../dependencies.ts'

/** Returns the ledger's name of the firm's account in a currency, under which its statements are imported. */
export async function firmBankAccount(
  dependencies: Pick<Dependencies, 'settings'>,
  currency: Currency,
): Promise<string> {
  const { IBAN, BankAccountNumber } = (await dependencies.settings.get('wireAccounts'))[currency]
  return normalizeAccountNumber(IBAN || BankAccountNumber)
}

/** Returns an account's number as it is compared: in capitals, without spaces. */
export function normalizeAccountNumber(text: string): string {
  return text.replace(/\s/g, '').toUpperCase()
}
