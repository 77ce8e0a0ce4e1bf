/** Counts other clients with the same identity document, bank account, device or phone. */
import type { SharedDetailFacts, SharedDetailKind } from '#rules/checks/access-checks.ts'
import { identityKinds } from '#rules/documents.ts'
import type { ClientId } from '#rules/ids.ts'
import { rows, sql, type Connection } from '../db/sql.ts'
import { numberOfDetails } from './bank-numbers.ts'
import { factAsOf } from './client-facts.ts'

/** For how many hours a sign-in is relevant for its device (requirements 19.17). */
const deviceHours = 24

/** Addresses that do not identify a device: those of the server itself and of private networks. */
const privateNetworks = [
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
]

/** Without the prefix that a dual-stack socket adds to IPv4 addresses. */
const plainAddress = sql`regexp_replace(m.address, '^::ffff:', '')`

/**
 * Counts the other clients who share something, in total and by detail. A device is the same browser at the same
 * public address within 24 hours; no other device data is stored.
 */
export async function detailsSharedWithOthers(
  connection: Connection,
  clientId: ClientId,
  now: Date,
): Promise<SharedDetailFacts['elsewhere']> {
  const since = new Date(now.getTime() - deviceHours * 3_600_000)
  const found = await rows<{ thing: SharedDetailKind | null; clients: number }>(connection)`
    select s.thing, count(distinct s.client_id)::int as clients from (
        select 'document' as thing, o.client_id from documents d
          join documents o on lower(o.document_number) = lower(d.document_number) and o.country = d.country
          where d.client_id = ${clientId} and d.kind = any (${[...identityKinds]}::text[])
        union select 'bankAccount', o.client_id from bank_details b
          join bank_details o on ${numberOfDetails(sql`o`)} = ${numberOfDetails(sql`b`)}
          where b.client_id = ${clientId}
        union select 'phone', o.id from clients p join clients o on o.mobile_phone = p.mobile_phone
          where p.id = ${clientId} and p.mobile_phone <> ''
        union select 'device', o.client_id from sessions m
          join sessions o on o.address = m.address and o.device = m.device and o.client_id is not null
            and o.created_at > ${since}
          where m.client_id = ${clientId} and m.created_at > ${since} and m.device <> ''
            and case when pg_input_is_valid(${plainAddress}, 'inet')
              then not ${plainAddress}::inet <<= any (${privateNetworks}::inet[]) else false end
      ) s where s.client_id <> ${clientId} group by grouping sets ((s.thing), ()) order by s.thing`
  const shared = found.flatMap(({ thing, clients }) => (thing === null ? [] : [{ thing, clients }]))
  return factAsOf({ clients: found.find(({ thing }) => thing === null)?.clients ?? 0, shared }, now)
}
