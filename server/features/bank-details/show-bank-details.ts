/** A client's bank accounts as the portal shows them (requirements 12.2). */
import type { BankDetails, getBankDetails as endpoint } from '#contract/bank-details.ts'
import { requireClient, type RequestContext, type Handler } from '../../http/handler.ts'
import type { Dependencies } from '../../dependencies.ts'
import { reasonText } from '../../i18n/format.ts'
import { fileLink } from '../files/queries.ts'
import { ownBankDetails, type BankRecord } from './queries.ts'

export const getBankDetails: Handler<typeof endpoint> = async (dependencies, context) => {
  const { a, b } = context.params
  const found = await ownBankDetails(dependencies.pool, requireClient(context).clientId, {
    currency: a === 'all' ? null : a,
    state: b === 'all' ? null : b,
  })
  return { bankDetails: found.map((record) => bankDetailsResponse(dependencies, record, context)) }
}

/** Returns a record with a fresh link to its statement. */
export function bankDetailsResponse(
  dependencies: Pick<Dependencies, 'keys'>,
  record: BankRecord,
  { now, language }: Pick<RequestContext, 'now' | 'language'>,
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
    bankPOAUrl: record.statement === null ? null : fileLink(dependencies, record.statement, now),
    status: record.state,
    reason: reasonText(record.reason, language),
    timestamp: record.addedAt,
  }
}
