/** Common types of the rows of the three lists. */
import type { ResponseOf } from '#contract/endpoint.ts'
import type {
  DepositRow,
  getTransferHistory,
  getTransferTimeline,
  HistoryList,
  TransferRow,
  WithdrawalRow,
} from '#contract/history.ts'
import { money, type Money } from '#rules/money.ts'

export type HistoryRecord =
  | { list: 'deposits'; row: DepositRow }
  | { list: 'withdrawals'; row: WithdrawalRow }
  | { list: 'transfers'; row: TransferRow }

/** Returns the rows of one list's page. */
export function recordsOf(list: HistoryList, answer: ResponseOf<typeof getTransferHistory>): HistoryRecord[] {
  if (list === 'deposits') return (answer.deposits ?? []).map((row) => ({ list, row }))
  if (list === 'withdrawals') return (answer.withdrawals ?? []).map((row) => ({ list, row }))
  return (answer.transfers ?? []).map((row) => ({ list, row }))
}

/** Returns the record of a timeline. */
export function recordOf({
  deposit,
  withdrawal,
  transfer,
}: ResponseOf<typeof getTransferTimeline>): HistoryRecord | null {
  if (deposit) return { list: 'deposits', row: deposit }
  if (withdrawal) return { list: 'withdrawals', row: withdrawal }
  return transfer ? { list: 'transfers', row: transfer } : null
}

/** Returns the amount of a bank transfer that arrived with another amount than requested, or null. */
export function otherAmountOf(record: HistoryRecord): Money | null {
  if (record.list !== 'deposits') return null
  const { depositAmountReceived, depositAmountSent, depositCurrency } = record.row
  return depositAmountReceived === null || depositAmountReceived === depositAmountSent
    ? null
    : money(depositAmountReceived, depositCurrency)
}

/** Returns the requested amount. */
export function amountOf(record: HistoryRecord): Money {
  if (record.list === 'deposits') return money(record.row.depositAmountSent, record.row.depositCurrency)
  if (record.list === 'withdrawals') return money(record.row.withdrawalAmount, record.row.withdrawalCurrency)
  return money(record.row.transferAmount, record.row.transferCurrency)
}
