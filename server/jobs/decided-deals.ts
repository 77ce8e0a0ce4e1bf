/** What two people have decided on deals of an operation's request, in recovery or in reconciliation (ADR 338). */
import { rows, type Connection } from '../db/sql.ts'
import type { Platform } from '../dependencies.ts'
import { dealRef } from '../ledger/platform-deals.ts'
import type { Operation } from './operation.ts'

/** A balance operation of a request, and its account. */
type BalanceRequest = Pick<Operation<{ readonly platform: Platform; readonly login: string }>, 'shown' | 'payload'>

/**
 * From the weakest to the strongest. `posted`: on its own, so that an operation can still be settled with it.
 * `reversing`: the platform has not executed the reversal yet. `reversed`: also on the platform, or compensated in
 * another way, or posted for another account.
 */
const decisions = ['posted', 'reversing', 'reversed'] as const
export type DealDecision = (typeof decisions)[number]

export interface RecoveredDeal {
  readonly platform: Platform
  readonly comment: string
  readonly ticket: string
  readonly isOpen: boolean
  /** Null while it is open, and if the deal belongs to its operation. */
  readonly decision: DealDecision | null
}

/** Returns the deals of an operation's request that recovery found. */
export function recoveredDeals(
  connection: Connection,
  { shown, payload: { platform, login } }: BalanceRequest,
): Promise<RecoveredDeal[]> {
  return rows<RecoveredDeal>(connection)`
    select platform, comment, ticket, state <> 'settled' as "isOpen",
        case when decided_by is null then null
          when action <> 'reverse' and kind <> 'mismatch' then null
          when action <> 'reverse' then case when platform = ${platform} and login = ${login} then 'posted' else 'reversed' end
          when exists (select from operations o where o.subject = 'recovery_item' and o.record = i.id and o.state = 'done')
            then 'reversed'
          else 'reversing' end as decision
      from recovery_items i where reference = ${shown} and platform in ('MT4', 'MT5')`
}

/** Returns the decisions on deals of an operation's request, by ticket; undecided deals are left out. */
export async function decidedDeals(
  connection: Connection,
  operation: BalanceRequest,
  tickets: readonly string[],
): Promise<ReadonlyMap<string, DealDecision>> {
  const { platform } = operation.payload
  const deals = tickets.map((ticket) => dealRef(platform, ticket))
  // One that was posted as a deal of others is settled once two people have explained what follows from it.
  const reconciled = await rows<{ ticket: string; decision: DealDecision | null }>(connection)`
    select substr(d.fingerprint, ${dealRef(platform, '').length + 1}::int) as ticket,
        case when d.state = 'processing' then 'reversing' when d.proposal = 'reverse' then 'reversed'
          when d.kind = 'second-deal' then 'posted'
          when exists (select from differences s where s.fingerprint = 'second-' || d.fingerprint and s.state = 'explained')
            then 'reversed' end as decision
      from differences d where d.fingerprint = any (${deals}::text[]) and d.state in ('processing', 'settled')`
  const recovered = await recoveredDeals(connection, operation)
  const found = [...reconciled, ...recovered.filter((deal) => deal.platform === platform)]
  return new Map(
    decisions.flatMap((decision) =>
      found.flatMap((deal) => (deal.decision === decision ? [[deal.ticket, decision] as const] : [])),
    ),
  )
}
