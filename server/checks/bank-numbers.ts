/** The numbers of a bank account as they are stored, or the problem that names each wrong field. */
import { isValidBIC, isValidIBAN } from 'ibantools'
import {
  britishNumber,
  checkBankNumbers,
  isIbanOfCountry,
  normalizeBankNumber,
  type BankNumbers,
} from '#rules/bank-details.ts'
import type { ProblemCode } from '#contract/problems.ts'
import { countryOf } from '#rules/countries.ts'
import { sql, type Sql } from '../db/sql.ts'
import { Problem } from '../http/problem.ts'

interface TypedNumbers extends BankNumbers {
  /** The client has been told that the IBAN's country is not the bank's, and confirms that both are correct. */
  readonly ibanCountryConfirmed?: boolean | undefined
}

export interface KeptNumbers {
  readonly accountNumber: string | null
  readonly sortCode: string | null
  readonly iban: string | null
  readonly swift: string | null
}

/** Returns one number for a bank account in any of its notations (requirements 24.209); empty without numbers. */
export function numberOf({ iban, sortCode, accountNumber }: Omit<KeptNumbers, 'swift'>): string {
  return britishNumber(iban ?? `${sortCode ?? ''}${accountNumber ?? ''}`)
}

/** Returns SQL for the same number of a row of bank details. */
export function numberOfDetails(details: Sql): Sql {
  return sql`british_number(coalesce(${details}.iban, ${details}.sort_code || ${details}.account_number))`
}

/** Returns SQL for the same number of the bank account that is stored with a withdrawal. */
export function numberOfPayout(withdrawal: Sql): Sql {
  return sql`british_number(coalesce(${withdrawal}.bank ->> 'iban',
    (${withdrawal}.bank ->> 'sortCode') || (${withdrawal}.bank ->> 'accountNumber')))`
}

/**
 * Returns account number and sort code for GB, IBAN and SWIFT/BIC elsewhere (requirements 12.2). Throws at the invalid
 * fields.
 */
export function parseBankNumbers(typed: TypedNumbers): KeptNumbers {
  const fields: Record<string, ProblemCode> = { ...checkBankNumbers(typed) }
  if (!countryOf(typed.bankCountry)) fields['bankCountry'] = 'unknown-value'
  const iban = normalizeBankNumber(typed.bankIBAN)
  const swift = normalizeBankNumber(typed.bankSwift)
  if (typed.bankCountry !== 'GB') {
    if (!fields['bankIBAN'] && !isValidIBAN(iban)) fields['bankIBAN'] = 'iban-invalid'
    if (!fields['bankIBAN'] && !typed.ibanCountryConfirmed && !isIbanOfCountry(iban, typed.bankCountry))
      fields['bankIBAN'] = 'iban-other-country'
    if (!fields['bankSwift'] && !isValidBIC(swift)) fields['bankSwift'] = 'swift-invalid'
  }
  const wrong = Object.values(fields)
  if (wrong.length > 0) throw new Problem(wrong.length === 1 && wrong[0] ? wrong[0] : 'check-fields', { fields })
  if (typed.bankCountry === 'GB') {
    const sortCode = typed.bankSortCode.replace(/\D/g, '')
    return { accountNumber: typed.bankAccountNumber.replace(/\D/g, ''), sortCode, iban: null, swift: null }
  }
  return { accountNumber: null, sortCode: null, iban, swift }
}
