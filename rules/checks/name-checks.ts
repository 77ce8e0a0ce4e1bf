/** Checks that compare a name at the bank with the client's (requirements 19.13, 19.16). */
import { check, type Check, type Fact, type Judgement } from './check.ts'
import { likeness } from './names.ts'

export interface HolderFacts {
  readonly clientName: string
  /** As the clerk read it on the bank statement; null if not entered. */
  readonly holder: Fact<string | null>
}

export interface PayerFacts {
  readonly clientName: string
  /** Distinguishes clients with the same name. */
  readonly clientNumber: string
  /** The payer's name at the bank; empty if there is none. */
  readonly payer: Fact<string>
}

/** Warns of a withdrawal to bank details that were approved before holders were entered, until one is. */
export const holderIsClient: Check<HolderFacts> = check(
  'account-holder',
  'compliance',
  ({ holder }) => holder,
  (holder, { clientName }) => judgeHolder(holder, clientName, { result: 'warn', sentence: 'holder-not-entered' }),
)

/** Bank details can be approved only with their holder. */
export const holderEntered: Check<HolderFacts> = check(
  'account-holder',
  'compliance',
  ({ holder }) => holder,
  (holder, { clientName }) => ({
    ...judgeHolder(holder, clientName, { result: 'block', sentence: 'holder-required' }),
    final: holder === null,
  }),
)

function judgeHolder(
  holder: string | null,
  clientName: string,
  missing: Pick<Judgement, 'result' | 'sentence'>,
): Judgement {
  const facts = { holder: holder === null ? null : { text: holder }, client: { text: clientName } }
  if (holder === null) return { ...missing, facts }
  const like = likeness(holder, clientName)
  return {
    result: like === 'same' ? 'pass' : like === 'near' ? 'warn' : 'block',
    sentence: like === 'same' ? 'holder-same' : like === 'near' ? 'holder-near' : 'holder-far',
    values: { holder: { text: holder }, client: { text: clientName } },
    facts,
  }
}

/** A payment by a third party: finance overrides it with proof, or returns it to the sender. */
export const payerIsClient: Check<PayerFacts> = check(
  'payer',
  'finance',
  ({ payer }) => payer,
  (payer, { clientName, clientNumber }) => {
    const named = payer === '' ? null : { text: payer }
    const facts = { payer: named, client: { text: clientName }, clientNumber: { text: clientNumber } }
    if (payer === '') return { result: 'block', sentence: 'payer-missing', facts }
    const like = likeness(payer, clientName)
    return {
      result: like === 'same' ? 'pass' : like === 'near' ? 'warn' : 'block',
      sentence: like === 'same' ? 'payer-same' : like === 'near' ? 'payer-near' : 'payer-far',
      values: { payer: { text: payer }, client: { text: clientName } },
      facts,
    }
  },
)
