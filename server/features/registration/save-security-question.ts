/** Step 1.2; the email with the link is sent when it is saved for the first time (requirements 3.19). */
import type { RegistrationAnswers } from '#contract/registration.ts'
import { run, transaction } from '../../db/sql.ts'
import type { RequestContext } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import type { Dependencies } from '../../dependencies.ts'
import { normalizeSecurityAnswer, hashPassword } from '../../auth/password-hash.ts'
import { limitHashedAnswers } from './limit-answers.ts'
import { lockRegistration } from './queries.ts'
import { sendConfirmation } from './send-confirmation.ts'

/** Saves question and hashed answer. */
export async function saveSecurityQuestion(
  dependencies: Dependencies,
  context: RequestContext,
  registrationId: string,
  given: RegistrationAnswers['1.2'],
): Promise<void> {
  await limitHashedAnswers(dependencies, registrationId, context.now)
  const { questions } = await dependencies.settings.get('security')
  const { securityQuestion } = given
  assertSameQuestion(questions, securityQuestion)
  const hash = await hashPassword(normalizeSecurityAnswer(given.securityAnswer))
  await transaction(dependencies.pool, async (tx) => {
    const registration = await lockRegistration(tx, registrationId)
    if (registration.confirmedAt) throw new Problem('step-closed')
    const answers = { ...registration.answers, '1.2': { securityQuestion } }
    await run(tx)`
      update registrations set answers = ${JSON.stringify(answers)}::text::jsonb, security_answer_hash = ${hash},
          sub_step = 3
        where id = ${registrationId}`
    if (!registration.mailSentAt) await sendConfirmation(tx, dependencies, registration, context.now)
  })
}

/** Throws if the question is not one of the firm's. */
export function assertSameQuestion(questions: readonly { readonly id: string }[], asked: string): void {
  if (!questions.some(({ id }) => id === asked)) throw new Problem('unknown-value', { field: 'securityQuestion' })
}
