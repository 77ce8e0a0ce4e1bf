/** Step 1.2; the letter with the link leaves when it is saved for the first time (product-decisions section 11). */
import type { RegistrationAnswers } from '#contract/registration.ts'
import { run, sql } from '../../db/sql.ts'
import { transaction } from '../../db/transaction.ts'
import type { Call } from '../../http/request-context.ts'
import { Problem } from '../../http/problem.ts'
import type { Parts } from '../../dependencies.ts'
import { answerForm, hashPassword } from '../../auth/password-hash.ts'
import { limitHashedAnswers } from './limit-answers.ts'
import { holdRegistration } from './queries.ts'
import { sendConfirmation } from './send-confirmation.ts'

/** Saves question and hashed answer. */
export async function saveSecurityQuestion(
  parts: Parts,
  call: Call,
  registrationId: string,
  given: RegistrationAnswers['1.2'],
): Promise<void> {
  await limitHashedAnswers(parts, registrationId, call.now)
  const { questions } = await parts.settings.get('security')
  const { securityQuestion } = given
  refuseOtherQuestion(questions, securityQuestion)
  const hash = await hashPassword(answerForm(given.securityAnswer))
  await transaction(parts.pool, async (tx) => {
    const registration = await holdRegistration(tx, registrationId)
    if (registration.confirmedAt) throw new Problem('step-closed')
    const answers = { ...registration.answers, '1.2': { securityQuestion } }
    await run(
      tx,
      sql`update registrations set answers = ${JSON.stringify(answers)}::text::jsonb, security_answer_hash = ${hash},
            sub_step = 3
          where id = ${registrationId}`,
    )
    if (!registration.mailSentAt) await sendConfirmation(tx, parts, registration, call.now)
  })
}

/** Refuses a question that is not one of the firm's. */
export function refuseOtherQuestion(questions: readonly { readonly id: string }[], asked: string): void {
  if (!questions.some(({ id }) => id === asked)) throw new Problem('unknown-value', { field: 'securityQuestion' })
}
