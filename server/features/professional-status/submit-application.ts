/** A client applies, or sends the form again after more was asked: specification sections 2 and 5, attack B6. */
import type { submitClientsProfessionalApplication as endpoint } from '#contract/professional-status.ts'
import type { ProblemCode } from '#contract/problems.ts'
import { checkApplication, checkForm, professionalLife, professionalTest } from '#rules/professional-status.ts'
import { advance } from '../../db/transition.ts'
import { record } from '../../db/events.ts'
import { row, sql } from '../../db/sql.ts'
import { transaction, type Transaction } from '../../db/transaction.ts'
import { openWork } from '../../db/work-items.ts'
import { clientOf, type Call } from '../../http/request-context.ts'
import { Problem, refuse } from '../../http/problem.ts'
import type { Parts } from '../../dependencies.ts'
import { workDueAt } from '../../office/due-dates.ts'
import { holdApplicant, newestApplication } from './queries.ts'

/** Throws what stands in the way of applying, or what is wrong with the form, by question. */
export async function submitApplication(parts: Parts, call: Call<typeof endpoint>): Promise<void> {
  const { clientId } = clientOf(call)
  const { applicationsOpen } = await parts.settings.get('professional')
  const dueAt = await workDueAt(parts, 'professional', call.now)
  const { form } = call.body
  await transaction(parts.pool, async (tx) => {
    const client = await holdApplicant(tx, clientId)
    const standing = await newestApplication(tx, clientId)
    refuse(
      checkApplication({
        disabled: !applicationsOpen,
        clientStatus: client.clientStatus,
        open: standing?.state ?? null,
      }),
    )
    refuseForm(checkForm(form))
    const answers = JSON.stringify(form)
    const again = standing?.state === 'more_asked'
    const id = again ? standing.id : await insert(tx, call, clientId, answers)
    if (again) {
      const set = { answers, submitted_at: call.now, reason: null, decided_at: null, decided_by: null }
      await advance(tx, professionalLife, call.act, {
        id,
        verb: 'answer',
        clientId,
        set,
        details: { after: { ...form } },
      })
    }
    const { passed } = professionalTest(form)
    const summary = { client: `${client.name} ${client.surname}`, passed, again }
    await openWork(tx, professionalLife.name, id, { state: 'pending', dueAt, clientId, summary }, call.now)
  })
}

function refuseForm(wrong: ReturnType<typeof checkForm>): void {
  const fields: Readonly<Record<string, ProblemCode>> = { ...wrong }
  const [first] = Object.values(fields)
  if (first === undefined) return
  throw new Problem(Object.keys(fields).length === 1 ? first : 'check-fields', { fields })
}

async function insert(
  tx: Transaction,
  call: Call<typeof endpoint>,
  clientId: string,
  answers: string,
): Promise<string> {
  const written = await row<{ id: string }>(
    tx,
    sql`insert into professional_applications (client_id, answers, state, submitted_at)
        values (${clientId}, ${answers}::text::jsonb, ${professionalLife.first}, ${call.now}) returning id`,
  )
  if (!written) throw new Error('an application was not written')
  await record(tx, call.act, {
    kind: professionalLife.name,
    verb: 'request',
    record: written.id,
    clientId,
    to: professionalLife.first,
    details: { after: { ...call.body.form } },
  })
  return written.id
}
