/** A client applies, or sends the form again after a request for more information (requirements 13.2, 27.6). */
import type { submitClientsProfessionalApplication as endpoint } from '#contract/professional-status.ts'
import type { ProblemCode } from '#contract/problems.ts'
import { checkApplication, checkForm, professionalMachine, professionalCriteria } from '#rules/professional-status.ts'
import type { ClientId, ProfessionalId } from '#rules/ids.ts'
import { applyTransition, recordCreation } from '../../db/transition.ts'
import { transaction, type Transaction, requireRow } from '../../db/sql.ts'
import { openWorkItem } from '../../db/work-items.ts'
import { requireClient, type RequestContext, type Handler } from '../../http/handler.ts'
import { Problem, throwIfProblem } from '../../http/problem.ts'
import { workItemDueAt } from '../../office/due-dates.ts'
import { lockApplicant, newestApplication } from './queries.ts'

/** Submits the application. Throws why applying is not possible, or the form's errors by question. */
export const submitApplication: Handler<typeof endpoint> = async (dependencies, context) => {
  const { clientId } = requireClient(context)
  const { applicationsOpen } = await dependencies.settings.get('professional')
  const dueAt = await workItemDueAt(dependencies, 'professional', context.now)
  const { form } = context.body
  await transaction(dependencies.pool, async (tx) => {
    const client = await lockApplicant(tx, clientId)
    // Closed or suspended after the call was authorized.
    if (client.state !== 'approved') throw new Problem('session-ended')
    const newest = await newestApplication(tx, clientId)
    throwIfProblem(
      checkApplication({
        disabled: !applicationsOpen,
        clientStatus: client.clientStatus,
        open: newest?.state ?? null,
      }),
    )
    assertFormComplete(checkForm(form))
    const answers = JSON.stringify(form)
    const again = newest?.state === 'more_asked'
    const id = again ? newest.id : await insertApplication(tx, context, clientId, answers)
    if (again) {
      const set = { answers, submitted_at: context.now, reason: null, decided_at: null, decided_by: null }
      await applyTransition(tx, professionalMachine, context.auditContext, { id, clientId }, 'answer', {
        set,
        details: { after: { ...form } },
      })
    }
    const { passed } = professionalCriteria(form)
    const summary = { client: `${client.name} ${client.surname}`, passed, again }
    await openWorkItem(tx, professionalMachine.name, id, context.now, { state: 'pending', dueAt, clientId, summary })
  })
  return {}
}

function assertFormComplete(wrong: ReturnType<typeof checkForm>): void {
  const fields: Readonly<Record<string, ProblemCode>> = { ...wrong }
  const [first] = Object.values(fields)
  if (first === undefined) return
  throw new Problem(Object.keys(fields).length === 1 ? first : 'check-fields', { fields })
}

async function insertApplication(
  tx: Transaction,
  context: RequestContext<typeof endpoint>,
  clientId: ClientId,
  answers: string,
): Promise<ProfessionalId> {
  const written = await requireRow<{ id: ProfessionalId }>(tx)`
    insert into professional_applications (client_id, answers, state, submitted_at)
      values (${clientId}, ${answers}::text::jsonb, ${professionalMachine.first}, ${context.now}) returning id`
  const details = { after: { ...context.body.form } }
  const { id } = written
  await recordCreation(tx, professionalMachine, context.auditContext, { id, clientId }, 'request', { details })
  return id
}
