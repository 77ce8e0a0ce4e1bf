/** Employment and income, and trading experience: saved as they are sent, with their event. */
import type { updateEmploymentIncome, updateTradingExperience } from '#contract/profile.ts'
import { record } from '../../db/events.ts'
import { run, sql } from '../../db/sql.ts'
import { transaction } from '../../db/transaction.ts'
import { clientOf, type Call } from '../../http/request-context.ts'
import { limitChanges } from '../../http/profile-change-limit.ts'
import type { Parts } from '../../dependencies.ts'
import { savedForms } from './queries.ts'

/** Saves employment and financial information. */
export async function updateEmployment(
  parts: Parts,
  call: Call<typeof updateEmploymentIncome>,
): Promise<Record<string, never>> {
  const { clientId } = clientOf(call)
  const after = call.body
  await limitChanges(parts, call)
  await transaction(parts.pool, async (tx) => {
    const { employment: before } = await savedForms(tx, clientId)
    await run(
      tx,
      sql`update clients set employment = ${JSON.stringify(after)}::text::jsonb, version = version + 1 where id = ${clientId}`,
    )
    await record(tx, call.act, {
      kind: 'client',
      verb: 'updateEmploymentIncome',
      record: clientId,
      clientId,
      details: { before, after },
    })
  })
  return {}
}

/** Saves trading experience. */
export async function updateExperience(
  parts: Parts,
  call: Call<typeof updateTradingExperience>,
): Promise<Record<string, never>> {
  const { clientId } = clientOf(call)
  const after = call.body
  await limitChanges(parts, call)
  await transaction(parts.pool, async (tx) => {
    const { experience: before } = await savedForms(tx, clientId)
    await run(
      tx,
      sql`update clients set trading_experience = ${JSON.stringify(after)}::text::jsonb, version = version + 1
          where id = ${clientId}`,
    )
    await record(tx, call.act, {
      kind: 'client',
      verb: 'updateTradingExperience',
      record: clientId,
      clientId,
      details: { before, after },
    })
  })
  return {}
}
