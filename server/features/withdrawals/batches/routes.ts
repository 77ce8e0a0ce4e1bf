/** Payout batches. */
import * as office from '#contract/office/payout-batches.ts'
import * as stops from '#contract/office/payout-stops.ts'
import type { Serve } from '../../../http/register-endpoint.ts'
import type { Parts } from '../../../dependencies.ts'
import { confirmBatch } from './confirm-batch.ts'
import { createBatch } from './create-batch.ts'
import { releaseBatch } from './release-batch.ts'
import { getBatch, listBatches, listReady, saveFile } from './show-batches.ts'
import { explainStop, liftStop, listStops, recoverStop, reopenStop } from './payout-stops.ts'
import { askVoid, closeBatch, confirmVoid, discardBatch, dropVoid } from './void-batch.ts'

export function batchRoutes(serve: Serve, parts: Parts): void {
  serve(office.payoutList, listReady(parts))
  serve(office.createPayoutBatch, createBatch(parts))
  serve(office.listPayoutBatches, listBatches(parts))
  serve(office.getPayoutBatch, getBatch(parts))
  serve(office.releasePayoutBatch, releaseBatch(parts))
  serve(office.payoutFile, saveFile(parts))
  serve(office.confirmPayoutBatch, confirmBatch(parts))
  serve(office.discardPayoutBatch, discardBatch(parts))
  serve(office.askVoidPayoutBatch, askVoid(parts))
  serve(office.confirmVoidPayoutBatch, confirmVoid(parts))
  serve(office.dropVoidPayoutBatch, dropVoid(parts))
  serve(office.closePayoutBatch, closeBatch(parts))
  serve(stops.listPayoutStops, listStops(parts))
  serve(stops.explainPayoutStop, explainStop(parts))
  serve(stops.liftPayoutStop, liftStop(parts))
  serve(stops.reopenPayoutStop, reopenStop(parts))
  serve(stops.recoverPayoutStop, recoverStop(parts))
}
