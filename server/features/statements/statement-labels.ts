/** Labels, amounts and times of account statements, as PDF and CSV. */
import { msg, type Labels } from '#contract/message.ts'
import type { SumRow } from '#contract/trading-history.ts'
import { languageRows, type Language } from '#rules/choices.ts'
import { tradingDay } from '#rules/trading-days.ts'

export const statementLabels = {
  title: msg`Account statement`,
  yearTitle: msg`Yearly account statement`,
  account: msg`Account`,
  client: msg`Client`,
  period: msg`Period`,
  days: msg`Trading days from {from} to {to} in the platform’s server time ({zone})`,
  clocks: msg`{before} until {day}, then {zone}`,
  edition: msg`Edition`,
  corrected: msg`{edition}. It includes transactions posted after the previous edition was created. Earlier editions stay available.`,
  created: msg`Created`,
  summary: msg`Summary`,
  balances: msg`Balances`,
  opening: msg`Opening`,
  closing: msg`Closing`,
  balance: msg`Balance`,
  credit: msg`Credit`,
  floating: msg`Unrealised P&L`,
  floatingChange: msg`Change in unrealised P&L`,
  equity: msg`Equity`,
  openingEquity: msg`Opening equity`,
  closingEquity: msg`Closing equity`,
  trades: msg`Closed trades`,
  positions: msg`Open positions at the end of the month`,
  movements: msg`Money movements and charges`,
  ticket: msg`Ticket`,
  opened: msg`Opened`,
  closed: msg`Closed`,
  symbol: msg`Symbol`,
  side: msg`Side`,
  buy: msg`Buy`,
  sell: msg`Sell`,
  lots: msg`Lots`,
  openPrice: msg`Open price`,
  closePrice: msg`Close price`,
  price: msg`Price`,
  profit: msg`Profit`,
  swap: msg`Swap`,
  commission: msg`Commission`,
  fee: msg`Fee`,
  result: msg`Result`,
  total: msg`Total`,
  date: msg`Date`,
  type: msg`Type`,
  trade: msg`Closed trade`,
  reference: msg`Reference`,
  amount: msg`Amount`,
  currency: msg`Currency`,
  month: msg`Month`,
  deposits: msg`Deposits`,
  withdrawals: msg`Withdrawals`,
  transfers: msg`Transfers`,
  other: msg`Other`,
  openingBalance: msg`Opening balance`,
  closingBalance: msg`Closing balance`,
  none: msg`No entries in this period.`,
  costs: msg`Commission and fees for opening a position are shown with the trade that closes it. The summary counts them on the day they were charged.`,
  positionsRead: msg`Prices and results of the open positions were read at {time}. The unrealised P&L in the summary is as of the end of the month.`,
  positionsReadAt: msg`Prices and results of the open positions were read at {time}.`,
  positionsReported: msg`Prices and results of the open positions are from the platform’s daily report of {day}.`,
  closingMargin: msg`Margin used at closing: {amount}`,
  openingDay: msg`Opening unrealised P&L and equity are as of the end of {day}. They are not available for the day before the month begins.`,
  closingDay: msg`Closing unrealised P&L and equity are as of the end of {day}. They are not available for the last day of the month.`,
  positionsUnread: msg`Prices and results of the open positions at the end of the month are not available.`,
  tradesCut: msg`Only the first {count} trades are shown. The CSV file contains all {all}.`,
  yearMonths: msg`Months with a statement, each by its latest edition. Months without one are not included.`,
  yearMissing: msg`Months without a statement`,
  remark: msg`Remark`,
  reason: msg`Reason`,
  beforeOpening: msg`The account had not been opened.`,
  notEnded: msg`The month has not ended.`,
  notCreated: msg`The statement has not been created yet.`,
  inReview: msg`The statement is being checked.`,
  accountGone: msg`The account no longer exists on the platform.`,
  endsUnknown: msg`The figures at the start or end of the month are not available.`,
  monthRange: msg`{first} to {last}`,
  yearOther: msg`Other: returned and refunded payments and other transactions. Credit and bonus are not part of the balance.`,
  page: msg`Page {at} of {of}`,
} as const satisfies Labels

/** The rows of an account's sum. */
export const rowLabels: Readonly<Record<Exclude<SumRow, 'floating'>, (typeof statementLabels)['total']>> = {
  deposits: msg`Deposits`,
  withdrawals: msg`Withdrawals`,
  transfers: msg`Transfers`,
  returned: msg`Returned and refunded payments`,
  credit: msg`Credit and bonus`,
  other: msg`Other transactions`,
  profit: msg`Profit and loss of closed trades`,
  swap: msg`Swap`,
  commission: msg`Commission`,
  fee: msg`Fees`,
}

/** Returns "12,480.50" for minor units; the head names the currency once. */
export function figureText(minor: bigint, language: Language): string {
  const [whole, digits] = [minor < 0n ? -minor : minor, 2]
  const text = new Intl.NumberFormat(languageRows[language].locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(`${whole / 100n}.${String(whole % 100n).padStart(2, '0')}` as `${number}`)
  return minor < 0n ? `−${text}` : text
}

/** Returns "2026/08/12 22:30:00" by the platform's own clock. */
export function platformTime(ms: string | null): string {
  return ms === null ? '–' : new Date(Number(ms)).toISOString().slice(0, 19).replaceAll('-', '/').replace('T', ' ')
}

/** Returns "August 2026" for "2026-08" or for a month's first day. */
export function monthText(month: string, language: Language): string {
  const names = new Intl.DateTimeFormat(languageRows[language].locale, {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
  return names.format(new Date(`${month.slice(0, 7)}-01`))
}

/** Returns the last day before the given first day. */
export function lastDayBefore(beyond: string): string {
  return tradingDay(Date.parse(beyond) - 86_400_000)
}
