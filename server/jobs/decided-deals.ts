/** What two people have decided on deals of an operation's request, in recovery or in reconciliation. */
import { rows, type Connection } from '../db/sql.ts'
import type { Platform } from '../dependencies.ts'
import { dealRef } from '../ledger/platform-deals.ts'
import type { Operation } from './operation.ts'

/**
 * `reversed`: also on the platform, or compensated in another way. `reversing`: the platform has not executed the
 * reversal yet. `posted`: on its own, so that an operation can still be settled with it.
 */
export type DealDecision = 'reversed' | 'reversing' | 'posted'

export interface RecoveredDeal {
  readonly comment: string
  readonly ticket: string
  readonly isOpen: boolean
  /** Null while it is open, and if the deal belongs to its operation. */
  readonly decision: DealDecision | null
}

/** Returns the deals of an operation's request that recovery found. */
export function recoveredDeals(
  connection: Connection,
  { shown }: Pick<Operation, 'shown'>,
  platform: Platform,
): Promise<RecoveredDeal[]> {
  return rows<RecoveredDeal>(connection)`
    select comment, ticket, state <> 'settled' as "isOpen",
        case when decided_by is null then null
          when action <> 'reverse' then case kind when 'mismatch' then 'posted' end
          when exists (select from operations o where o.subject = 'recovery_item' and o.record = i.id and o.state = 'done')
            then 'reversed'
          else 'reversing' end as decision
      from recovery_items i where reference = ${shown} and platform = ${platform}`
}

/** Returns the decisions on deals of an operation's request, by ticket; undecided deals are left out. */
export async function decidedDeals(
  connection: Connection,
  operation: Pick<Operation, 'shown'>,
  platform: Platform,
  tickets: readonly string[],
): Promise<ReadonlyMap<string, DealDecision>> {
  const deals = tickets.map((ticket) => dealRef(platform, ticket))
  // One that was posted as a deal of others is settled once two people have explained what follows from it.
  const reconciled = await rows<{ ticket: string; decision: DealDecision | null }>(connection)`
    select substr(d.fingerprint, ${dealRef(platform, '').length + 1}::int) as ticket,
        case when d.proposal = 'reverse' then 'reversed' when d.kind = 'second-deal' then 'posted'
          when exists (select from differences s where s.fingerprint = 'second-' || d.fingerprint and s.state = 'explained')
            then 'reversed' end as decision
      from differences d where d.fingerprint = any (${deals}::text[]) and d.state = 'settled'`
  const recovered = await recoveredDeals(connection, operation, platform)
  const decisions = [...reconciled.filter(({ decision }) => decision === 'posted'), ...recovered, ...reconciled]
  return new Map(decisions.flatMap(({ ticket, decision }) => (decision === null ? [] : [[ticket, decision] as const])))
}
