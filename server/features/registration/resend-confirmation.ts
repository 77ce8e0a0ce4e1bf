import type { resendConfirmation as endpoint } from '#contract/registration.ts'
import { resendSeconds } from '#rules/constants.ts'
import { transaction } from '../../db/transaction.ts'
import type { Call } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import type { Parts } from '../../dependencies.ts'
import { holdRegistration } from './queries.ts'
import { refuseTooSoon, sendConfirmation } from './send-confirmation.ts'

/** Mails the link again, a minute after the last letter at the earliest. */
export async function resendConfirmation(
  parts: Parts,
  call: Call<typeof endpoint>,
): Promise<{ resendInSeconds: number }> {
  const { caller, now } = call
  if (caller.kind !== 'registering') throw new Problem('registration-over')
  await transaction(parts.pool, async (tx) => {
    const registration = await holdRegistration(tx, caller.registrationId)
    if (registration.confirmedAt) throw new Problem('registration-over')
    if (!registration.mailSentAt) throw new Problem('step-skipped')
    refuseTooSoon(registration.mailSentAt, now)
    await sendConfirmation(tx, parts, registration, now)
  })
  return { resendInSeconds: resendSeconds }
}
