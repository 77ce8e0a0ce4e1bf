/**
 * A client's lost second factor: its reset is requested by one person after the security answer, decided by another.
 */
import * as z from 'zod/mini'
import { factorResetMachine } from '#rules/factor-resets.ts'
import { permissions } from '#rules/permissions.ts'
import { endpoint } from '../endpoint.ts'
import { body } from '../fields.ts'
import { decisionsOn } from './decision.ts'
import { root, clientParams } from './briefs.ts'
import { note, reason } from './decisions.ts'

export const requestFactorReset = endpoint('askFactorReset', `POST ${root}/clients/:id/factor-reset`, {
  summary: 'Requests a reset of a client’s 2FA after a correct security answer. Another person must approve it.',
  access: permissions.askFactorReset,
  params: clientParams,
  body: body({ reason }),
  status: 201,
  response: z.object({ id: z.string() }),
  problems: ['reason-required', 'own-request', 'factor-off', 'factor-reset-waits', 'answer-first'],
})
const decision = decisionsOn('factor-resets', factorResetMachine)

export const approveFactorReset = decision('approveFactorReset', 'approve', {
  summary: 'Resets the client’s 2FA, ends every session and notifies the client.',
  body: { note },
  problems: ['own-act', 'factor-off', 'factor-newer'],
})
export const rejectFactorReset = decision('rejectFactorReset', 'reject', {
  summary: 'Rejects the 2FA reset with a reason.',
  body: { reason },
  problems: ['own-act'],
})
export const cancelFactorReset = decision('cancelFactorReset', 'cancel', {
  summary: 'Cancels the 2FA reset request. Only the person who made it may cancel it.',
  body: { note },
  problems: ['not-your-act'],
})
