/** Payout batches. */
import * as office from '#contract/office/payout-batches.ts'
import * as stops from '#contract/office/payout-stops.ts'
import type { RegisterEndpoint } from '../../../http/register-endpoint.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { confirmBatch } from './confirm-batch.ts'
import { createBatch } from './create-batch.ts'
import { releaseBatch } from './release-batch.ts'
import { getBatch, listBatches, listReady, saveFile } from './show-batches.ts'
import { explainStop, liftStop, listStops, recoverStop, reopenStop } from './payout-stops.ts'
import { requestVoid, closeBatch, confirmVoid, discardBatch, dropVoid } from './void-batch.ts'

export function batchRoutes(registerEndpoint: RegisterEndpoint, dependencies: Dependencies): void {
  registerEndpoint(office.payoutList, listReady(dependencies))
  registerEndpoint(office.createPayoutBatch, createBatch(dependencies))
  registerEndpoint(office.listPayoutBatches, listBatches(dependencies))
  registerEndpoint(office.getPayoutBatch, getBatch(dependencies))
  registerEndpoint(office.releasePayoutBatch, releaseBatch(dependencies))
  registerEndpoint(office.payoutFile, saveFile(dependencies))
  registerEndpoint(office.confirmPayoutBatch, confirmBatch(dependencies))
  registerEndpoint(office.discardPayoutBatch, discardBatch(dependencies))
  registerEndpoint(office.requestVoidPayoutBatch, requestVoid(dependencies))
  registerEndpoint(office.confirmVoidPayoutBatch, confirmVoid(dependencies))
  registerEndpoint(office.dropVoidPayoutBatch, dropVoid(dependencies))
  registerEndpoint(office.closePayoutBatch, closeBatch(dependencies))
  registerEndpoint(stops.listPayoutStops, listStops(dependencies))
  registerEndpoint(stops.explainPayoutStop, explainStop(dependencies))
  registerEndpoint(stops.liftPayoutStop, liftStop(dependencies))
  registerEndpoint(stops.reopenPayoutStop, reopenStop(dependencies))
  registerEndpoint(stops.recoverPayoutStop, recoverStop(dependencies))
}
