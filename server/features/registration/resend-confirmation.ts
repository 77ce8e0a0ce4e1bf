import type { resendConfirmation as endpoint } from '#contract/registration.ts'
import { resendSeconds } from '#rules/constants.ts'
import { transaction } from '../../db/sql.ts'
import type { Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { lockRegistration } from './queries.ts'
import { assertResendAllowed, sendConfirmation } from './send-confirmation.ts'

/** Emails the link again, at the earliest a minute after the last email. */
export const resendConfirmation: Handler<typeof endpoint> = async (dependencies, context) => {
  const { caller, now } = context
  if (caller.kind !== 'registering') throw new Problem('registration-over')
  await transaction(dependencies.pool, async (tx) => {
    const registration = await lockRegistration(tx, caller.registrationId)
    if (registration.confirmedAt) throw new Problem('registration-over')
    if (!registration.mailSentAt) throw new Problem('step-skipped')
    assertResendAllowed(registration.mailSentAt, now)
    await sendConfirmation(tx, dependencies, registration, now)
  })
  return { resendInSeconds: resendSeconds }
}
