/**
 * Transfers of firm money into and out of the client money account: to cover a shortfall, or to withdraw earnings. Dual
 * approval before the transfer; it is posted once the bank shows it.
 */
import { defineStateMachine } from './state-machine.ts'
import type { Money } from './money.ts'

export const firmMoneyMachine = defineStateMachine({
  name: 'firm_money',
  table: 'firm_money_moves',
  states: ['pending', 'processing', 'approved', 'rejected'],
  first: 'pending',
  undecided: ['pending'],
  transitions: {
    /**
     * Dual approval: never by the person who proposed it. Posted immediately if it names a bank transaction; otherwise
     * it waits for one.
     */
    confirm: { from: ['pending'], to: ['processing', 'approved'], by: ['finance'] },
    /** Also a confirmed one that was never paid. */
    reject: { from: ['pending', 'processing'], to: 'rejected', by: ['finance'] },
    /** A bank statement contains its reference. */
    booked: { from: ['processing'], to: 'approved', by: ['external'] },
  },
})
export type FirmMoneyState = (typeof firmMoneyMachine.states)[number]

/**
 * Returns why the firm may not make this transfer, or null. A positive `amount` goes into the client money account.
 * The firm may take out at most `surplus`, the resource less the requirement.
 */
export function checkFirmTransfer(amount: Money, surplus: bigint): 'more-than-firms-own' | null {
  const most = surplus > 0n ? surplus : 0n
  return amount.minor < 0n && -amount.minor > most ? 'more-than-firms-own' : null
}
