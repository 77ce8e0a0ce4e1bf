/** The draft of a withdrawal, step by step (requirements 9.1). */
import * as z from 'zod/mini'
import type { BankDetails as Bank } from '#contract/bank-details.ts'
import type { MethodRecord } from '#contract/settings.ts'
import { minorOf, money, type Money } from '#rules/money.ts'
import { groupedByFour, sortCodeText } from '#ui/text/code-format.ts'
import type { OpenAccount } from '../../funding/accounts.ts'
import { methodAndAmount } from '../../funding/method-and-amount-step.tsx'
import { sentMethod } from '../../funding/sent-method.ts'

/** Account and bank account are ids. */
export const withdrawDraft = z.object({
  account: z.string(),
  method: z.string(),
  amount: z.string(),
  bank: z.string(),
  sentMethod,
})
export type WithdrawDraft = z.output<typeof withdrawDraft>

/** The steps before the confirm step, with their entries. */
export const openWithdrawStep = z.union([
  z.object({ step: z.literal('select_account'), account: z.nullable(z.string()) }),
  methodAndAmount,
  z.object({
    step: z.literal('wire'),
    account: z.string(),
    method: z.string(),
    amount: z.string(),
    bank: z.nullable(z.string()),
  }),
])
export type WithdrawStep = z.output<typeof openWithdrawStep> | { step: 'confirm_wire'; draft: WithdrawDraft }

export interface ResolvedDraft {
  account: OpenAccount
  method: MethodRecord
  amount: Money
  bank: Bank
}

export interface WithdrawalRecords {
  accounts: readonly OpenAccount[]
  methods: readonly MethodRecord[]
  banks: readonly Bank[]
}

export function pathToWithdrawal(to: WithdrawStep): WithdrawStep[] {
  if (to.step === 'select_account') return [to]
  if (to.step === 'confirm_wire') return [...pathToWithdrawal(bankStepOf(to.draft)), to]
  const { account } = to
  const first: WithdrawStep = { step: 'select_account', account }
  if (to.step !== 'wire') return [first, to]
  return [first, { step: 'select_amount', account, method: to.method, amount: to.amount }, to]
}

/** Returns the step before the confirm step. */
export function bankStepOf({ account, method, amount, bank }: WithdrawDraft): WithdrawStep {
  return { step: 'wire', account, method, amount, bank }
}

/** Returns the draft with its records; null if one of them no longer exists. */
export function resolveDraft(
  draft: WithdrawDraft,
  { accounts, methods, banks }: WithdrawalRecords,
): ResolvedDraft | null {
  const account = accounts.find(({ _id }) => _id === draft.account)
  const method = methods.find(({ id }) => id === draft.method)
  const bank = banks.find(({ _id }) => _id === draft.bank)
  const minor = minorOf(draft.amount)
  if (!account || !method || !bank || minor === null) return null
  return { account, method, amount: money(minor, account.baseCurrency), bank }
}

export function lastCharactersOf(bank: Bank): string {
  return (bank.bankIBAN ?? bank.bankAccountNumber ?? '').slice(-4)
}

/** Returns the number of a bank account for display: an IBAN in groups of four, or sort code and account number. */
export function bankNumberText(bank: Bank): string {
  if (bank.bankIBAN !== null) return groupedByFour(bank.bankIBAN)
  return `${sortCodeText(bank.bankSortCode ?? '')} ${groupedByFour(bank.bankAccountNumber ?? '')}`
}
