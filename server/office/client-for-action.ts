/** The client of a staff action other than a decision. */
import type { Language } from '#rules/choices.ts'
import type { ClientId } from '#rules/ids.ts'
import { row, sql, type Sql, type Transaction } from '../db/sql.ts'
import { Problem, requireFound } from '../http/problem.ts'
import { uuidOrNull } from '../db/ids.ts'

interface ClientForAction {
  readonly id: ClientId
  readonly email: string
  readonly language: Language
}

/**
 * Locks the client until the transaction ends, with `further` columns. Throws `not-found`, and `erased-already`,
 * because nothing new is written about a client whose data was erased.
 */
export async function clientForAction<Further extends object = object>(
  tx: Transaction,
  id: string,
  further: Sql = sql``,
): Promise<ClientForAction & Further> {
  const found = requireFound(
    await row<ClientForAction & Further & { erased: boolean }>(tx)`
      select id, email::text as email, language, erased_at is not null as erased${further}
        from clients where id = ${uuidOrNull(id)}::uuid for no key update`,
  )
  if (found.erased) throw new Problem('erased-already')
  return found
}
