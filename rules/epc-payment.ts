/** The text of a credit transfer's QR code: EPC069-12, version 002, UTF-8 (requirements 24.15). */
import { isIban, isSwift, normalizeBankNumber } from './bank-details.ts'
import { decimalOf, type Money } from './money.ts'

/** Countries of the SEPA scheme, by the prefix of their IBANs (EPC409-09). */
const sepaCountries: ReadonlySet<string> = new Set(
  (
    'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK ' +
    'IS LI NO CH GB GI AD MC SM VA AL MD ME MK RS'
  ).split(' '),
)

const bytesMax = 331
const nameLengthMax = 70
const referenceLengthMax = 140
const amountMinorMax = 999_999_999_99n

export interface CreditTransfer {
  /** The account holder exactly as the bank has it. */
  readonly name: string
  readonly iban: string
  readonly bic: string
  readonly amount: Money
  readonly reference: string
}

/**
 * Returns the text of the code, or null if the scheme has none: another currency, an account not in SEPA, no BIC, a
 * name that would have to be cut.
 */
export function epcPayment({ name, iban, bic, amount, reference }: CreditTransfer): string | null {
  const account = normalizeBankNumber(iban)
  const bank = normalizeBankNumber(bic)
  if (amount.currency !== 'EUR' || amount.minor < 1n || amount.minor > amountMinorMax) return null
  if (!isIban(account) || !sepaCountries.has(account.slice(0, 2)) || !isSwift(bank)) return null
  if (name === '' || name.length > nameLengthMax || reference.length > referenceLengthMax) return null
  if (/[\r\n]/.test(name + reference)) return null
  const lines = ['BCD', '002', '1', 'SCT', bank, name, account, `EUR${decimalOf(amount.minor)}`, '', '', reference]
  const text = lines.join('\n')
  return new TextEncoder().encode(text).length <= bytesMax ? text : null
}
