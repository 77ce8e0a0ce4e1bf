/** Manual corrections of what is owed to an account, with four eyes. */
import * as office from '#contract/office/accounting.ts'
import type { Serve } from '../../http/register-endpoint.ts'
import type { Parts } from '../../dependencies.ts'
import { askCorrection } from './request-correction.ts'
import { approveCorrection, rejectCorrection } from './decide-correction.ts'
import { listCorrections, showCorrection } from './show-corrections.ts'

export function correctionRoutes(serve: Serve, parts: Parts): void {
  serve(office.listCorrections, (call) => listCorrections(parts, call))
  serve(office.getCorrection, (call) => showCorrection(parts, call))
  serve(office.askCorrection, askCorrection(parts))
  serve(office.approveCorrection, approveCorrection(parts))
  serve(office.rejectCorrection, rejectCorrection(parts))
}
