/**
 * The addresses that the demo's clients sign in from, and the table of their countries. They are from a range that is
 * reserved for documentation (RFC 5737), which no one has.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ipLocationTable } from '../ip-location-table.ts'
import { personas, type Persona } from './personas.ts'

const people: readonly Persona[] = Object.values(personas)

export function addressOf({ email }: Pick<Persona, 'email'>): string {
  return `192.0.2.${1 + people.findIndex((person) => person.email === email)}`
}

/** Writes the table, at each start, and returns its path. */
export function writeDemoLocations(dataDir: string): string {
  const path = join(dataDir, 'ip-locations.mmdb')
  const networks = people.map((person) => [`${addressOf(person)}/32`, { country: { iso_code: person.country } }])
  writeFileSync(path, ipLocationTable(Object.fromEntries(networks), { builtAt: new Date() }))
  return path
}
