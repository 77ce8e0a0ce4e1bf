/** Until when a request has checks and overrides (requirements 19.4). */
import { accountMachine } from '../accounts.ts'
import { bankDetailsMachine } from '../bank-details.ts'
import { clientMachine } from '../clients.ts'
import { correctionMachine } from '../corrections.ts'
import { bankLineMachine, depositMachine } from '../deposits.ts'
import { leverageRequestMachine } from '../leverage-requests.ts'
import { isBefore } from '../state-machine.ts'
import { transferMachine } from '../transfers.ts'
import { withdrawalMachine } from '../withdrawals.ts'

/** By kind of request: returns whether a step that its checks can stop is still to come. */
export const checksPending = {
  withdrawal: isBefore(withdrawalMachine, 'approve', 'confirm', 'debited', 'pay'),
  transfer: isBefore(transferMachine, 'approve', 'transferred'),
  bank_line: isBefore(bankLineMachine, 'match', 'sendBack'),
  deposit: isBefore(depositMachine, 'credit', 'refund'),
  client: isBefore(clientMachine, 'approve'),
  account: isBefore(accountMachine, 'approve'),
  leverage_request: isBefore(leverageRequestMachine, 'approve'),
  bank_details: isBefore(bankDetailsMachine, 'approve', 'approveWithPayout'),
  correction: isBefore(correctionMachine, 'approve'),
} as const

export function hasPendingChecks(kind: string, state: string): boolean {
  return kind in checksPending && checksPending[kind as keyof typeof checksPending]({ state })
}
