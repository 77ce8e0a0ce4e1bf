/** All state machines, for what reads any record's machine: pages of records, tests, diagrams, database checks. */
import { accountMachine } from './accounts.ts'
import { bankDetailsMachine } from './bank-details.ts'
import { clientMachine } from './clients.ts'
import { correctionMachine, differenceMachine } from './corrections.ts'
import { bankLineMachine, depositMachine } from './deposits.ts'
import { documentMachine } from './documents.ts'
import { enquiryMachine } from './enquiries.ts'
import { firmMoneyMachine } from './firm-money.ts'
import { factorResetMachine } from './factor-resets.ts'
import { leverageRequestMachine } from './leverage-requests.ts'
import type { StateMachine } from './state-machine.ts'
import { payoutBatchMachine } from './payout-batches.ts'
import { recoveryItemMachine } from './recovery-items.ts'
import { payoutStopMachine } from './payout-stops.ts'
import { professionalMachine } from './professional-status.ts'
import { profileChangeMachine } from './profile-changes.ts'
import { erasureMachine } from './retention.ts'
import { settingChangeMachine } from './settings-changes.ts'
import { staffChangeMachine, staffMachine } from './staff.ts'
import { transferMachine } from './transfers.ts'
import { withdrawalMachine } from './withdrawals.ts'

export const stateMachines = [
  clientMachine,
  documentMachine,
  accountMachine,
  leverageRequestMachine,
  bankDetailsMachine,
  depositMachine,
  bankLineMachine,
  withdrawalMachine,
  payoutBatchMachine,
  payoutStopMachine,
  transferMachine,
  professionalMachine,
  profileChangeMachine,
  enquiryMachine,
  correctionMachine,
  firmMoneyMachine,
  differenceMachine,
  settingChangeMachine,
  staffChangeMachine,
  staffMachine,
  erasureMachine,
  factorResetMachine,
  recoveryItemMachine,
] as readonly StateMachine[]
