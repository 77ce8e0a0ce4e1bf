/** Withdrawals: two endpoints of the client, and those of the back office. */
import { cancelWithdrawal as cancelEndpoint, requestWithdrawal as requestEndpoint } from '#contract/withdrawals.ts'
import * as office from '#contract/office/withdrawals.ts'
import * as lastBalance from '#contract/office/last-balance.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import { cancelWithdrawal } from './cancel-withdrawal.ts'
import {
  approveLastBalance,
  approveWithdrawal,
  confirmWithdrawal,
  rejectLastBalance,
  rejectWithdrawal,
} from './decide-withdrawal.ts'
import { batchRoutes } from './batches/routes.ts'
import { listOfficeWithdrawals } from './office-lists.ts'
import { getOfficeWithdrawal } from './office-withdrawal.ts'
import { payLastBalance } from './pay-last-balance.ts'
import { requestWithdrawal } from './request-withdrawal.ts'
import type { StoreProof } from '../../checks/store-proof.ts'
import { requestReversal, dropReversal, reverseWithdrawal } from './reverse-withdrawal.ts'
import { returnWithdrawal } from './return-withdrawal.ts'

export function withdrawalRoutes(registerEndpoint: RegisterEndpoint, storeProof: StoreProof): void {
  registerEndpoint(requestEndpoint, requestWithdrawal)
  registerEndpoint(cancelEndpoint, cancelWithdrawal)
  registerEndpoint(office.listOfficeWithdrawals, listOfficeWithdrawals)
  registerEndpoint(office.getOfficeWithdrawal, getOfficeWithdrawal)
  registerEndpoint(office.approveWithdrawal, approveWithdrawal)
  registerEndpoint(office.confirmWithdrawal, confirmWithdrawal)
  registerEndpoint(office.rejectWithdrawal, rejectWithdrawal)
  registerEndpoint(office.returnWithdrawal, returnWithdrawal)
  registerEndpoint(office.requestReversal, requestReversal)
  registerEndpoint(office.dropReversal, dropReversal)
  registerEndpoint(office.reverseWithdrawal, reverseWithdrawal)
  registerEndpoint(lastBalance.payLastBalance, payLastBalance(storeProof))
  registerEndpoint(lastBalance.approveLastBalance, approveLastBalance)
  registerEndpoint(lastBalance.rejectLastBalance, rejectLastBalance)
  batchRoutes(registerEndpoint)
}
