/** Callers of every access level, and the content of the database before and after a call. */
import type { Endpoint } from '#contract/endpoint.ts'
import { staffRoles, type StaffRole } from '#rules/actors.ts'
import { join, raw, rows, sql } from '#server/db/sql.ts'
import { makeClient, makeStaff, type MadeClient, type MadeStaff, type TestServer } from './factories.ts'
import { newEmail, registerUnconfirmed } from './registering.ts'

export interface Callers {
  readonly client: MadeClient
  readonly staff: Readonly<Record<StaffRole, MadeStaff>>
  /** Returns the token of a caller with access to the endpoint; undefined if it is public. */
  bearerOf(endpoint: Endpoint): { as?: string }
}

/** Makes one caller for each access level. */
export async function makeCallers(server: TestServer): Promise<Callers> {
  const client = await makeClient(server)
  const registration = await registerUnconfirmed(server, newEmail())
  const made: Partial<Record<StaffRole, MadeStaff>> = {}
  for (const role of staffRoles) made[role] = await makeStaff(server, [role])
  const staff = made as Record<StaffRole, MadeStaff>
  return {
    client,
    staff,
    bearerOf({ access: who }) {
      const role = staffRoles.find((one) => who.includes(one))
      if (role) return { as: staff[role].token }
      if (who.includes('public')) return {}
      return { as: who.includes('client') || who.includes('approved') ? client.token : registration }
    },
  }
}

/** A rejected call also writes the counters of attempts. */
const ignoredTables = ['rate_limits']

/** Returns a fingerprint of all rows for each table: the same before and after a call that changed nothing. */
export async function tableFingerprints(server: TestServer): Promise<Record<string, string>> {
  const { pool } = server.dependencies
  const tables = await rows<{ name: string }>(
    pool,
    sql`select relname::text as name from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r' and has_table_privilege(oid, 'select') order by 1`,
  )
  const parts = tables
    .filter(({ name }) => !ignoredTables.includes(name))
    .map(
      ({ name }) =>
        sql`select ${name}::text as name, coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as print
            from ${raw(`public.${name}`)} t`,
    )
  const found = await rows<{ name: string; print: string }>(pool, join(parts, ' union all '))
  return Object.fromEntries(found.map(({ name, print }) => [name, print]))
}

const concurrency = 16

/** Runs the work for each of many, several concurrently. */
export async function forEachConcurrently<One>(many: readonly One[], work: (one: One) => Promise<void>): Promise<void> {
  const left = many.values()
  const hands = Array.from({ length: Math.min(concurrency, many.length) }, async () => {
    for (const one of left) await work(one)
  })
  await Promise.all(hands)
}
