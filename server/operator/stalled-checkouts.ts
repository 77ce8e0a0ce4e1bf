/** Card payments without a usable response of the provider, for the list of stalled work. */
import { providerSilent } from '#rules/differences.ts'
import { rows, type Connection } from '../db/sql.ts'
import { isStopped } from '../recovery/stopped-money.ts'
import { moreRow, type Stalled } from './stalled-rows.ts'

const namedMax = 20

/** Returns the payments whose missing response two people may decide on (ADR 351). */
export async function checkoutsWithoutResponse(connection: Connection): Promise<Stalled[]> {
  const found = await rows<{ name: string; response: string; isPending: boolean; of: bigint }>(connection)`
    select coalesce(p.reference, d.facts ->> 'providerIds', '') as name, coalesce(d.facts ->> 'response', 'missing') as response,
        coalesce(p.state = 'pending', true) as "isPending", count(*) over () as of
      from differences d left join deposits p on p.id = d.record
      where d.kind = ${providerSilent} and d.state in ('open', 'proposed') order by d.found_at, d.id limit ${namedMax}`
  const inRecovery = found.length > 0 && (await isStopped(connection, 'accounts'))
  const entries = found.map(({ name, response, isPending }) => ({
    what: `card payment ${name}`,
    cause:
      response === 'missing'
        ? 'The card provider does not respond about it.'
        : 'The response of the card provider about it cannot be used.',
    effect: isPending
      ? 'A payment that was made is not credited. Recovery and refunds to cards wait for the response.'
      : 'None. Recovery waits for the response.',
    next: nextQuery(inRecovery, isPending),
    action:
      'Let the card provider correct it, or let two people in finance decide in the back office, under Reconciliation.',
    sick: true,
  }))
  return [...entries, ...moreRow(Number(found[0]?.of ?? 0) - found.length, 'card payments without a response')]
}

function nextQuery(inRecovery: boolean, isPending: boolean): string {
  if (inRecovery) return 'with the next npm run operator -- recover'
  return isPending ? 'within a minute' : 'within a day'
}
