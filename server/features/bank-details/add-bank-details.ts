/** A client adds a bank account with its statement, or corrects one that is not approved; staff decide. */
import type { addBankDetails as addEndpoint, updateBankDetails as updateEndpoint } from '#contract/bank-details.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { bankDetailsMachine, maskBankNumber } from '#rules/bank-details.ts'
import type { BankDetailsId, ClientId } from '#rules/ids.ts'
import { applyTransition, recordCreation } from '../../db/transition.ts'
import { type Transaction, requireRow } from '../../db/sql.ts'
import { type WorkItem } from '../../db/work-items.ts'
import { requireClient, type RequestContext, type Handler } from '../../http/handler.ts'
import { withIdempotency } from '../../http/idempotency.ts'
import { Problem, requireFound } from '../../http/problem.ts'
import { limitRequests, perHour } from '../../http/rate-limits.ts'
import type { Dependencies } from '../../dependencies.ts'
import { notifyClient } from '../../mail/send-mail.ts'
import { lastFour } from '../../i18n/format.ts'
import { workItemDueAt } from '../../office/due-dates.ts'
import { markFileUsed } from '../files/queries.ts'
import { parseBankNumbers, type KeptNumbers } from '../../checks/bank-numbers.ts'
import { ownBankRecord } from './queries.ts'
import { bankDetailsResponse } from './show-bank-details.ts'

/** Limited, because each one sends an email to the client and creates a work item for staff. */
const bankDetailsPerHour = 20

async function limitBankDetails(
  dependencies: Dependencies,
  context: Pick<RequestContext, 'caller' | 'idempotency' | 'now'>,
): Promise<void> {
  const bucket = perHour('bank-details', requireClient(context).clientId)
  await limitRequests(dependencies.pool, bucket, bankDetailsPerHour, context)
}

export const addBankDetails: Handler<typeof addEndpoint> = async (dependencies, context) => {
  const { clientId } = requireClient(context)
  const { bankData } = context.body
  const numbers = parseBankNumbers(bankData)
  await limitBankDetails(dependencies, context)
  const workItem = await bankDetailsWorkItem(dependencies, clientId, bankData, context.now)
  return withIdempotency(dependencies.pool, context, async (tx) => {
    const file = await markFileUsed(tx, { clientId, label: bankData.bankPOA, field: 'bankPOA', now: context.now })
    const added = await requireRow<{ id: BankDetailsId }>(tx)`
      insert into bank_details (client_id, bank_name, bank_address, bank_country, currency, account_number,
          sort_code, iban, swift, statement_file, added_at)
        values (${clientId}, ${bankData.bankName}, ${bankData.bankAddress}, ${bankData.bankCountry},
          ${bankData.bankAccountCurrency}, ${numbers.accountNumber}, ${numbers.sortCode}, ${numbers.iban},
          ${numbers.swift}, ${file}, ${context.now})
        returning id`
    const details = { number: maskedNumberOf(numbers) }
    const of = { id: added.id, clientId }
    await recordCreation(tx, bankDetailsMachine, context.auditContext, of, 'request', { details, workItem })
    await notifyOfNumber(tx, context, 'bank-details-added', { id: added.id, bank: bankData.bankName, numbers })
    return { bankDetails: await savedBankDetails(dependencies, tx, context, added.id) }
  })
}

export const updateBankDetails: Handler<typeof updateEndpoint> = async (dependencies, context) => {
  const { clientId } = requireClient(context)
  const { bankData } = context.body
  const numbers = parseBankNumbers(bankData)
  await limitBankDetails(dependencies, context)
  const workItem = await bankDetailsWorkItem(dependencies, clientId, bankData, context.now)
  return withIdempotency(dependencies.pool, context, async (tx) => {
    const before = requireFound(await ownBankRecord(tx, clientId, bankData._id))
    if (before.state === 'approved') throw new Problem('bank-read-only')
    const label = bankData.bankPOA
    const file =
      label === undefined
        ? before.statementId
        : await markFileUsed(tx, { clientId, label, field: 'bankPOA', now: context.now })
    await applyTransition(tx, bankDetailsMachine, context.auditContext, { id: before.id, clientId }, 'update', {
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
        before: { number: maskBankNumber(before.iban ?? before.accountNumber ?? '') },
        after: { number: maskedNumberOf(numbers) },
      },
      workItem,
    })
    await notifyOfNumber(tx, context, 'bank-details-changed', { id: before.id, bank: bankData.bankName, numbers })
    return { bankDetails: await savedBankDetails(dependencies, tx, context, before.id) }
  })
}

interface SavedNumber {
  readonly id: BankDetailsId
  readonly bank: string
  readonly numbers: KeptNumbers
}

/** Notifies the client, so that an intruder cannot add or change a bank account unnoticed (ASVS 6.3.7). */
async function notifyOfNumber(
  tx: Transaction,
  context: RequestContext,
  kind: 'bank-details-added' | 'bank-details-changed',
  { id, bank, numbers }: SavedNumber,
): Promise<void> {
  const { clientId, email, language } = requireClient(context)
  await notifyClient(tx, context.now, {
    kind,
    client: { id: clientId, email, language },
    facts: { bank, account: lastFour(numbers.iban ?? numbers.accountNumber) },
    link: portalPaths.bankRecord(id),
    subject: bankDetailsMachine.name,
    record: id,
  })
}

function maskedNumberOf(numbers: KeptNumbers): string {
  return maskBankNumber(numbers.iban ?? numbers.accountNumber ?? '')
}

async function bankDetailsWorkItem(
  dependencies: Dependencies,
  clientId: ClientId,
  bankData: RequestContext<typeof addEndpoint | typeof updateEndpoint>['body']['bankData'],
  now: Date,
): Promise<WorkItem> {
  const { bankCountry: country, bankAccountCurrency: currency } = bankData
  const numbers = parseBankNumbers(bankData)
  const form = numbers.iban === null ? 'sort code' : 'IBAN'
  return {
    state: bankDetailsMachine.first,
    dueAt: await workItemDueAt(dependencies, 'bank_details', now),
    clientId,
    summary: { country, currency, form, number: maskedNumberOf(numbers) },
  }
}

async function savedBankDetails(
  dependencies: Dependencies,
  tx: Transaction,
  context: Pick<RequestContext, 'caller' | 'now' | 'language'>,
  id: BankDetailsId,
) {
  const after = await ownBankRecord(tx, requireClient(context).clientId, id)
  if (!after) throw new Error('the bank details were not found')
  return bankDetailsResponse(dependencies, after, context)
}
