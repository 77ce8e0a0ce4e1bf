/** All lives, for what is enumerated: the test of who may do what in every state, the diagrams, the database's checks. */
import { accountLife } from './accounts.ts'
import { bankDetailsLife } from './bank-details.ts'
import { clientLife } from './clients.ts'
import { correctionLife, differenceLife } from './corrections.ts'
import { bankLineLife, depositLife } from './deposits.ts'
import { documentLife } from './documents.ts'
import { firmMoneyLife } from './firm-money.ts'
import { factorResetLife } from './factor-resets.ts'
import { leverageRequestLife } from './leverage-requests.ts'
import type { Lifecycle } from './state-machine.ts'
import { payoutBatchLife } from './payout-batches.ts'
import { recoveryItemLife } from './recovery-items.ts'
import { payoutStopLife } from './payout-stops.ts'
import { professionalLife } from './professional-status.ts'
import { profileChangeLife } from './profile-changes.ts'
import { erasureLife } from './retention.ts'
import { settingChangeLife } from './settings-changes.ts'
import { staffChangeLife, staffLife } from './staff.ts'
import { transferLife } from './transfers.ts'
import { withdrawalLife } from './withdrawals.ts'

export const lives = [
  clientLife,
  documentLife,
  accountLife,
  leverageRequestLife,
  bankDetailsLife,
  depositLife,
  bankLineLife,
  withdrawalLife,
  payoutBatchLife,
  payoutStopLife,
  transferLife,
  professionalLife,
  profileChangeLife,
  correctionLife,
  firmMoneyLife,
  differenceLife,
  settingChangeLife,
  staffChangeLife,
  staffLife,
  erasureLife,
  factorResetLife,
  recoveryItemLife,
] as readonly Lifecycle[]
