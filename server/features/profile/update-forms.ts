/** Employment and income, and trading experience: saved as they are sent, with their event. */
import type { updateEmploymentIncome, updateTradingExperience } from '#contract/profile.ts'
import { recordEvent } from '../../db/events.ts'
import { run, sql } from '../../db/sql.ts'
import { transaction } from '../../db/transaction.ts'
import { requireClient, type RequestContext } from '../../http/request-context.ts'
import { limitProfileChanges } from '../../http/profile-change-limit.ts'
import type { Dependencies } from '../../dependencies.ts'
import { savedForms } from './queries.ts'

/** Saves employment and financial information. */
export async function updateEmployment(
  dependencies: Dependencies,
  context: RequestContext<typeof updateEmploymentIncome>,
): Promise<Record<string, never>> {
  const { clientId } = requireClient(context)
  const after = context.body
  await limitProfileChanges(dependencies, context)
  await transaction(dependencies.pool, async (tx) => {
    const { employment: before } = await savedForms(tx, clientId)
    await run(
      tx,
      sql`update clients set employment = ${JSON.stringify(after)}::text::jsonb, version = version + 1 where id = ${clientId}`,
    )
    await recordEvent(tx, context.auditContext, {
      kind: 'client',
      action: 'updateEmploymentIncome',
      record: clientId,
      clientId,
      details: { before, after },
    })
  })
  return {}
}

/** Saves trading experience. */
export async function updateExperience(
  dependencies: Dependencies,
  context: RequestContext<typeof updateTradingExperience>,
): Promise<Record<string, never>> {
  const { clientId } = requireClient(context)
  const after = context.body
  await limitProfileChanges(dependencies, context)
  await transaction(dependencies.pool, async (tx) => {
    const { experience: before } = await savedForms(tx, clientId)
    await run(
      tx,
      sql`update clients set trading_experience = ${JSON.stringify(after)}::text::jsonb, version = version + 1
          where id = ${clientId}`,
    )
    await recordEvent(tx, context.auditContext, {
      kind: 'client',
      action: 'updateTradingExperience',
      record: clientId,
      clientId,
      details: { before, after },
    })
  })
  return {}
}
