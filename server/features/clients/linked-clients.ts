/**
 * Clients who share details with a client: by name for permitted roles, as a count for others (requirements 24.9,
 * 24.36).
 */
import type { OfficeClient } from '#contract/office/clients.ts'
import type { ClientId } from '#rules/ids.ts'
import { deviceHours, type LinkKind } from '#rules/linked-clients.ts'
import { rows } from '../../db/sql.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { RequestContext } from '../../http/handler.ts'
import { otherClients } from '../../office/other-clients.ts'

const namedMax = 20

interface Linked {
  readonly id: ClientId
  readonly kinds: LinkKind[]
  readonly count: number
}

export async function linkedClients(
  dependencies: Dependencies,
  context: RequestContext,
  clientId: ClientId,
): Promise<OfficeClient['linked']> {
  const found = await rows<Linked>(dependencies.pool)`
    select o.client_id as id, array_agg(distinct o.kind order by o.kind) as kinds, (count(*) over ())::int as count
      from link_digests d join link_digests o on o.kind = d.kind and o.digest = d.digest and o.client_id <> d.client_id
        and (d.kind <> 'device' or o.at between d.at - make_interval(hours => ${deviceHours}) and d.at + make_interval(hours => ${deviceHours}))
      where d.client_id = ${clientId}
      group by o.client_id order by bool_and(o.kind = 'device'), o.client_id limit ${namedMax}`
  const ids = found.map(({ id }) => id)
  const { count, clients } = await otherClients(dependencies, context, ids, found[0]?.count)
  const kindsOf = new Map<string, LinkKind[]>(found.map(({ id, kinds }) => [id, kinds]))
  return {
    count,
    clients:
      clients?.map(({ id, name, number, status: state }) => ({
        id,
        name,
        number,
        state,
        kinds: kindsOf.get(id) ?? [],
      })) ?? null,
  }
}
