import { listRecoveryItems } from '#contract/office/recovery.ts'
import { money, type Currency } from '#rules/money.ts'
import type { ReferenceLeg } from '#rules/references.ts'
import type { RecoveryAction, RecoveryItemKind, RecoveryItemState } from '#rules/recovery-items.ts'
import type { AccountId, ClientId, RecoveryItemId, StaffId } from '#rules/ids.ts'
import { row, rows, sql, type Connection, type Transaction } from '../../db/sql.ts'
import { uuidOrNull } from '../../db/ids.ts'
import { amountBetween, listing, whereEquals, type Columns } from '../../office/listing.ts'
import { wordsPattern } from '../../office/lists.ts'
import type { Platform } from '../../dependencies.ts'
import type { FoundDeal } from '../../recovery/adoption.ts'
import { generationOf } from '../../ledger/references.ts'

export interface RecoveryItem {
  readonly id: RecoveryItemId
  readonly version: number
  readonly kind: RecoveryItemKind
  readonly state: RecoveryItemState
  /**
   * `card`: a payment at the provider, with the checkout's id as its ticket. `bank`: the transaction of an adopted
   * wire.
   */
  readonly platform: Platform | 'card' | 'bank'
  readonly login: string
  readonly ticket: string
  /** The card provider's id of the payment, if known. */
  readonly paymentId: string | null
  readonly comment: string
  readonly amountMinor: bigint
  readonly currency: Currency
  readonly dealAt: Date
  readonly reference: string
  readonly leg: string
  readonly subject: string | null
  readonly record: string | null
  readonly accountId: AccountId | null
  readonly clientId: ClientId | null
  readonly clientEmail: string | null
  readonly action: RecoveryAction | null
  readonly proposal: {
    bankId?: string
    destinationId?: string
    depositType?: 'wire' | 'cc_gcen'
    lineId?: string
  } | null
  readonly reason: string | null
  readonly proposedBy: string | null
  readonly decidedBy: string | null
  readonly decidedAt: Date | null
  readonly foundAt: Date
}

export const itemColumns: Columns<RecoveryItem> = sql`i.id, i.version, i.kind, i.state, i.platform, i.login, i.ticket, i.payment_id as "paymentId", i.comment,
  i.amount_minor as "amountMinor", i.currency, i.deal_at as "dealAt", i.reference, i.leg, i.subject, i.record,
  i.account_id as "accountId", i.client_id as "clientId",
  (select c.email::text from clients c where c.id = i.client_id) as "clientEmail", i.action, i.proposal, i.reason, i.proposed_by as "proposedBy",
  i.decided_by as "decidedBy", i.decided_at as "decidedAt", i.found_at as "foundAt"`
const tables = sql`recovery_items i`

/** Returns one item, or null. */
export function itemById(connection: Connection, id: RecoveryItemId): Promise<RecoveryItem | null> {
  return row<RecoveryItem>(connection)`select ${itemColumns} from ${tables} where i.id = ${uuidOrNull(id)}::uuid`
}

/** Returns the same with its row locked until the transaction ends. */
export function lockItem(tx: Transaction, id: RecoveryItemId): Promise<RecoveryItem | null> {
  return row<RecoveryItem>(tx)`select ${itemColumns} from ${tables} where i.id = ${id} for update`
}

/** Returns the deals of other open items of the same request, which may be adopted with this one. */
export function relatedItems(tx: Transaction, item: Pick<RecoveryItem, 'id' | 'reference'>): Promise<RecoveryItem[]> {
  return rows<RecoveryItem>(tx)`
    select ${itemColumns} from ${tables} where i.reference = ${item.reference} and i.id <> ${item.id}
      and i.platform in ('MT4', 'MT5') and i.state in ('open', 'proposed') order by i.deal_at, i.id for update`
}

/** The listing of items, oldest deal first. */
export const itemListing = listing(listRecoveryItems, {
  name: 'recovery',
  tables,
  id: { by: 'i.id', type: 'uuid' },
  sorts: { foundAt: { by: 'i.found_at', type: 'timestamptz' } },
  at: { by: 'i.found_at', type: 'timestamptz' },
  standard: () => ({ sort: 'foundAt', direction: 'asc' }),
  where: ({ state, currency, ...amounts }) => [
    whereEquals('i.state', state),
    whereEquals('i.currency', currency),
    ...amountBetween('i.amount_minor', amounts),
  ],
  finds: (words) =>
    sql`lower(i.reference || ' ' || i.comment || ' ' || i.login || ' ' || i.ticket) like ${wordsPattern(words)}`,
})

export interface RecoveryStatement {
  readonly statement: 'access-compliance' | 'access-administrator' | 'bank-first' | 'bank-second'
  readonly staffId: StaffId
  readonly name: string
  readonly at: Date
}

/** Returns the statements of staff in this recovery. */
export function statementsOf(connection: Connection, recoveryId: string): Promise<RecoveryStatement[]> {
  return rows<RecoveryStatement>(connection)`
    select s.statement, s.staff_id as "staffId", p.name, s.at from recovery_statements s join staff p on p.id = s.staff_id
      where s.recovery = ${recoveryId}`
}

interface Counts {
  readonly openItems: number
  readonly unconfirmed: number
  readonly lastRunAt: Date | null
}

/** Returns the numbers of pending items in a recovery. */
export async function countsOf(connection: Connection, recoveryId: string): Promise<Counts> {
  const found = await row<Counts>(connection)`
    select (select count(*)::int from recovery_items where state <> 'settled') as "openItems",
      (select count(*)::int from recovery_confirmations c where c.recovery = ${recoveryId} and c.confirmed_at is null)
        as unconfirmed,
      (select max(at) from events where kind = 'recovery' and verb = 'recover' and record = ${recoveryId}) as "lastRunAt"`
  return found ?? { openItems: 0, unconfirmed: 0, lastRunAt: null }
}

/** Returns whether a finding is a deal at a platform. */
export function isDeal({ platform, kind }: Pick<RecoveryItem, 'platform' | 'kind'>): boolean {
  return platform !== 'card' && platform !== 'bank' && kind !== 'account-found'
}

/** Returns the deal of an item. */
export function dealOf(item: RecoveryItem): FoundDeal {
  if (item.platform === 'card' || item.platform === 'bank') throw new Error(`a ${item.kind} finding is not a deal`)
  return {
    platform: item.platform,
    login: item.login,
    ticket: item.ticket,
    amount: money(item.amountMinor, item.currency),
    comment: item.comment,
    at: item.dealAt,
    shown: item.reference,
    leg: item.leg === '' ? null : (item.leg as ReferenceLeg),
    generation: generationOf(item.comment),
  }
}
