/** The three lists of the history as SQL: the columns of a row, the sorts, and the accounts that a request names. */
import type { HistoryList } from '#contract/history.ts'
import { depositMachine, depositStatusForClient } from '#rules/deposits.ts'
import { transferMachine, transferStatusForClient } from '#rules/transfers.ts'
import { withdrawalMachine, withdrawalStatusForClient } from '#rules/withdrawals.ts'
import { raw, sql, type Sql } from '../../db/sql.ts'
import { chargedBackOf, refundedOf } from '../../ledger/returned-amounts.ts'
import { hasArrived } from '../deposits/queries.ts'

interface SortColumn {
  readonly expression: string
  readonly type: 'timestamptz' | 'bigint' | 'text'
}

export interface ListTable {
  readonly columns: Sql
  /** The requests' table with its alias. */
  readonly requests: Sql
  readonly alias: string
  /** The columns that refer to a trading account. */
  readonly accounts: readonly string[]
  /** The states that a client sees as a status; none if the list has no such status. */
  readonly statesOf: (status: string) => readonly string[]
  readonly sorts: Readonly<Record<string, SortColumn>>
}

const timeColumn = (column: string): SortColumn => ({ expression: column, type: 'timestamptz' })
/** Returns a sort column in which a missing time sorts before all others. */
const optionalTimeColumn = (column: string): SortColumn => ({
  expression: `coalesce(${column}, '-infinity')`,
  type: 'timestamptz',
})
const textColumn = (column: string): SortColumn => ({ expression: column, type: 'text' })
const minorColumn = (column: string): SortColumn => ({ expression: column, type: 'bigint' })

/** The sorts that all three lists have. */
const sortsOf = (alias: string) => ({
  timestamp: timeColumn(`${alias}.requested_at`),
  status: textColumn(`${alias}.state`),
  timeApproved: optionalTimeColumn(`${alias}.approved_at`),
  timeRejected: optionalTimeColumn(`${alias}.rejected_at`),
})

/**
 * Returns the CTE with the logins of a client's accounts by id, read once for a statement. With a join, PostgreSQL
 * looks up the account of every row again, or reads all of the client's requests to join them together.
 */
export const withLogins = (clientId: Sql) => sql`with accounts as materialized
  (select jsonb_object_agg(id, login) as logins from trading_accounts where client_id = ${clientId})`
const loginOf = (column: string) => `((select logins from accounts) ->> ${column}::text)`

/** To the client, a withdrawal in second approval is pending (requirements 9.6). */
const withdrawalStatus = `case w.state when 'second_approval' then 'pending' else w.state end`

export const listTables: Readonly<Record<HistoryList, ListTable>> = {
  deposits: {
    requests: sql`deposits d`,
    alias: 'd',
    columns: sql`d.id, d.reference, d.comment, d.requested_at as "timestamp", d.approved_at as "timeApproved",
      d.rejected_at as "timeRejected", ${raw(loginOf('d.account_id'))} as "accountNumber",
      d.type as "depositType", d.method as "depositMethod", d.amount_minor::text as "depositAmountSent",
      d.received_minor::text as "depositAmountReceived", d.fee_minor::text as "depositFee",
      ${raw(refundedOf)}::text as "depositRefunded", ${raw(chargedBackOf)}::text as "depositChargedBack",
      d.currency as "depositCurrency", d.state as status,
      d.state = 'pending' and not exists (select from bank_lines l where ${hasArrived}) as cancellable`,
    accounts: ['d.account_id'],
    statesOf: (status) => depositMachine.states.filter((state) => depositStatusForClient(state) === status),
    sorts: {
      ...sortsOf('d'),
      accountNumber: textColumn(loginOf('d.account_id')),
      depositType: textColumn('d.type'),
      depositAmountSent: minorColumn('d.amount_minor'),
    },
  },
  withdrawals: {
    requests: sql`withdrawals w`,
    alias: 'w',
    columns: sql`w.id, w.reference, w.comment, w.requested_at as "timestamp", w.approved_at as "timeApproved",
      w.rejected_at as "timeRejected", ${raw(loginOf('w.account_id'))} as "accountNumber",
      w.type as "withdrawalType", w.method as "withdrawalMethod", w.amount_minor::text as "withdrawalAmount",
      w.fee_minor::text as "withdrawalFee", w.currency as "withdrawalCurrency", w.bank ->> 'bankName' as "bankName",
      right(coalesce(w.bank ->> 'iban', w.bank ->> 'accountNumber', ''), 4) as "bankEnding",
      ${raw(withdrawalStatus)} as status, w.paid_at as "timePaid", w.returned_at as "timeReturned",
      ${raw(withdrawalStatus)} = 'pending' as cancellable`,
    accounts: ['w.account_id'],
    statesOf: (status) => withdrawalMachine.states.filter((state) => withdrawalStatusForClient(state) === status),
    sorts: {
      ...sortsOf('w'),
      status: textColumn(withdrawalStatus),
      accountNumber: textColumn(loginOf('w.account_id')),
      withdrawalType: textColumn('w.type'),
      withdrawalAmount: minorColumn('w.amount_minor'),
    },
  },
  transfers: {
    requests: sql`transfers t`,
    alias: 't',
    columns: sql`t.id, t.reference, t.comment, t.requested_at as "timestamp", t.approved_at as "timeApproved",
      t.rejected_at as "timeRejected", ${raw(loginOf('t.source_account'))} as "sourceAccount",
      ${raw(loginOf('t.destination_account'))} as "destinationAccount", t.amount_minor::text as "transferAmount",
      t.currency as "transferCurrency", t.rate,
      t.arrives_minor::text as arrives, t.arrives_currency as "arrivesCurrency", t.state as status,
      t.state = 'pending' as cancellable`,
    accounts: ['t.source_account', 't.destination_account'],
    statesOf: (status) => transferMachine.states.filter((state) => transferStatusForClient(state) === status),
    sorts: {
      ...sortsOf('t'),
      sourceAccount: textColumn(loginOf('t.source_account')),
      destinationAccount: textColumn(loginOf('t.destination_account')),
      transferAmount: minorColumn('t.amount_minor'),
    },
  },
}
