/** Lists of withdrawals for staff, and the payout list of each currency. */
import { stringify } from 'csv-stringify/sync'
import type { QueryOf } from '#contract/endpoint.ts'
import type {
  listOfficeWithdrawals as listEndpoint,
  makePayoutFile as makeEndpoint,
  payoutFile as fileEndpoint,
  payoutList as payoutEndpoint,
} from '#contract/office/withdrawals.ts'
import { decimalOf } from '#rules/money.ts'
import { payoutFileName, withdrawalLife } from '#rules/withdrawals.ts'
import { record } from '../../db/events.ts'
import { row, rows, sql } from '../../db/sql.ts'
import { transaction } from '../../db/transaction.ts'
import { Bytes } from '../../http/bytes.ts'
import { Problem } from '../../http/problem.ts'
import type { Verb } from '../../http/serve.ts'
import { pageOf } from '../../office/listing.ts'
import { rowHeads } from '../../office/lists.ts'
import { clientBriefs, staffNames } from '../../office/records.ts'
import type { Parts } from '../../parts.ts'
import { lastFour, safeCell } from '../../wording.ts'
import {
  payoutRowsMax,
  withdrawalColumns,
  withdrawalListing,
  withdrawalsOfFile,
  withdrawalsToPay,
  type Withdrawal,
} from './queries.ts'

export function listOfficeWithdrawals(parts: Parts): Verb<typeof listEndpoint> {
  return async (call) => {
    const { rows: found, next } = await pageOf<Withdrawal, QueryOf<typeof listEndpoint>>(
      parts,
      withdrawalListing,
      withdrawalColumns,
      call.query,
    )
    const head = await rowHeads(parts, withdrawalLife.name, found)
    const names = await staffNames(
      parts.pool,
      found.map((one) => one.approvedBy),
    )
    return {
      rows: found.map((one) => ({
        ...head(one, one.requestedAt),
        state: one.state,
        reference: one.reference,
        accountNumber: one.login,
        amount: one.amountMinor,
        currency: one.currency,
        bankEnding: lastFour(one.bank.iban ?? one.bank.accountNumber),
        firstApprovedBy: (one.approvedBy && names.get(one.approvedBy)) || null,
      })),
      next,
    }
  }
}

export function payoutList(parts: Parts): Verb<typeof payoutEndpoint> {
  return async (call) => {
    const { currency } = call.params
    const { found, count, sum } = await withdrawalsToPay(parts.pool, currency)
    const clients = await clientBriefs(
      parts,
      parts.pool,
      found.map((one) => one.clientId),
    )
    return {
      rows: found.flatMap((one) => {
        const client = clients.get(one.clientId)
        return client ? [payoutRow(one, client)] : []
      }),
      count,
      sum,
      currency,
    }
  }
}

function payoutRow<Client>(one: Withdrawal, client: Client) {
  const { bankName, iban, swift, accountNumber, sortCode, holder } = one.bank
  return {
    id: one.id,
    version: one.version,
    reference: one.reference,
    client,
    holder,
    bankName,
    iban,
    swift,
    accountNumber,
    sortCode,
    amount: one.amountMinor - one.feeMinor,
    approvedAt: one.approvedAt ?? one.requestedAt,
    payoutFile: one.payoutFile,
  }
}

/** Each withdrawal stands in one file only: rows are claimed by the same statement that reads them (attack C16). */
export function makePayoutFile(parts: Parts): Verb<typeof makeEndpoint> {
  return async (call) => {
    const { currency } = call.params
    return transaction(parts.pool, async (tx) => {
      const file = await row<{ id: string }>(tx, sql`select uuidv7() as id`)
      if (!file) throw new Error('no id was given')
      const claimed = await rows<{ left: bigint }>(
        tx,
        sql`update withdrawals set payout_file = ${file.id} where state = 'approved' and payout_file is null
              and id in (select id from withdrawals where currency = ${currency} and state = 'approved' and payout_file is null
                order by approved_at, id limit ${payoutRowsMax})
            returning amount_minor - fee_minor as left`,
      )
      if (claimed.length === 0) throw new Problem('nothing-to-pay')
      const sum = claimed.reduce((total, one) => total + one.left, 0n)
      await record(tx, call.act, {
        kind: 'payout_file',
        verb: 'make',
        record: file.id,
        details: { count: claimed.length, sum: decimalOf(sum), currency },
      })
      return { id: file.id, name: payoutFileName(currency, file.id), count: claimed.length, sum, currency }
    })
  }
}

/** A payout file as CSV, drawn from its rows: the same whenever it is asked for. */
export function payoutFile(parts: Parts): Verb<typeof fileEndpoint> {
  return async (call) => {
    const found = await withdrawalsOfFile(parts.pool, call.params.id)
    const first = found[0]
    if (!first) throw new Problem('not-found')
    const csv = stringify(found.map(csvRow), { header: true, columns: [...csvColumns] })
    await transaction(parts.pool, (tx) =>
      record(tx, call.act, {
        kind: 'payout_file',
        verb: 'export',
        record: call.params.id,
        details: { count: found.length, currency: first.currency },
      }),
    )
    return new Bytes(csv, payoutFileName(first.currency, call.params.id))
  }
}

const csvColumns = [
  'reference',
  'holder',
  'iban',
  'swift',
  'sort_code',
  'account_number',
  'bank',
  'amount',
  'currency',
] as const

function csvRow({ bank, reference, amountMinor, feeMinor, currency }: Withdrawal): string[] {
  const { holder, iban, swift, sortCode, accountNumber, bankName } = bank
  const typed = [reference, holder, iban ?? '', swift ?? '', sortCode ?? '', accountNumber ?? '', bankName].map(
    safeCell,
  )
  return [...typed, decimalOf(amountMinor - feeMinor), currency]
}
