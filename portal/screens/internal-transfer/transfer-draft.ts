/** The draft of a transfer, step by step (requirements 10.1). */
import * as z from 'zod/mini'
import { convert, minorOf, money, type Money } from '#rules/money.ts'
import type { OpenAccount } from '../../funding/accounts.ts'

export const transferDraft = z.object({
  source: z.string(),
  destination: z.string(),
  /** A decimal with a dot, in the source's currency. */
  amount: z.string(),
  /** The rate that was shown when the request left; null until then. */
  rate: z.nullable(z.string()),
})
export type TransferDraft = z.output<typeof transferDraft>

/** The steps before the confirm step, with what was entered on them. */
export const openTransferStep = z.discriminatedUnion('step', [
  z.object({ step: z.literal('select_account_from'), source: z.nullable(z.string()) }),
  z.object({ step: z.literal('select_account_to'), source: z.string(), destination: z.nullable(z.string()) }),
  z.object({ step: z.literal('select_amount'), source: z.string(), destination: z.string(), amount: z.string() }),
])
type OpenTransferStep = z.output<typeof openTransferStep>

/** Success and error stand in the address, so that a reload shows them again. */
export type TransferStep = OpenTransferStep | { step: 'confirm'; draft: TransferDraft }

export function pathToTransfer(to: TransferStep): TransferStep[] {
  if (to.step === 'select_account_from') return [to]
  const { source, destination } = to.step === 'confirm' ? to.draft : to
  const first: TransferStep = { step: 'select_account_from', source }
  if (to.step === 'select_account_to') return [first, to]
  const second: TransferStep = { step: 'select_account_to', source, destination }
  if (to.step === 'select_amount') return [first, second, to]
  const { amount } = to.draft
  return [first, second, { step: 'select_amount', source, destination: to.draft.destination, amount }, to]
}

/** The draft with the records it names; null once one of them is gone. */
export interface Decided {
  source: OpenAccount
  destination: OpenAccount
  amount: Money
}

export function decidedOf(draft: TransferDraft, accounts: readonly OpenAccount[]): Decided | null {
  const source = accounts.find(({ _id }) => _id === draft.source)
  const destination = accounts.find(({ _id }) => _id === draft.destination)
  const minor = minorOf(draft.amount)
  if (!source || !destination || minor === null) return null
  return { source, destination, amount: money(minor, source.baseCurrency) }
}

/** A rate as the transfer's summary shows it, with the amount that arrives. */
export interface ShownRate {
  rate: string
  arrives: Money
  /** Until when the rate stands; null once it has been sent. */
  until: Date | null
}

/** Returns what arrives at the rate that was sent. */
export function sentRate({ destination, amount }: Decided, rate: string): ShownRate {
  return { rate, arrives: convert(amount, rate, destination.baseCurrency), until: null }
}
