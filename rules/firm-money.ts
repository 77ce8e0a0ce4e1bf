/**
 * The firm's own money into and out of the client money account: to make a shortfall good, or to take out what it
 * earned. Four eyes before it moves; it is booked once the bank shows it.
 */
import { defineStateMachine } from './state-machine.ts'
import type { Money } from './money.ts'

export const firmMoneyMachine = defineStateMachine({
  name: 'firm_money',
  table: 'firm_money_moves',
  states: ['pending', 'processing', 'approved', 'rejected'],
  first: 'pending',
  transitions: {
    /** Four eyes: never the one who proposed it. Booked at once where it names a bank line, else it waits for one. */
    confirm: { from: ['pending'], to: ['processing', 'approved'], by: ['finance'] },
    /** Also one that was confirmed and never paid. */
    reject: { from: ['pending', 'processing'], to: 'rejected', by: ['finance'] },
    /** The bank's statement holds its reference. */
    booked: { from: ['processing'], to: 'approved', by: ['external'] },
  },
})
export type FirmMoneyState = (typeof firmMoneyMachine.states)[number]

/**
 * Returns why the firm may not make this transfer, or null. A positive `amount` goes into the client money account.
 * The firm may take out at most `surplus`, the resource less the requirement.
 */
export function checkFirmMove(amount: Money, surplus: bigint): 'more-than-firms-own' | null {
  const most = surplus > 0n ? surplus : 0n
  return amount.minor < 0n && -amount.minor > most ? 'more-than-firms-own' : null
}
