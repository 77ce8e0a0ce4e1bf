/** Returns the client of a 2FA reset, locked until the transaction ends, or null for an unknown id. */
import type { ClientId, FactorResetId } from '#rules/ids.ts'
import type { Language } from '#rules/choices.ts'
import { row, type Transaction } from '../../db/sql.ts'
import { isUuid } from '../../db/ids.ts'
import type { FactorSubject } from './queries.ts'

export interface LockedSubject extends FactorSubject {
  readonly email: string
  readonly language: Language
}

export async function lockSubject(tx: Transaction, id: ClientId | FactorResetId): Promise<LockedSubject | null> {
  if (!isUuid(id)) return null
  return row<LockedSubject>(tx)`
    select id, email::text as email, language, factor_confirmed_at is not null as "secondFactor",
        security_answer_hash is not null as "hasQuestion"
      from clients where id = ${id} for update`
}
