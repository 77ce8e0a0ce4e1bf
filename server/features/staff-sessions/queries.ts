import type { StaffRole } from '#rules/actors.ts'
import type { Language } from '#rules/choices.ts'
import type { StaffState } from '#rules/staff.ts'
import type { StaffId } from '#rules/ids.ts'
import { row, sql, type Connection } from '../../db/sql.ts'

export interface SigningInStaff {
  readonly id: StaffId
  readonly email: string
  readonly name: string
  readonly roles: StaffRole[]
  readonly state: StaffState
  readonly language: Language
  readonly passwordHash: string | null
  readonly factorSecret: Buffer | null
  /** False: the second factor is to be set up before anything else. */
  readonly enrolled: boolean
  /** As it was saved; null until one was chosen. */
  readonly inboxFilter: unknown
}

const columns = sql`id, email::text as email, name, roles, state, language, password_hash as "passwordHash",
  factor_secret as "factorSecret", factor_confirmed_at is not null as enrolled, inbox_filter as "inboxFilter"`

/** Returns the staff member of an e-mail address, or null. */
export function staffByEmail(connection: Connection, email: string): Promise<SigningInStaff | null> {
  return row<SigningInStaff>(connection)`select ${columns} from staff where email = ${email}`
}

/** Returns the staff member of an id, or null. */
export function staffById(connection: Connection, id: StaffId): Promise<SigningInStaff | null> {
  return row<SigningInStaff>(connection)`select ${columns} from staff where id = ${id}`
}

/** The same, locked: of many steps of one person at once, one comes after the other. */
export function lockedStaff(connection: Connection, id: StaffId): Promise<SigningInStaff | null> {
  return row<SigningInStaff>(connection)`select ${columns} from staff where id = ${id} for update`
}
