/**
 * A client's bank accounts (requirements 12.3, 12.4): operations decide on them, compliance on those of a last balance.
 * `authorize` (server/http/register-endpoint.ts) and `applyTransition` (server/db/transition.ts) enforce `by`.
 */
import { defineStateMachine } from './state-machine.ts'

export const bankDetailsMachine = defineStateMachine({
  name: 'bank_details',
  table: 'bank_details',
  states: ['pending', 'approved', 'rejected'],
  first: 'pending',
  undecided: ['pending'],
  transitions: {
    // An administrator may do what another deciding role may (`actorsOf` in actors.ts, `rolesFor` in permissions.ts).
    approve: { from: ['pending'], to: 'approved', by: ['operations'] },
    reject: { from: ['pending'], to: 'rejected', by: ['operations'] },
    /** Entered by staff for a last balance: decided together with its withdrawal. */
    approveWithPayout: { from: ['pending'], to: 'approved', by: ['compliance'] },
    rejectWithPayout: { from: ['pending'], to: 'rejected', by: ['compliance', 'finance'] },
    /** Keeps the statement and the date of addition; the review starts again. An approved record is read-only. */
    update: { from: ['pending', 'rejected'], to: 'pending', by: ['client'] },
  },
})
export type BankDetailsState = (typeof bankDetailsMachine.states)[number]

/** Returns the status that a client sees: the state itself. */
export function bankDetailsStatusForClient(state: BankDetailsState): BankDetailsState {
  return state
}

export interface BankNumbers {
  readonly bankCountry: string
  readonly bankAccountNumber: string
  readonly bankSortCode: string
  readonly bankIBAN: string
  readonly bankSwift: string
}

type BankProblem =
  | 'bank-fields-required'
  | 'account-number-invalid'
  | 'sort-code-invalid'
  | 'iban-invalid'
  | 'swift-invalid'
  | 'iban-other-country'
  | 'not-for-country'

/**
 * Returns the errors in the numbers of a bank account, by field: account number and sort code for GB, IBAN and
 * SWIFT/BIC elsewhere. An empty text is a missing field.
 */
export function checkBankNumbers(numbers: BankNumbers): Partial<Record<keyof BankNumbers, BankProblem>> {
  const { bankAccountNumber, bankSortCode, bankIBAN, bankSwift, bankCountry } = numbers
  const found: Partial<Record<keyof BankNumbers, BankProblem>> = {}
  if (bankCountry === 'GB') {
    if (bankAccountNumber === '') found.bankAccountNumber = 'bank-fields-required'
    else if (!isAccountNumber(bankAccountNumber)) found.bankAccountNumber = 'account-number-invalid'
    if (bankSortCode === '') found.bankSortCode = 'bank-fields-required'
    else if (!isSortCode(bankSortCode)) found.bankSortCode = 'sort-code-invalid'
    if (bankIBAN !== '') found.bankIBAN = 'not-for-country'
    if (bankSwift !== '') found.bankSwift = 'not-for-country'
    return found
  }
  if (bankIBAN === '') found.bankIBAN = 'bank-fields-required'
  else if (!isIban(bankIBAN)) found.bankIBAN = 'iban-invalid'
  if (bankSwift === '') found.bankSwift = 'bank-fields-required'
  else if (!isSwift(bankSwift)) found.bankSwift = 'swift-invalid'
  if (bankAccountNumber !== '') found.bankAccountNumber = 'not-for-country'
  if (bankSortCode !== '') found.bankSortCode = 'not-for-country'
  return found
}

/**
 * Returns sort code and account number of a British account as banks write it: as an IBAN, which ends with both, or as
 * the numbers with hyphens; other account numbers without hyphens.
 */
export function britishNumber(account: string): string {
  return /^GB\d{2}[A-Z]{4}(\d{14})$/.exec(account)?.[1] ?? account.replaceAll('-', '')
}

/** Returns whether a text is a British account number: eight digits. */
function isAccountNumber(text: string): boolean {
  return /^\d{8}$/.test(normalizeBankNumber(text))
}

/** Returns whether a text is a sort code: six digits. */
export function isSortCode(text: string): boolean {
  return /^\d{6}$/.test(normalizeBankNumber(text))
}

/** Returns whether a text is a BIC of 8 or 11 characters (ISO 9362). */
export function isSwift(text: string): boolean {
  return /^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(normalizeBankNumber(text))
}

/**
 * Returns whether a text has the form and the check digits of an IBAN (ISO 13616, mod 97). The server checks the
 * length that a country prescribes.
 */
export function isIban(text: string): boolean {
  const iban = normalizeBankNumber(text)
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return false
  let rest = 0
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = parseInt(character, 36)
    rest = (value > 9 ? rest * 100 + value : rest * 10 + value) % 97
  }
  return rest === 1
}

/**
 * Offset of the bank code in the BBAN, if not 0: Italy and San Marino have a check character before it (ISO 13616
 * registry).
 */
const bankCodeOffsets: Readonly<Record<string, number>> = { IT: 1, SM: 1 }

/**
 * Returns the possible bank codes of an IBAN: prefixes of 2 to 12 characters, because tables have bank and branch codes
 * joined or separate.
 */
export function bankCodesOf(iban: string): string[] {
  const begins = 4 + (bankCodeOffsets[iban.slice(0, 2)] ?? 0)
  return Array.from({ length: 11 }, (_, more) => iban.slice(begins, begins + 2 + more))
}

/**
 * Territories whose banks have IBANs of another country: the Crown Dependencies and the French overseas territories
 * (ISO 13616 registry).
 */
const territories: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['GG', 'JE', 'IM'].map((code) => [code, 'GB'])),
  ...Object.fromEntries(
    ['GF', 'GP', 'MQ', 'RE', 'YT', 'PF', 'TF', 'NC', 'BL', 'MF', 'PM', 'WF'].map((code) => [code, 'FR']),
  ),
}

/** Returns whether an IBAN of one country can belong to a bank in another without being unusual. */
export function isIbanOfCountry(iban: string, bankCountry: string): boolean {
  const territoryOf = (code: string) => territories[code] ?? code
  return territoryOf(normalizeBankNumber(iban).slice(0, 2)) === territoryOf(bankCountry)
}

/** Returns a bank's number as it is stored: in capitals, without spaces and dashes of any kind. */
export function normalizeBankNumber(text: string): string {
  return text.replace(/[\s\p{Pd}]/gu, '').toUpperCase()
}

/** Returns the last four characters, "•••• 2051", for lists and for readers who may not see the number. */
export function maskBankNumber(number: string): string {
  const plain = number.replace(/[\s-]/g, '')
  return plain.length <= 4 ? '••••' : `•••• ${plain.slice(-4)}`
}

/**
 * Returns bank numbers masked so that each differs from the others: of those with the same last four characters also
 * the country and check digits of IBANs are shown, and more of the last characters if these are equal too.
 */
export function maskDistinctly(numbers: readonly string[]): ReadonlyMap<string, string> {
  const apart = new Map<string, string>()
  for (const alike of Map.groupBy(new Set(numbers), maskBankNumber).values()) {
    let tail = 4
    const ofMany = (number: string) => `${isIban(number) ? number.slice(0, 4) : ''} •••• ${number.slice(-tail)}`.trim()
    const shown = alike.length === 1 ? maskBankNumber : ofMany
    while (new Set(alike.map(shown)).size < alike.length) tail += 1
    for (const number of alike) apart.set(number, shown(number))
  }
  return apart
}
