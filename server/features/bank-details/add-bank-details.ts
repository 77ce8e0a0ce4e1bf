/** A client adds a bank account with its statement, or mends one that is not approved; staff decide. */
import type { addBankDetails as addEndpoint, updateBankDetails as updateEndpoint } from '#contract/bank-details.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { bankDetailsLife, masked } from '#rules/bank-details.ts'
import { advance } from '../../db/transition.ts'
import { record } from '../../db/events.ts'
import { row, sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { openWork, type Work } from '../../db/work-items.ts'
import { clientOf, type Call } from '../../http/request-context.ts'
import { once } from '../../http/idempotency.ts'
import { Problem } from '../../http/problem.ts'
import { limitRequests } from '../../http/rate-limits.ts'
import type { Verb } from '../../http/register-endpoint.ts'
import type { Parts } from '../../dependencies.ts'
import { tellClient } from '../../notifications/notify-client.ts'
import { lastFour } from '../../i18n/format.ts'
import { workDueAt } from '../../office/due-dates.ts'
import { useFile } from '../files/queries.ts'
import { keptNumbers, type KeptNumbers } from '../../checks/bank-numbers.ts'
import { ownBankRecord } from './queries.ts'
import { shown } from './show-bank-details.ts'

/** Each is a letter to the client and an item for staff. */
const bankDetailsPerHour = 20

async function limitBankDetails(parts: Parts, call: Pick<Call, 'caller' | 'idempotency' | 'now'>): Promise<void> {
  const bucket = { name: 'bank-details', who: clientOf(call).clientId, windowSeconds: 3600 }
  await limitRequests(parts.pool, bucket, bankDetailsPerHour, call)
}

export function addBankDetails(parts: Parts): Verb<typeof addEndpoint> {
  return async (call) => {
    const { clientId } = clientOf(call)
    const { bankData } = call.body
    const numbers = keptNumbers(bankData)
    await limitBankDetails(parts, call)
    const work = await workFor(parts, clientId, bankData.bankCountry, bankData.bankAccountCurrency, numbers, call.now)
    return once(parts.pool, call, async (tx) => {
      const file = await useFile(tx, { clientId, label: bankData.bankPOA, field: 'bankPOA', now: call.now })
      const added = await row<{ id: string }>(
        tx,
        sql`insert into bank_details (client_id, bank_name, bank_address, bank_country, currency, account_number,
              sort_code, iban, swift, statement_file, added_at)
            values (${clientId}, ${bankData.bankName}, ${bankData.bankAddress}, ${bankData.bankCountry},
              ${bankData.bankAccountCurrency}, ${numbers.accountNumber}, ${numbers.sortCode}, ${numbers.iban},
              ${numbers.swift}, ${file}, ${call.now})
            returning id`,
      )
      if (!added) throw new Error('bank details were not written')
      const { name: kind, first: to } = bankDetailsLife
      await record(tx, call.act, {
        kind,
        verb: 'request',
        record: added.id,
        clientId,
        to,
        details: { number: lastOf(numbers) },
      })
      await openWork(tx, kind, added.id, work, call.now)
      await tellOfNumber(tx, call, added.id, bankData.bankName, numbers)
      return { bankDetails: await shownAfter(parts, tx, call, added.id) }
    })
  }
}

export function updateBankDetails(parts: Parts): Verb<typeof updateEndpoint> {
  return async (call) => {
    const { clientId } = clientOf(call)
    const { bankData } = call.body
    const numbers = keptNumbers(bankData)
    await limitBankDetails(parts, call)
    const work = await workFor(parts, clientId, bankData.bankCountry, bankData.bankAccountCurrency, numbers, call.now)
    return once(parts.pool, call, async (tx) => {
      const before = await ownBankRecord(tx, clientId, bankData._id)
      if (!before) throw new Problem('not-found')
      if (before.state === 'approved') throw new Problem('bank-read-only')
      const label = bankData.bankPOA
      const file =
        label === undefined
          ? before.statementId
          : await useFile(tx, { clientId, label, field: 'bankPOA', now: call.now })
      await advance(tx, bankDetailsLife, call.act, {
        id: before.id,
        verb: 'update',
        clientId,
        set: {
          bank_name: bankData.bankName,
          bank_address: bankData.bankAddress,
          bank_country: bankData.bankCountry,
          currency: bankData.bankAccountCurrency,
          account_number: numbers.accountNumber,
          sort_code: numbers.sortCode,
          iban: numbers.iban,
          swift: numbers.swift,
          statement_file: file,
          reason: null,
          holder_name: null,
          holder_by: null,
          decided_by: null,
          decided_at: null,
        },
        details: {
          before: { number: masked(before.iban ?? before.accountNumber ?? '') },
          after: { number: lastOf(numbers) },
        },
        work,
      })
      await tellOfNumber(tx, call, before.id, bankData.bankName, numbers)
      return { bankDetails: await shownAfter(parts, tx, call, before.id) }
    })
  }
}

/** A stranger in the session must not get a bank account in unseen (ASVS 6.3.7). */
async function tellOfNumber(
  tx: Transaction,
  call: Call,
  id: string,
  bank: string,
  numbers: KeptNumbers,
): Promise<void> {
  const { clientId, email, language } = clientOf(call)
  await tellClient(
    tx,
    {
      kind: 'bank-details-added',
      client: { id: clientId, email, language },
      facts: { bank, account: lastFour(numbers.iban ?? numbers.accountNumber) },
      link: portalPaths.bankRecord(id),
      subject: bankDetailsLife.name,
      record: id,
    },
    call.now,
  )
}

function lastOf(numbers: KeptNumbers): string {
  return masked(numbers.iban ?? numbers.accountNumber ?? '')
}

async function workFor(
  parts: Parts,
  clientId: string,
  country: string,
  currency: string,
  numbers: KeptNumbers,
  now: Date,
): Promise<Work> {
  const form = numbers.iban === null ? 'sort code' : 'IBAN'
  return {
    state: bankDetailsLife.first,
    dueAt: await workDueAt(parts, 'bank_details', now),
    clientId,
    summary: { country, currency, form, number: lastOf(numbers) },
  }
}

async function shownAfter(parts: Parts, tx: Transaction, call: Pick<Call, 'caller' | 'now' | 'language'>, id: string) {
  const after = await ownBankRecord(tx, clientOf(call).clientId, id)
  if (!after) throw new Error('bank details are gone')
  return shown(parts, after, call)
}
