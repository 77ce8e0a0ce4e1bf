/**
 * The deals that a platform has of an operation's request, and what two people have decided on them, in recovery or in
 * reconciliation (ADR 338).
 */
import { hourMs } from '#rules/dates.ts'
import type { BalanceLeg } from '#rules/references.ts'
import { requireRow, rows, type Connection } from '../db/sql.ts'
import type { Dependencies, Platform } from '../dependencies.ts'
import type { BalanceOperation } from '../integrations/trading-platform/trading-server.ts'
import { dealRef, judgeDeals } from '../ledger/platform-deals.ts'
import { verifiedReference } from '../ledger/references.ts'
import type { Operation } from './operation.ts'

/** A balance operation of a request, and its account. */
type BalanceRequest = Pick<Operation<{ readonly platform: Platform; readonly login: string }>, 'shown' | 'payload'>

/**
 * From the weakest to the strongest. `posted`: on its own, so that an operation can still be settled with it.
 * `reversing`: the platform has not executed the reversal yet. `reversed`: also on the platform, or compensated in
 * another way, or posted for another account.
 */
const decisions = ['posted', 'reversing', 'reversed'] as const
type DealDecision = (typeof decisions)[number]

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
async function decidedDeals(
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

/** The operations of one leg of a request. */
interface RequestedLeg {
  readonly shown: string | null
  readonly payload: { readonly platform: Platform; readonly login: string; readonly leg: BalanceLeg }
  /** When the request or its operation was written. */
  readonly createdAt: Date
}

export interface LegDeals {
  /** All balance operations of the account since the request. */
  readonly deals: readonly BalanceOperation[]
  /** Those of the leg, whatever became of their operations. */
  readonly attempts: readonly (BalanceOperation & { readonly decision: DealDecision | undefined })[]
  /** Another deal may be one of the leg: its reference cannot be read. */
  readonly isUnclear: boolean
}

/** Queries the platform for the deals of a leg: it may have executed what it rejected. */
export async function dealsOfLeg(dependencies: Dependencies, of: RequestedLeg): Promise<LegDeals> {
  const { jobs, keys, platforms } = dependencies
  const { shown, payload, createdAt } = of
  const first = await requireRow<{ at: Date }>(jobs)`
    select least(min(created_at), (select min(deal_at) from recovery_items where reference = ${shown}),
        ${createdAt}::timestamptz) as at
      from operations where shown = ${shown} and kind = 'balance'`
  const from = new Date(first.at.getTime() - hourMs)
  const until = new Date(dependencies.now().getTime() + hourMs)
  const deals = await platforms[payload.platform].balanceOperations(payload.login, from, until)
  const found = deals.filter(({ comment }) => {
    const verified = comment === null ? null : verifiedReference(keys.reference.bytes, comment)
    return shown !== null && verified?.shown === shown && verified.leg === payload.leg
  })
  const tickets = found.map(({ ticket }) => ticket)
  const decided = await decidedDeals(jobs, of, tickets)
  const judged = await judgeDeals(jobs, keys, payload.platform, deals)
  return {
    deals,
    attempts: found.map((deal) => ({ ...deal, decision: decided.get(deal.ticket) })),
    isUnclear: judged.some(({ status }) => status === 'unclear'),
  }
}
