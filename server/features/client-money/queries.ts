import { listFirmMoney } from '#contract/office/firm-money.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { getClientMoneyView } from '#contract/office/accounting.ts'
import type { BankLineState } from '#rules/deposits.ts'
import type { FirmMoneyState } from '#rules/firm-money.ts'
import type { Currency } from '#rules/money.ts'
import type { BankLineId, FirmMoneyId } from '#rules/ids.ts'
import { row, rows, sql, type Connection, type Transaction } from '../../db/sql.ts'
import { uuidOrNull } from '../../db/ids.ts'
import type { BookedLine } from '../../ledger/firm-money.ts'
import { listing, whereEquals, type Columns, byTimeOrAmount, amountBetween } from '../../office/listing.ts'
import { wordsPattern } from '../../office/lists.ts'

export interface FirmTransfer {
  readonly id: FirmMoneyId
  readonly version: number
  readonly reference: string
  readonly amountMinor: bigint
  readonly currency: Currency
  readonly reason: string
  readonly lineId: BankLineId | null
  readonly payer: string | null
  readonly state: FirmMoneyState
  readonly decisionReason: string | null
  readonly askedBy: string
  readonly askedByName: string
  readonly askedAt: Date
  readonly decidedBy: string | null
  readonly decidedAt: Date | null
}

export const firmTransferColumns: Columns<FirmTransfer> = sql`m.id, m.version, m.reference, m.amount_minor as "amountMinor", m.currency, m.reason,
  m.bank_line as "lineId", l.payer, m.state, m.decision_reason as "decisionReason", m.asked_by as "askedBy",
  s.name as "askedByName", m.asked_at as "askedAt", m.decided_by as "decidedBy", m.decided_at as "decidedAt"`
const tables = sql`firm_money_moves m join staff s on s.id = m.asked_by left join bank_lines l on l.id = m.bank_line`

/** Returns one firm money transfer, or null. */
export function firmTransferById(connection: Connection, id: FirmMoneyId): Promise<FirmTransfer | null> {
  return row<FirmTransfer>(
    connection,
  )`select ${firmTransferColumns} from ${tables} where m.id = ${uuidOrNull(id)}::uuid`
}

/** The listing of firm money transfers, newest first; searched by reference, reason or proposer. */
export const firmTransferListing = listing(listFirmMoney, {
  name: 'firm-money',
  tables,
  id: { by: 'm.id', type: 'uuid' },
  sorts: byTimeOrAmount('m.asked_at', 'm.amount_minor'),
  at: { by: 'm.asked_at', type: 'timestamptz' },
  standard: () => ({ sort: 'createdAt', direction: 'desc' }),
  where: ({ state, currency, ...amounts }) => [
    whereEquals('m.state', state),
    whereEquals('m.currency', currency),
    ...amountBetween('m.amount_minor', amounts),
  ],
  finds: (words) => sql`lower(m.reference || ' ' || m.reason || ' ' || s.name) like ${wordsPattern(words)}`,
})

export interface FirmMoneyLine extends BookedLine {
  readonly state: BankLineState
}

/** Returns a bank transaction that a firm money transfer may name, locked, or null. */
export function lockLine(tx: Transaction, id: BankLineId): Promise<FirmMoneyLine | null> {
  return row<FirmMoneyLine>(tx)`
    select id, bank_account as "bankAccount", amount_minor as "amountMinor", currency, state from bank_lines
      where id = ${uuidOrNull(id)}::uuid for update`
}

/** Returns the excess over the client money requirement that is not yet in transit, in minor units, from the ledger. */
export async function surplusIn(connection: Connection, currency: Currency): Promise<bigint> {
  const found = await row<{ surplus: bigint }>(connection)`
    select (coalesce(sum(l.balance_minor), 0) + (select coalesce(sum(amount_minor), 0) from firm_money_moves
        where state = 'processing' and amount_minor < 0 and currency = ${currency}))::bigint as surplus
      from ledger_accounts l left join trading_accounts a on a.id = l.trading_account
      where l.currency = ${currency} and (a.id is null or a.request_type = 'live') and l.kind in ('bank', 'provider',
        'client', 'arrived_unmatched', 'payout_in_transit', 'transfer_in_transit')`
  return found?.surplus ?? 0n
}

type Statement = ResponseOf<typeof getClientMoneyView>['currencies'][number]['statements'][number]

export interface LastClosing extends Statement {
  readonly currency: Currency
}

/** Returns the newest statement of each account that stated its closing balance. */
export function lastClosings(connection: Connection): Promise<LastClosing[]> {
  return rows<LastClosing>(connection)`
    select distinct on (bank_account) bank_account as account, currency, closing_on as on, closing_minor as closing,
        booked_minor as booked, imported_at as "readAt"
      from statement_imports where closing_minor is not null and booked_minor is not null
      order by bank_account, closing_on desc, id desc`
}
