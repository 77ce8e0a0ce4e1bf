/** Bank accounts and their statements for staff. */
import type { Check } from '#contract/office/briefs.ts'
import type * as office from '#contract/office/bank-details.ts'
import { approveBankDetails, enterHolder } from '#contract/office/bank-details.ts'
import { checksOfPage, type PageChecks } from '../../checks/pass-checks.ts'
import { bankDetailsMachine, isIbanOfCountry, maskBankNumber } from '#rules/bank-details.ts'
import { checkOverride } from '#rules/checks/check.ts'
import { holderEntered } from '#rules/checks/name-checks.ts'
import { row } from '../../db/sql.ts'
import { requireStaff, type RequestContext, type Handler } from '../../http/handler.ts'
import { type Problem, requireFound } from '../../http/problem.ts'
import { ownRequest } from '../../office/decide.ts'
import { queuePage } from '../../office/listing.ts'
import { otherClients } from '../../office/other-clients.ts'
import { clientBrief, recordFieldsOf, pageCheck } from '../../office/records.ts'
import type { Dependencies } from '../../dependencies.ts'
import { bankChecked } from './bank-checks.ts'
import {
  bankColumns,
  bankListing,
  bankRecordById,
  othersWithNumber,
  approvalProblem,
  type BankRecord,
} from './queries.ts'

const kind = bankDetailsMachine.name

export const listOfficeBankDetails: Handler<typeof office.listOfficeBankDetails> = (dependencies, context) =>
  queuePage(dependencies, kind, bankListing(requireStaff(context).roles), bankColumns, context, (bank: BankRecord) => ({
    createdAt: bank.addedAt,
    state: bank.state,
    bankName: bank.bankName,
    bankCountry: bank.bankCountry,
    currency: bank.currency,
    number: maskBankNumber(bank.iban ?? bank.accountNumber ?? ''),
  }))

export const getOfficeBankDetails: Handler<typeof office.getOfficeBankDetails> = async (dependencies, context) => {
  const bank = requireFound(await bankRecordById(dependencies.pool, context.params.id))
  const checks = await checksOfPage(dependencies, context as RequestContext, bankChecked(), bank)
  return { bankDetails: await officeBankDetailsPage(dependencies, context, bank, checks) }
}

async function officeBankDetailsPage(
  dependencies: Dependencies,
  context: RequestContext,
  bank: BankRecord,
  decisionChecks: PageChecks,
) {
  const staff = requireStaff(context)
  const own = ownRequest(context, bank.email)
  const seesNumbers = staff.roles.some((role) => role !== 'auditor')
  const number = (text: string | null) => (text === null || seesNumbers ? text : maskBankNumber(text))
  const others = await othersWithNumber(dependencies.pool, bank)
  const used = await row<{ payouts: bigint }>(dependencies.pool)`
    select count(*) as payouts from withdrawals where bank_id = ${bank.id} and state = 'paid'`
  const fields = await recordFieldsOf(context, dependencies, {
    ...bank,
    createdAt: bank.addedAt,
    machine: bankDetailsMachine,
    refusals: {
      approve: own ?? approvalProblem(bank, staff.staffId) ?? problemBesidesHolder(decisionChecks),
      reject: own,
    },
  })
  return {
    ...bank,
    ...fields,
    checks: checksOf(bank),
    client: await clientBrief(dependencies, bank.clientId),
    mayEnterHolder: mayEnterHolder(context, bank),
    decisionChecks: decisionChecks.shown,
    accountNumber: number(bank.accountNumber),
    sortCode: number(bank.sortCode),
    iban: number(bank.iban),
    statement: statementOf(bank),
    previous: (fields.timeline.find((event) => event.verb === 'update')?.before ?? null) as Record<
      string,
      string | null
    > | null,
    elsewhere: await otherClients(dependencies, context, others.ids, others.count),
    usedForPayouts: Number(used?.payouts ?? 0n),
  }
}

/** Ignores a block of the account holder: the holder is entered with the approval and checked again then. */
function problemBesidesHolder({ shown, refusal }: PageChecks): Problem | null {
  const block = shown.find(({ result, overridden }) => result === 'block' && !overridden)
  return refusal?.code === 'checks-block' && block?.name === 'account-holder' ? null : refusal
}

/**
 * Returns whether the person may enter the holder: with the approval, for an override, or for approved bank details
 * without one.
 */
function mayEnterHolder(context: RequestContext, { state, statementHolder, email }: BankRecord): boolean {
  const { roles } = requireStaff(context)
  const may = ({ access }: { readonly access: readonly string[] }) => roles.some((role) => access.includes(role))
  if (ownRequest(context, email)) return false
  if (state === 'pending') return may(approveBankDetails) || mayOverrideHolder(context)
  return state === 'approved' && statementHolder === null && may(enterHolder)
}

function mayOverrideHolder({ auditContext }: RequestContext): boolean {
  return checkOverride({ result: 'block', override: holderEntered.override }, auditContext.identity, []) === null
}

function statementOf(bank: BankRecord) {
  if (!bank.statementId || !bank.statement || !bank.statementAt || !bank.statementState) return null
  return {
    fileId: bank.statementId,
    filename: bank.statement,
    pages: bank.statementPages ?? 1,
    uploadedAt: bank.statementAt,
    state: bank.statementState,
  }
}

function checksOf(bank: BankRecord): Check[] {
  const { iban, bankCountry } = bank
  return [
    pageCheck('number-valid', 'ok'),
    pageCheck(
      'country-of-number',
      iban === null || isIbanOfCountry(iban, bankCountry) ? 'ok' : 'warn',
      bankCountry,
      iban?.slice(0, 2) ?? bankCountry,
    ),
    pageCheck('statement-there', bank.statement ? 'ok' : 'differs'),
  ]
}
