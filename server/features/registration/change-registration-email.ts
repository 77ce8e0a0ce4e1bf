import type { changeRegistrationEmail as endpoint } from '#contract/registration.ts'
import { transaction } from '../../db/transaction.ts'
import type { Call } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import type { Parts } from '../../dependencies.ts'
import { moveToAddress } from './begin-registration.ts'
import { holdRegistration, readRegistrationRow } from './queries.ts'
import { secondsUntilResend } from './send-confirmation.ts'

/** Moves a registration to another address before it is confirmed; the same answer for known and unknown ones. */
export async function changeRegistrationEmail(
  parts: Parts,
  call: Call<typeof endpoint>,
): Promise<{ resendInSeconds: number }> {
  const { caller, now, body } = call
  if (caller.kind !== 'registering') throw new Problem('step-closed')
  await transaction(parts.pool, async (tx) => {
    const registration = await holdRegistration(tx, caller.registrationId)
    if (registration.confirmedAt) throw new Problem('step-closed')
    await moveToAddress(tx, parts, registration.id, body.email, now)
  })
  const { mailSentAt } = await readRegistrationRow(parts.pool, caller.registrationId)
  return { resendInSeconds: secondsUntilResend(mailSentAt, now) }
}
