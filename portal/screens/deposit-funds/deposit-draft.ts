/** The draft of a deposit, step by step (requirements 8.1). */
import * as z from 'zod/mini'
import type { MethodRecord } from '#contract/settings.ts'
import { minorOf, money, type Money } from '#rules/money.ts'
import type { OpenAccount } from '../../funding/accounts.ts'
import { methodAndAmount } from '../../funding/method-and-amount-step.tsx'
import { sentMethod } from '../../funding/sent-method.ts'

export const depositDraft = z.object({
  /** The account's id. */
  account: z.string(),
  method: z.string(),
  /** A decimal with a full stop. */
  amount: z.string(),
  cardType: z.nullable(z.int()),
  sentMethod,
})
export type DepositDraft = z.output<typeof depositDraft>

/** The steps before the confirm step, with their entries. */
export const openDepositStep = z.union([
  z.object({ step: z.literal('select_account'), account: z.nullable(z.string()) }),
  methodAndAmount,
])

/** `wire` and `cc_gcen` are the confirm steps of a bank transfer and of a payment through the provider. */
export type DepositStep =
  | z.output<typeof openDepositStep>
  | { step: 'wire'; draft: DepositDraft }
  | { step: 'cc_gcen'; draft: DepositDraft }

export function pathToDeposit(to: DepositStep): DepositStep[] {
  if (to.step === 'select_account') return [to]
  const { account } = 'draft' in to ? to.draft : to
  const first: DepositStep = { step: 'select_account', account }
  if (!('draft' in to)) return [first, to]
  return [first, { step: 'select_amount', account, method: to.draft.method, amount: to.draft.amount }, to]
}

/** The draft with its records; null if one of them no longer exists. */
export interface ResolvedDraft {
  account: OpenAccount
  method: MethodRecord
  amount: Money
  cardType: number | null
}

export function resolveDraft(
  draft: DepositDraft,
  accounts: readonly OpenAccount[],
  methods: readonly MethodRecord[],
): ResolvedDraft | null {
  const account = accounts.find(({ _id }) => _id === draft.account)
  const method = methods.find(({ id }) => id === draft.method)
  const minor = minorOf(draft.amount)
  if (!account || !method || minor === null) return null
  return { account, method, amount: money(minor, account.baseCurrency), cardType: draft.cardType }
}

export function confirmStepOf(method: MethodRecord): 'wire' | 'cc_gcen' {
  return method.type === 'wire' ? 'wire' : 'cc_gcen'
}
