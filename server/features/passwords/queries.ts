import type { Language } from '#rules/choices.ts'
import type { ClientState } from '#rules/clients.ts'
import type { ClientId } from '#rules/ids.ts'
import { row, sql, type Connection } from '../../db/sql.ts'

export interface PasswordOwner {
  id: ClientId
  email: string
  name: string
  surname: string
  state: ClientState
  language: Language
  passwordHash: string | null
}

const columns = sql`id, email::text as email, name, surname, state, language, password_hash as "passwordHash"`

/** Returns the client with an email address, or null. */
export function ownerByEmail(connection: Connection, email: string): Promise<PasswordOwner | null> {
  return row<PasswordOwner>(connection)`select ${columns} from clients where email = ${email}`
}

/** Returns the client with an id, or null. */
export function ownerById(connection: Connection, id: ClientId): Promise<PasswordOwner | null> {
  return row<PasswordOwner>(connection)`select ${columns} from clients where id = ${id}`
}
