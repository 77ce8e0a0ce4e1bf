/** A client's lost second factor, with four eyes. */
import * as office from '#contract/office/factor-resets.ts'
import type { Serve } from '../../http/register-endpoint.ts'
import type { Parts } from '../../dependencies.ts'
import { askFactorReset } from './request-factor-reset.ts'
import { decideFactorReset } from './decide-factor-reset.ts'

export function factorResetRoutes(serve: Serve, parts: Parts): void {
  serve(office.askFactorReset, askFactorReset(parts))
  serve(office.approveFactorReset, (call) => decideFactorReset(parts, call, 'approve', call.body.note))
  serve(office.rejectFactorReset, (call) => decideFactorReset(parts, call, 'reject', call.body.reason))
  serve(office.cancelFactorReset, (call) => decideFactorReset(parts, call, 'cancel', call.body.note))
}
