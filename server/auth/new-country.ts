/** Detects sign-ins from a country in which a person has not signed in before (ADR 352). */
import type { ClientId, StaffId } from '#rules/ids.ts'
import { rows, sql, type Connection } from '../db/sql.ts'
import type { Dependencies } from '../dependencies.ts'

type Person = { readonly clientId: ClientId } | { readonly staffId: StaffId }

/**
 * Returns whether the country of an address is known and differs from all known countries of the person's earlier
 * sessions. False without a table of locations, at a first sign-in, and for addresses without a country.
 */
export async function isNewCountry(
  { ipLocations }: Pick<Dependencies, 'ipLocations'>,
  connection: Connection,
  person: Person,
  address: string,
): Promise<boolean> {
  const table = await ipLocations.table()
  const country = table?.countryOf(address) ?? null
  if (table === null || country === null) return false
  const owner =
    'clientId' in person
      ? sql`client_id = ${person.clientId} and audience = 'portal'`
      : sql`staff_id = ${person.staffId} and audience = 'office'`
  const earlier = await rows<{ address: string }>(connection)`select distinct address from sessions where ${owner}`
  const countries = earlier.flatMap((one) => table.countryOf(one.address) ?? [])
  return countries.length > 0 && !countries.includes(country)
}
