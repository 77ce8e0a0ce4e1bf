/**
 * A person who has just checked the client's correct security answer requests the reset; the client is notified
 * immediately.
 */
import type { requestFactorReset as endpoint } from '#contract/office/factor-resets.ts'
import { factorResetMachine } from '#rules/factor-resets.ts'
import { run, transaction } from '../../db/sql.ts'
import { recordCreation } from '../../db/transition.ts'
import { requireStaff, type Handler } from '../../http/handler.ts'
import { throwIfProblem } from '../../http/problem.ts'
import { sendMail, unixSeconds } from '../../mail/send-mail.ts'
import { assertNotOwnRequest } from '../../office/records.ts'
import { workItemDueAt } from '../../office/due-dates.ts'
import { factorResetProblem, lockSubject } from './queries.ts'

export const requestFactorReset: Handler<typeof endpoint> = async (dependencies, context) => {
  const { reason } = context.body
  const { staffId } = requireStaff(context)
  const dueAt = await workItemDueAt(dependencies, 'factor_reset', context.now)
  return transaction(dependencies.pool, async (tx) => {
    const client = await lockSubject(tx, context.params.id)
    assertNotOwnRequest(requireStaff(context), client.email)
    throwIfProblem(await factorResetProblem(tx, client, staffId, context.now))
    // The outcome of an earlier request is in the audit log.
    await run(tx)`delete from factor_resets where id = ${client.id}`
    await run(tx)`
      insert into factor_resets (id, reason, asked_by, asked_at) values (${client.id}, ${reason}, ${staffId}, ${context.now})`
    const { id, email: to, language } = client
    const workItem = { dueAt, summary: {} }
    await recordCreation(tx, factorResetMachine, context.auditContext, { id, clientId: id }, 'ask', {
      reason,
      workItem,
    })
    const facts = { at: unixSeconds(context.now) }
    await sendMail(tx, context.now, { kind: 'second-factor-reset-asked', to, language, facts, clientId: id })
    return { id }
  })
}
