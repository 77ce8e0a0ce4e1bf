import type { updateEmploymentIncome, updateTradingExperience } from '#contract/profile.ts'
import { recordClientEvent } from '../../db/events.ts'
import { raw, row, run, transaction } from '../../db/sql.ts'
import { requireClient, type RequestContext } from '../../http/handler.ts'
import { limitProfileChanges } from '../../http/profile-change-limit.ts'
import type { Dependencies } from '../../dependencies.ts'

/** Saves employment and income, or trading experience, in its column, with its event. */
export async function updateForm(
  dependencies: Dependencies,
  context: RequestContext<typeof updateEmploymentIncome | typeof updateTradingExperience>,
  column: 'employment' | 'trading_experience',
): Promise<Record<string, never>> {
  const { clientId } = requireClient(context)
  const after = context.body
  await limitProfileChanges(dependencies, context)
  await transaction(dependencies.pool, async (tx) => {
    const found = await row<{ before: object | null }>(tx)`
      select ${raw(column)} as before from clients where id = ${clientId}`
    await run(tx)`
      update clients set ${raw(column)} = ${JSON.stringify(after)}::text::jsonb, version = version + 1 where id = ${clientId}`
    await recordClientEvent(tx, context.auditContext, clientId, {
      action: context.endpoint.name,
      details: { before: found?.before ?? null, after },
    })
  })
  return {}
}
