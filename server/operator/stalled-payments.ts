/** Lists payments, payout batches and transfers between currencies that are stuck. */
import { providerSilent } from '#rules/differences.ts'
import { ratesExpireAt } from '#rules/transfers.ts'
import { rows, type Connection } from '../db/sql.ts'
import { unreleasableBatches } from '../features/withdrawals/batches/queries.ts'
import { isStopped } from '../recovery/stopped-money.ts'
import { readSetting } from '../settings/settings.ts'
import { moreRow, type Stalled } from './stalled-rows.ts'

const paymentsNamedMax = 20

/** Returns the payments whose missing response two people may decide on (ADR 351). */
export async function checkoutsWithoutResponse(connection: Connection): Promise<Stalled[]> {
  const found = await rows<{ name: string; response: string; isPending: boolean; of: bigint }>(connection)`
    select coalesce(p.reference, d.facts ->> 'providerIds', '') as name, coalesce(d.facts ->> 'response', 'missing') as response,
        coalesce(p.state = 'pending', true) as "isPending", count(*) over () as of
      from differences d left join deposits p on p.id = d.record
      where d.kind = ${providerSilent} and d.state in ('open', 'proposed') order by d.found_at, d.id limit ${paymentsNamedMax}`
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

/** Returns the payout batches that no active person can release. */
export async function batchesWithoutReleaser(connection: Connection, now: Date): Promise<Stalled[]> {
  const { value } = await readSetting(connection, 'payouts', now)
  const found = await unreleasableBatches(connection, value.byUninvolved)
  return found.map(({ number }) => ({
    what: `payout batch ${number}`,
    cause:
      'No active finance supervisor or administrator may release it. They created it, or entered or approved a payment in it.',
    effect: 'Its payouts are not sent.',
    next: 'none',
    action: 'Void it in the back office, add a person, or change the setting Payout batches.',
    sick: false,
  }))
}

/** Returns the transfer rates if they are out of date; none if the firm has not entered any. */
export async function ratesOutOfDate(connection: Connection, now: Date): Promise<Stalled[]> {
  const { asOf, maxAgeDays } = (await readSetting(connection, 'rates', now)).value
  const until = ratesExpireAt({ asOf, maxAgeDays })
  if (asOf === null || until === null || until >= now) return []
  return [
    {
      what: `transfer rates of ${asOf}`,
      cause: `They are older than their maximum age (days: ${maxAgeDays}).`,
      effect: `Transfers between currencies cannot be requested since ${until.toISOString()}.`,
      next: 'none',
      action:
        'An administrator enters current rates in the back office, under Settings, Transfer rates. A second one approves them.',
      sick: true,
    },
  ]
}
