/** Payout batches. */
import * as office from '#contract/office/payout-batches.ts'
import * as stops from '#contract/office/payout-stops.ts'
import type { RegisterEndpoint } from '../../../http/register-endpoint.ts'
import { confirmBatch } from './confirm-batch.ts'
import { createBatch } from './create-batch.ts'
import { releaseBatch } from './release-batch.ts'
import { getBatch, listBatches, listReady, saveFile, showOverview } from './show-batches.ts'
import { explainStop, liftStop, recoverStop, reopenStop } from './decide-payout-stop.ts'
import { listStops } from './payout-stops.ts'
import { closeBatch } from './close-batch.ts'
import { confirmVoid, discardBatch, dropVoid, requestVoid } from './void-batch.ts'

export function batchRoutes(registerEndpoint: RegisterEndpoint): void {
  registerEndpoint(office.payoutOverview, showOverview)
  registerEndpoint(office.payoutList, listReady)
  registerEndpoint(office.createPayoutBatch, createBatch)
  registerEndpoint(office.listPayoutBatches, listBatches)
  registerEndpoint(office.getPayoutBatch, getBatch)
  registerEndpoint(office.releasePayoutBatch, releaseBatch)
  registerEndpoint(office.payoutFile, saveFile)
  registerEndpoint(office.confirmPayoutBatch, confirmBatch)
  registerEndpoint(office.discardPayoutBatch, discardBatch)
  registerEndpoint(office.requestVoidPayoutBatch, requestVoid)
  registerEndpoint(office.confirmVoidPayoutBatch, confirmVoid)
  registerEndpoint(office.dropVoidPayoutBatch, dropVoid)
  registerEndpoint(office.closePayoutBatch, closeBatch)
  registerEndpoint(stops.listPayoutStops, listStops)
  registerEndpoint(stops.explainPayoutStop, explainStop)
  registerEndpoint(stops.liftPayoutStop, liftStop)
  registerEndpoint(stops.reopenPayoutStop, reopenStop)
  registerEndpoint(stops.recoverPayoutStop, recoverStop)
}
