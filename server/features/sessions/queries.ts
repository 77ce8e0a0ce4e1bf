import type { ClientState } from '#rules/clients.ts'
import type { Language } from '#rules/choices.ts'
import type { ClientId } from '#rules/ids.ts'
import { pipelinedRows } from '../../db/pipelined-reader.ts'
import { row, sql, type Connection } from '../../db/sql.ts'
import { accessStateSql } from '../../auth/client-sessions.ts'

export interface SigningInRow {
  id: ClientId
  email: string
  state: ClientState
  language: Language
  passwordHash: string | null
  factorSecret: Buffer | null
  secondFactor: boolean
  standing: string
}

const columns = sql`id, email::text as email, state, language, password_hash as "passwordHash",
  factor_secret as "factorSecret", factor_confirmed_at is not null as "secondFactor", ${accessStateSql} as standing`

/** Returns the client with an email address, or null. */
export async function clientByEmail(connection: Connection, email: string): Promise<SigningInRow | null> {
  const found = await pipelinedRows<SigningInRow>(
    connection,
    sql`select ${columns} from clients where email = ${email}`,
  )
  return found[0] ?? null
}

/** Returns the client with an id. */
export function clientById(connection: Connection, id: ClientId): Promise<SigningInRow | null> {
  return row<SigningInRow>(connection)`select ${columns} from clients where id = ${id}`
}
