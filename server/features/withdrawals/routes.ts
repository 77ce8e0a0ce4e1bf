/** Withdrawals: the client's two calls, and the back office's. */
import { cancelWithdrawal as cancelEndpoint, requestWithdrawal as requestEndpoint } from '#contract/withdrawals.ts'
import * as office from '#contract/office/withdrawals.ts'
import * as lastBalance from '#contract/office/last-balance.ts'
import type { RegisterEndpoint } from '../../http/register-endpoint.ts'
import type { Dependencies } from '../../dependencies.ts'
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

export function withdrawalRoutes(
  registerEndpoint: RegisterEndpoint,
  dependencies: Dependencies,
  storeProof: StoreProof,
): void {
  registerEndpoint(requestEndpoint, requestWithdrawal(dependencies))
  registerEndpoint(cancelEndpoint, cancelWithdrawal(dependencies))
  registerEndpoint(office.listOfficeWithdrawals, listOfficeWithdrawals(dependencies))
  registerEndpoint(office.getOfficeWithdrawal, getOfficeWithdrawal(dependencies))
  registerEndpoint(office.approveWithdrawal, approveWithdrawal(dependencies))
  registerEndpoint(office.confirmWithdrawal, confirmWithdrawal(dependencies))
  registerEndpoint(office.rejectWithdrawal, rejectWithdrawal(dependencies))
  registerEndpoint(office.returnWithdrawal, returnWithdrawal(dependencies))
  registerEndpoint(office.requestReversal, requestReversal(dependencies))
  registerEndpoint(office.dropReversal, dropReversal(dependencies))
  registerEndpoint(office.reverseWithdrawal, reverseWithdrawal(dependencies))
  registerEndpoint(lastBalance.payLastBalance, payLastBalance(dependencies, storeProof))
  registerEndpoint(lastBalance.approveLastBalance, approveLastBalance(dependencies))
  registerEndpoint(lastBalance.rejectLastBalance, rejectLastBalance(dependencies))
  batchRoutes(registerEndpoint, dependencies)
}
