/** The columns of a client's profile, as `rules/profile-fields.ts` declares them. */
import { profileFieldNames, profileFields, type ProfileFieldName, type StoredProfile } from '#rules/profile-fields.ts'
import { join, raw, sql, type Sql } from './sql.ts'

/** All columns under their fields' names: `title as "title", birth_date as "birthDate"`. */
export const profileColumns: Sql = join(profileFieldNames.map((name) => sql`${columnOf(name)} as "${raw(name)}"`))

export function columnOf(name: ProfileFieldName): Sql {
  return raw(profileFields[name].column)
}

/** Returns the assignments of some fields, such as "city = $1, county = $2", for `update clients set`. */
export function profileAssignments(values: Partial<Readonly<StoredProfile>>): Sql {
  return join(givenFieldNames(values).map((name) => sql`${columnOf(name)} = ${values[name]}`))
}

/** Returns the columns and values of some fields for an `insert into clients`. */
export function profileInsert(values: Partial<Readonly<StoredProfile>>): { columns: Sql; values: Sql } {
  const names = givenFieldNames(values)
  return { columns: join(names.map((name) => columnOf(name))), values: join(names.map((name) => sql`${values[name]}`)) }
}

function givenFieldNames(values: Partial<Readonly<StoredProfile>>): ProfileFieldName[] {
  return profileFieldNames.filter((name) => values[name] !== undefined)
}
