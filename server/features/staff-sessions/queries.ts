import type { Absence } from '#contract/office/briefs.ts'
import type { StaffRole } from '#rules/actors.ts'
import type { Language } from '#rules/choices.ts'
import type { StaffState } from '#rules/staff.ts'
import type { StaffId } from '#rules/ids.ts'
import { row, sql, type Connection } from '../../db/sql.ts'
import { absenceOn } from '../../office/absences.ts'

export interface SigningInStaff {
  readonly id: StaffId
  readonly email: string
  readonly name: string
  readonly roles: StaffRole[]
  readonly state: StaffState
  readonly language: Language
  readonly passwordHash: string | null
  readonly factorSecret: Buffer | null
  /** False if the second factor must be set up first. */
  readonly enrolled: boolean
  /** As saved; null until one was chosen. */
  readonly inboxFilter: unknown
}

const columns = sql`id, email::text as email, name, roles, state, language, password_hash as "passwordHash",
  factor_secret as "factorSecret", factor_confirmed_at is not null as enrolled, inbox_filter as "inboxFilter"`

/** Returns the staff member with an email address, or null. */
export function staffByEmail(connection: Connection, email: string): Promise<SigningInStaff | null> {
  return row<SigningInStaff>(connection)`select ${columns} from staff where email = ${email}`
}

/** Returns the staff member with an id, or null. */
export function staffById(connection: Connection, id: StaffId): Promise<SigningInStaff | null> {
  return row<SigningInStaff>(connection)`select ${columns} from staff where id = ${id}`
}

interface CurrentStaff extends SigningInStaff {
  readonly absence: Absence | null
}

/** Returns the same with the absence. `today` is the firm's day. */
export function currentStaff(connection: Connection, id: StaffId, today: string): Promise<CurrentStaff | null> {
  return row<CurrentStaff>(connection)`select ${columns}, ${absenceOn(today)} from staff s where id = ${id}`
}

/** Returns the same, locked to serialize concurrent steps of one person. */
export function lockedStaff(connection: Connection, id: StaffId): Promise<SigningInStaff | null> {
  return row<SigningInStaff>(connection)`select ${columns} from staff where id = ${id} for update`
}
