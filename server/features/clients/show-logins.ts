/** Sign-ins of a client: open sessions, sign-ins grouped by place and device, and the single attempts. */
import type { ResponseOf } from '#contract/endpoint.ts'
import type { getClientLogins as endpoint } from '#contract/office/client-tabs.ts'
import { browserOf } from '#rules/devices.ts'
import type { ClientId } from '#rules/ids.ts'
import { limitTo, rows, type Connection } from '../../db/sql.ts'
import { networkOf } from '../../http/network.ts'
import type { Handler } from '../../http/handler.ts'
import { paged } from '../../office/page-cursor.ts'
import { eventPlace, requireExistingClient, pageSize } from './tab-queries.ts'

const accessActions =
  '^(logIn|logOut|signOut|endSession|changePassword|resetPassword|turnFactor|resetFactor|codeRefused|prove|proofFailed|confirmEmail|sendReset)'

/** Returns open sessions and login attempts. */
export const getClientLogins: Handler<typeof endpoint> = async (dependencies, context) => {
  const { query } = context
  const id = await requireExistingClient(dependencies.pool, context.params.id)
  const table = await dependencies.ipLocations.table()
  const countryOf = (address: string | null) => (address === null ? null : (table?.countryOf(address) ?? null))
  const sessions = await rows<{ id: string; device: string; address: string; createdAt: Date; lastSeenAt: Date }>(
    dependencies.pool,
  )`
    select id, device, address, created_at as "createdAt", last_seen_at as "lastSeenAt" from sessions
      where client_id = ${id} and ended_at is null and ends_at > ${context.now}
        and last_seen_at + make_interval(secs => idle_seconds) > ${context.now} order by last_seen_at desc limit 100`
  const places = query.cursor === undefined ? await placesOf(dependencies.pool, id, countryOf) : []
  const before = eventPlace(query.cursor)
  const size = query.size ?? pageSize
  const found = await rows<{
    id: bigint
    at: Date
    verb: string
    address: string | null
    details: { device?: string; count?: number } | null
  }>(dependencies.pool)`
    select e.id, e.at, e.verb, e.address, d.details from events e left join event_details d on d.event_id = e.id
      where e.client_id = ${id} and e.kind = 'client' and e.verb ~ ${accessActions}
        and (${before}::bigint is null or e.id < ${before}) order by e.id desc ${limitTo(size + 1)}`
  const page = paged(found, size, (one) => String(one.id))
  return {
    sessions: sessions.map((session) => ({ ...session, country: countryOf(session.address) })),
    places,
    locationTable: table && { builtAt: table.builtAt },
    rows: page.rows.map(({ at, verb: action, address, details }) => ({
      at,
      what: action,
      address,
      country: countryOf(address),
      device: details?.device ?? null,
      count: details?.count ?? 1,
    })),
    next: page.next,
  }
}

/** How many of the newest sign-ins are grouped. */
const signInsMax = 1000

type Place = ResponseOf<typeof endpoint>['places'][number]

/**
 * Returns sign-ins by country, network and browser family: the newest country first, and in it the newest network. The
 * countries are those of the table as it is now (ADR 306).
 */
async function placesOf(
  connection: Connection,
  clientId: ClientId,
  countryOf: (address: string) => string | null,
): Promise<Place[]> {
  const signIns = await rows<{ at: Date; address: string; device: string; count: number }>(connection)`
    select e.at, coalesce(e.address, '') as address, coalesce(d.details ->> 'device', '') as device, coalesce((d.details ->> 'count')::int, 1) as count
      from events e left join event_details d on d.event_id = e.id
      where e.client_id = ${clientId} and e.kind = 'client' and e.verb = 'logIn' and e.address is not null
      order by e.id desc limit ${signInsMax}`
  const countries = Map.groupBy(signIns, ({ address }) => countryOf(address))
  return [...countries].flatMap(([country, ofCountry]) => {
    const groups = Map.groupBy(
      ofCountry,
      ({ address, device }) => `${networkOf(address)} ${browserOf(device) ?? device}`,
    )
    return [...groups.values()].map((group) => {
      const times = group.map(({ at }) => at.getTime())
      return {
        country,
        network: networkOf(group[0]?.address ?? ''),
        device: group[0]?.device ?? '',
        signIns: group.reduce((sum, { count }) => sum + count, 0),
        firstAt: new Date(Math.min(...times)),
        lastAt: new Date(Math.max(...times)),
      }
    })
  })
}
