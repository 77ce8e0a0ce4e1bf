/** The draft of a transfer, step by step (requirements 10.1). */
import * as z from 'zod/mini'
import { convert, minorOf, money, type Money } from '#rules/money.ts'
import type { OpenAccount } from '../../funding/accounts.ts'

export const transferDraft = z.object({
  source: z.string(),
  destination: z.string(),
  /** A decimal with a full stop, in the source's currency. */
  amount: z.string(),
  /** The rate shown when the request was sent; null until then. */
  rate: z.nullable(z.string()),
})
export type TransferDraft = z.output<typeof transferDraft>

/** The steps before the confirm step, with their entries. */
export const openTransferStep = z.discriminatedUnion('step', [
  z.object({ step: z.literal('select_account_from'), source: z.nullable(z.string()) }),
  z.object({ step: z.literal('select_account_to'), source: z.string(), destination: z.nullable(z.string()) }),
  z.object({ step: z.literal('select_amount'), source: z.string(), destination: z.string(), amount: z.string() }),
])
type OpenTransferStep = z.output<typeof openTransferStep>

/** Success and error are in the URL, so that a reload shows them again. */
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

/** The draft with its records; null if one of them no longer exists. */
export interface ResolvedDraft {
  source: OpenAccount
  destination: OpenAccount
  amount: Money
}

export function resolveDraft(
  draft: TransferDraft,
  sources: readonly OpenAccount[],
  destinations: readonly OpenAccount[],
): ResolvedDraft | null {
  const source = sources.find(({ _id }) => _id === draft.source)
  const destination = destinations.find(({ _id }) => _id === draft.destination)
  const minor = minorOf(draft.amount)
  if (!source || !destination || minor === null) return null
  return { source, destination, amount: money(minor, source.baseCurrency) }
}

/** A rate for the transfer's summary, with the amount received. */
export interface ShownRate {
  rate: string
  arrives: Money
  /** Until when the rate is valid; null once it has been sent. */
  until: Date | null
}

/** Returns the amount received at the rate that was sent. */
export function sentRate({ destination, amount }: ResolvedDraft, rate: string): ShownRate {
  return { rate, arrives: convert(amount, rate, destination.baseCurrency), until: null }
}
