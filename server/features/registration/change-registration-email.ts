import type { changeRegistrationEmail as endpoint } from '#contract/registration.ts'
import { transaction } from '../../db/sql.ts'
import type { Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { limitRegistrations, moveToAddress } from './begin-registration.ts'
import { lockRegistration, readRegistrationRow } from './queries.ts'
import { secondsUntilResend } from './send-confirmation.ts'

/**
 * Moves a registration to another address before it is confirmed; the response is the same for known and unknown ones.
 */
export const changeRegistrationEmail: Handler<typeof endpoint> = async (dependencies, context) => {
  const { caller, now, body } = context
  if (caller.kind !== 'registering') throw new Problem('step-closed')
  await limitRegistrations(dependencies, context)
  await transaction(dependencies.pool, async (tx) => {
    const registration = await lockRegistration(tx, caller.registrationId)
    if (registration.confirmedAt) throw new Problem('step-closed')
    await moveToAddress(tx, dependencies, registration.id, body.email, now)
  })
  const { mailSentAt } = await readRegistrationRow(dependencies.pool, caller.registrationId)
  return { resendInSeconds: secondsUntilResend(mailSentAt, now) }
}
