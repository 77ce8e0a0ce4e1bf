/**
 * All movements of money by decisions of staff or by servers, and whether a hold on the client's payments stops them
 * (ADR 169, 348).
 */
import { expect, test } from 'vitest'
import {
  accountOpeningChecks,
  bankDetailsChecks,
  clientApprovalChecks,
  leverageChecks,
} from '#rules/checks/access-checks.ts'
import { correctionChecks } from '#rules/checks/account-checks.ts'
import type { CheckName } from '#rules/checks/check.ts'
import { refundChecks } from '#rules/checks/client-checks.ts'
import { matchChecks, returnChecks } from '#rules/checks/deposit-checks.ts'
import { transferChecks } from '#rules/checks/transfer-checks.ts'
import {
  isCheckOfStage,
  lastBalanceChecks,
  withdrawalChecks,
  withdrawalStages,
  type WithdrawalStage,
} from '#rules/checks/withdrawal-checks.ts'
import type { BalanceLeg } from '#rules/references.ts'
import { held as transferHeld } from '#server/features/transfers/jobs.ts'
import { held as withdrawalHeld } from '#server/features/withdrawals/jobs.ts'

type NamedChecks = readonly { readonly name: CheckName }[]

const decisions: readonly (readonly [
  what: string,
  checks: NamedChecks,
  stage: WithdrawalStage | null,
  isStopped: boolean,
])[] = [
  ...withdrawalStages.map((stage) => [`withdrawal, ${stage}`, withdrawalChecks, stage, true] as const),
  ...withdrawalStages.map((stage) => [`last balance, ${stage}`, lastBalanceChecks, stage, true] as const),
  ['transfer', transferChecks, null, true],
  ['match of a bank transaction', matchChecks, null, true],
  ['return to the sender', returnChecks, null, true],
  ['correction', correctionChecks, null, false],
  ['correction that refunds a deposit', refundChecks, null, true],
  ['approval of a client', clientApprovalChecks, null, false],
  ['approval of bank details', bankDetailsChecks, null, false],
  ['opening of an account', accountOpeningChecks, null, false],
  ['leverage', leverageChecks, null, false],
]

test.each(decisions)('%s', (_what, checks, stage, isStopped) => {
  const asked = checks.filter(({ name }) => stage === null || isCheckOfStage(stage)(name)).map(({ name }) => name)
  expect(asked.includes('payments-on-hold')).toBe(isStopped)
})

/** Whether the checks run again when a leg is sent to the platform. A new leg must be added here. */
const legs: Readonly<Record<BalanceLeg, boolean>> = {
  'withdrawal-debit': true,
  'transfer-withdraw': true,
  // The money returns to the client's account, or has left another one already.
  'withdrawal-reversal': false,
  'withdrawal-return': false,
  'transfer-deposit': false,
  'transfer-compensate': false,
  // The checks ran when the deposit was matched, in the transaction that created the leg.
  'deposit-credit': false,
  // It moves money from the account to the firm. A refund is checked at its approval (ADR 348), and finance pays it at the bank.
  correction: false,
  'demo-balance': false,
  'deal-reversal': false,
  'negative-balance': false,
  'account-closing': false,
}

test('the checks run again before every leg that takes money out of an account for a client', () => {
  const asking = Object.keys({ ...transferHeld, ...withdrawalHeld })
  expect(asking.toSorted()).toEqual(
    Object.entries(legs)
      .flatMap(([leg, asks]) => (asks ? [leg] : []))
      .toSorted(),
  )
})
