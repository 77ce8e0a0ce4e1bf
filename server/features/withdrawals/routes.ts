/** Withdrawals: the client's two calls, and the back office's. */
import { cancelWithdrawal as cancelEndpoint, requestWithdrawal as requestEndpoint } from '#contract/withdrawals.ts'
import * as office from '#contract/office/withdrawals.ts'
import * as lastBalance from '#contract/office/last-balance.ts'
import type { Serve } from '../../http/register-endpoint.ts'
import type { Parts } from '../../dependencies.ts'
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
import { askReversal, dropReversal, reverseWithdrawal } from './reverse-withdrawal.ts'
import { returnWithdrawal } from './return-withdrawal.ts'

export function withdrawalRoutes(serve: Serve, parts: Parts, storeProof: StoreProof): void {
  serve(requestEndpoint, requestWithdrawal(parts))
  serve(cancelEndpoint, cancelWithdrawal(parts))
  serve(office.listOfficeWithdrawals, listOfficeWithdrawals(parts))
  serve(office.getOfficeWithdrawal, getOfficeWithdrawal(parts))
  serve(office.approveWithdrawal, approveWithdrawal(parts))
  serve(office.confirmWithdrawal, confirmWithdrawal(parts))
  serve(office.rejectWithdrawal, rejectWithdrawal(parts))
  serve(office.returnWithdrawal, returnWithdrawal(parts))
  serve(office.askReversal, askReversal(parts))
  serve(office.dropReversal, dropReversal(parts))
  serve(office.reverseWithdrawal, reverseWithdrawal(parts))
  serve(lastBalance.payLastBalance, payLastBalance(parts, storeProof))
  serve(lastBalance.approveLastBalance, approveLastBalance(parts))
  serve(lastBalance.rejectLastBalance, rejectLastBalance(parts))
  batchRoutes(serve, parts)
}
