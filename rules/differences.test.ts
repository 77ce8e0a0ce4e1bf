import { expect, test } from 'vitest'
import { differenceMachine } from './corrections.ts'
import {
  stateAfterConfirmation,
  differenceProposals,
  blockingKinds,
  blocksAccount,
  proposalsFor,
} from './differences.ts'
import { targetStates } from './state-machine.ts'

test.each([
  ['platform-only', ['book-correction', 'book-result', 'reverse']],
  ['second-deal', ['book-correction', 'book-result', 'reverse']],
  ['unclear-deal', ['explain']],
  ['posted-second-deal', ['explain']],
  ['ledger-only', ['explain']],
  ['amount-differs', ['explain']],
  ['balance-differs', ['explain']],
])('a difference of the type %s puts its account on hold, and two people decide on one of %j', (kind, proposals) => {
  expect([blocksAccount(kind), proposalsFor(kind)]).toEqual([true, proposals])
})

test.each(['payout-not-paid', 'charged_back', 'chargeback-announced', 'provider-silent', 'bank-balance'])(
  'a difference of the type %s blocks no account, and two people explain it',
  (kind) => expect([blocksAccount(kind), proposalsFor(kind)]).toEqual([false, ['explain']]),
)

test.each(['bank-outgoing', 'refunded', 'invariant'])(
  'a difference of the type %s does not put an account on hold, and one person explains it',
  (kind) => expect([blocksAccount(kind), proposalsFor(kind)]).toEqual([false, []]),
)

test('every proposal is possible for some type, and confirmations lead to exactly the states that the state machine allows', () => {
  expect(new Set(blockingKinds.flatMap((kind) => proposalsFor(kind)))).toEqual(new Set(differenceProposals))
  expect(new Set(differenceProposals.map(stateAfterConfirmation))).toEqual(
    new Set(targetStates(differenceMachine, 'confirm')),
  )
})
