/** A client's bank accounts as the portal shows them (specification section 3). */
import type { BankDetails, getBankDetails as endpoint } from '#contract/bank-details.ts'
import { clientOf, type Call } from '../../http/request-context.ts'
import type { Verb } from '../../http/register-endpoint.ts'
import type { Parts } from '../../dependencies.ts'
import { reasonText } from '../../i18n/format.ts'
import { fileLink } from '../files/queries.ts'
import { ownBankDetails, type BankRecord } from './queries.ts'

export function getBankDetails(parts: Parts): Verb<typeof endpoint> {
  return async (call) => {
    const { a, b } = call.params
    const found = await ownBankDetails(parts.pool, clientOf(call).clientId, {
      currency: a === 'all' ? null : a,
      state: b === 'all' ? null : b,
    })
    return { bankDetails: found.map((record) => shown(parts, record, call)) }
  }
}

/** A record with a fresh link to its statement. */
export function shown(
  parts: Pick<Parts, 'keys'>,
  record: BankRecord,
  { now, language }: Pick<Call, 'now' | 'language'>,
): BankDetails {
  return {
    _id: record.id,
    userId: record.clientId,
    bankName: record.bankName,
    bankAddress: record.bankAddress,
    bankCountry: record.bankCountry,
    bankAccountCurrency: record.currency,
    bankAccountNumber: record.accountNumber,
    bankSortCode: record.sortCode,
    bankIBAN: record.iban,
    bankSwift: record.swift,
    bankPOA: record.statement,
    bankPOAUrl: record.statement === null ? null : fileLink(parts, record.statement, now),
    status: record.state,
    reason: reasonText(record.reason, language),
    timestamp: record.addedAt,
  }
}
