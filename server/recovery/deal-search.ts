/**
 * The look for deals that this database does not know: at each platform before the first send of every start, after every
 * failover, and in every comparison; at the provider when it names a checkout (mechanics section 13). The first deal whose
 * reference verifies as ours and that no row has, or that a row holds as not sent, is enough.
 */
import { row, sql, type Connection } from '../db/sql.ts'
import { judgeDeals, knownUntil, signOf } from '../ledger/platform-deals.ts'
import type { Parts, Platform } from '../parts.ts'
import { verifiedReference } from '../references.ts'
import { cardProvider } from './lost-checkouts.ts'
import type { SignSearch } from './sending-gate.ts'
import type { RecoverySign } from './stopped-money.ts'

const hourMs = 3_600_000

export interface FoundSign {
  readonly sign: RecoverySign
  /** From when on the world may know more. */
  readonly since: Date
}

type Looking = Pick<Parts, 'platforms' | 'keys' | 'jobs' | 'now'>

/** The look at one platform, over all its accounts, those included that this database does not have. */
export function dealSearch(parts: Looking, platform: Platform): SignSearch {
  return {
    name: `deals at ${platform}`,
    outside: platform,
    async look(since) {
      const from = since ?? (await lastSettled(parts.jobs, platform)) ?? parts.now()
      return searchDeals(parts, platform, new Date(from.getTime() - hourMs))
    },
  }
}

/** Reads the platform's balance operations from a moment on until one is a sign. Throws where it does not answer. */
export async function searchDeals(parts: Looking, platform: Platform, from: Date): Promise<FoundSign | null> {
  const to = new Date(parts.now().getTime() + hourMs)
  let after: string | null = null
  do {
    const page = await parts.platforms[platform].balanceOperationsSince({ from, to, after })
    for (const deal of await judgeDeals(parts.jobs, parts.keys, platform, page.operations)) {
      const sign = signOf(deal.standing)
      if (sign !== null) return { sign, since: await knownUntil(parts.jobs, deal.at) }
    }
    after = page.next
  } while (after !== null)
  return null
}

/** When the newest operation of a platform was settled; before the first one, when anything was first written. */
async function lastSettled(connection: Connection, platform: Platform): Promise<Date | null> {
  const found = await row<{ at: Date | null }>(
    connection,
    sql`select coalesce(
          (select max(settled_at) from operations
            where kind = 'balance' and state = 'done' and split_part(target, ':', 1) = ${platform}),
          (select min(at) from events)) as at`,
  )
  return found?.at ?? null
}

/** The look at the provider: every checkout that is open here is asked for. */
export function checkoutSearch(parts: Pick<Parts, 'cards' | 'keys' | 'jobs' | 'now'>): SignSearch {
  return {
    name: 'open checkouts',
    outside: 'card',
    async look() {
      let last: string | null = null
      for (;;) {
        const open: { id: string; providerId: string } | null = await nextOpen(parts.jobs, last)
        if (!open) return null
        const sign = await signOfCheckout(parts, open.providerId)
        if (sign) return sign
        last = open.id
      }
    },
  }
}

function nextOpen(connection: Connection, afterId: string | null) {
  return row<{ id: string; providerId: string }>(
    connection,
    sql`select id, provider_id as "providerId" from deposits
        where state = 'pending' and provider_id is not null and (${afterId}::uuid is null or id > ${afterId}::uuid)
        order by id limit 1`,
  )
}

/**
 * Whether a checkout at the provider carries a reference that verifies as ours and that no deposit has. Throws where the
 * provider does not answer.
 */
export async function signOfCheckout(
  { cards, keys, jobs, now }: Pick<Parts, 'cards' | 'keys' | 'jobs' | 'now'>,
  providerId: string,
): Promise<FoundSign | null> {
  const status = await cards?.getStatus(providerId)
  if (status?.ref === undefined || !verifiedReference(keys.reference.bytes, status.ref)) return null
  const known = await row(
    jobs,
    sql`select 1 from deposits where provider_ref = ${status.ref}
        union all select 1 from recovery_items where platform = ${cardProvider} and ticket = ${providerId}
        limit 1`,
  )
  return known ? null : { sign: 'unknown-reference', since: await knownUntil(jobs, now()) }
}
