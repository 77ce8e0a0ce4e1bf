/** The statements of an account: their list, and their files for clients and staff. */
import { stringify } from 'csv-stringify/sync'
import type * as contract from '#contract/statements.ts'
import { decimalOf } from '#rules/money.ts'
import { lotsText, monthAfter, tradingDay } from '#rules/trading-days.ts'
import type { Language } from '#rules/choices.ts'
import type { Dependencies } from '../../dependencies.ts'
import { BinaryResponse, type Handler } from '../../http/handler.ts'
import { Problem, requireFound } from '../../http/problem.ts'
import { safeCell } from '../../i18n/format.ts'
import { renderPdf } from '../../pdf/render-pdf.ts'
import { clockOffset } from '../../jobs/platform-days.ts'
import { requesterById } from '../clients/queries.ts'
import { bytesOf, fileById } from '../files/queries.ts'
import { historyOf, isIncomplete, accountForCaller, sumsOf } from '../trading-history/queries.ts'
import type { StatementFacts } from './month-facts.ts'
import { missingMonths, monthsOf, statementOf, accountTypeOf, monthsOfYear, type ListedMonth } from './queries.ts'
import { clockText, labelsIn } from './document-parts.ts'
import { rowText } from './render-month.ts'
import { amountsOf, yearColumns, yearTotals, type render as renderYear } from './render-year.ts'
import { lastDayBefore, platformTime } from './statement-labels.ts'

const yearRenderer = new URL('./render-year.ts', import.meta.url)

export const getStatements: Handler<typeof contract.getStatements> = async (dependencies, context) => {
  const { pool } = dependencies
  const account = await accountForCaller(dependencies, context)
  const months = await monthsOf(pool, account.id, context.now)
  const drawn = months.filter(({ editions }) => editions.length > 0)
  return {
    currency: account.currency,
    running: account.requestType === 'live' ? await runningMonth(dependencies, account, context.now) : null,
    statements: months.map(({ month, dueAt, closingBalance, editions, ...rest }) => ({
      month,
      state: stateOf({ editions, ...rest }),
      dueAt,
      closingBalance,
      editions: editions.map(({ edition, drawnAt }) => ({ edition, drawnAt: new Date(drawnAt) })),
    })),
    years: [...new Set(drawn.map(({ month }) => month.slice(0, 4)))],
  }
}

function stateOf({ editions, isDue, problem }: Pick<ListedMonth, 'editions' | 'isDue' | 'problem'>) {
  if (editions.length > 0) return problem === null ? 'drawn' : 'correcting'
  return isDue ? 'checking' : 'due'
}

/** Returns the current month by the platform's clock, with the balance of its deals. */
async function runningMonth(
  dependencies: Dependencies,
  { id, platform }: Pick<Awaited<ReturnType<typeof accountForCaller>>, 'id' | 'platform'>,
  now: Date,
) {
  const { pool } = dependencies
  const { state, readAt } = await historyOf(dependencies, platform, id)
  if (state !== 'kept' || readAt === null || (await isIncomplete(pool, id))) return null
  const minutes = (await clockOffset(pool, platform)) ?? 0
  const until = tradingDay(readAt.getTime() + minutes * 60_000)
  const today = tradingDay(now.getTime() + minutes * 60_000)
  if (until.slice(0, 7) !== today.slice(0, 7)) return null
  return { month: until.slice(0, 7), until, balance: (await sumsOf(pool, id)).balance }
}

export const statementPdf: Handler<typeof contract.statementPdf> = async (dependencies, context) => {
  const { id, login } = await accountForCaller(dependencies, context)
  const { month, edition } = context.params
  const kept = await statementOf(dependencies.pool, id, { month, edition })
  const file = requireFound(kept?.file ? await fileById(dependencies.pool, kept.file) : null)
  return new BinaryResponse(await bytesOf(dependencies, file), `statement-${login}-${month}-${edition}.pdf`)
}

export const statementCsv: Handler<typeof contract.statementCsv> = async (dependencies, context) => {
  const { id, login, currency } = await accountForCaller(dependencies, context)
  const { month, edition } = context.params
  const kept = requireFound(await statementOf(dependencies.pool, id, { month, edition }))
  const table = monthTable(kept.facts, `${month}-01`, currency, context.language)
  return new BinaryResponse(csvOf(table), `statement-${login}-${month}-${edition}.csv`)
}

function csvOf(table: readonly (readonly string[])[]): string {
  return stringify(
    table.map((cells) => cells.map(safeCell)),
    { bom: true },
  )
}

const money = (minor: string | null) => (minor === null ? '' : decimalOf(BigInt(minor)))

/** Returns opening balance, movements in chronological order and closing balance. */
function monthTable(facts: StatementFacts, month: string, currency: string, language: Language): string[][] {
  const labelText = labelsIn(language)
  const zone = clockText(facts, language)
  const timed: readonly string[] = ['date', 'opened']
  const heading = [
    ...([
      'date',
      'type',
      'reference',
      'ticket',
      'opened',
      'symbol',
      'side',
      'lots',
      'openPrice',
      'closePrice',
    ] as const),
    ...(['profit', 'swap', 'commission', 'fee', 'amount', 'balance', 'equity', 'currency'] as const),
  ].map((label) => (timed.includes(label) ? `${labelText(label)} (${zone})` : labelText(label)))
  const end = (label: 'opening' | 'closing', day: string) => {
    const { balance, credit, floating, day: known = day } = facts[label]
    const equity = decimalOf(BigInt(balance) + BigInt(credit) + BigInt(floating))
    return [
      known.replaceAll('-', '/'),
      labelText(label),
      ...Array<string>(13).fill(''),
      money(balance),
      equity,
      currency,
    ]
  }
  const trades = facts.trades.map((one) => ({
    ms: Number(one.closedMs),
    cells: [
      platformTime(one.closedMs),
      labelText('trade'),
      '',
      one.ticket,
      one.openedMs === null ? '' : platformTime(one.openedMs),
      one.symbol,
      labelText(one.side),
      lotsText(BigInt(one.volume)),
      one.openPrice,
      one.closePrice,
      ...[one.profit, one.swap, one.commission, one.fee].map(money),
      decimalOf(BigInt(one.profit) + BigInt(one.swap) + BigInt(one.commission) + BigInt(one.fee)),
      '',
      '',
      currency,
    ],
  }))
  const movements = facts.movements.map((one) => ({
    ms: Number(one.ms),
    cells: [
      platformTime(one.ms),
      rowText(one.row, language),
      one.reference ?? '',
      one.ticket,
      ...Array<string>(10).fill(''),
      money(one.amount),
      '',
      '',
      currency,
    ],
  }))
  const moved = [...trades, ...movements].toSorted((a, b) => a.ms - b.ms)
  return [
    heading,
    end('opening', month),
    ...moved.map(({ cells }) => cells),
    end('closing', lastDayBefore(monthAfter(month))),
  ]
}

export const yearCsv: Handler<typeof contract.yearCsv> = async (dependencies, context) => {
  const account = await accountForCaller(dependencies, context)
  const { login, currency } = account
  const { year } = context.params
  const { months, missing } = await yearFacts(dependencies, account, year, context.now)
  const labelText = labelsIn(context.language)
  const heading = (['month', 'edition', ...yearColumns, 'currency', 'remark'] as const).map((name) => labelText(name))
  const noAmounts = yearColumns.map(() => '')
  const cells = [
    ...months.map((one) => [one.month, String(one.edition), ...amountsOf(one).map(decimalOf), currency, '']),
    ...missing.map(({ month, why }) => [month, '', ...noAmounts, currency, labelText(why)]),
  ].toSorted(([one = ''], [other = '']) => one.localeCompare(other))
  const total = [labelText('total'), '', ...yearTotals(months).map(decimalOf), currency, '']
  return new BinaryResponse(csvOf([heading, ...cells, total]), `statement-${login}-${year}.csv`)
}

/** Returns the months of a year with a statement, and those without one. */
async function yearFacts(
  { pool }: Dependencies,
  { id, platform }: Pick<Awaited<ReturnType<typeof accountForCaller>>, 'id' | 'platform'>,
  year: string,
  now: Date,
) {
  const months = await monthsOfYear(pool, id, year)
  if (months.length === 0) throw new Problem('not-found')
  const minutes = (await clockOffset(pool, platform)) ?? 0
  return { months, missing: await missingMonths(pool, id, year, { now, minutes }) }
}

export const yearPdf: Handler<typeof contract.yearPdf> = async (dependencies, context) => {
  const account = await accountForCaller(dependencies, context)
  const { id, login: number, currency, platform, clientId } = account
  const { year } = context.params
  const { months, missing } = await yearFacts(dependencies, account, year, context.now)
  const { legalName: firm, timeZone } = await dependencies.settings.get('firm')
  const client = await requesterById(dependencies.pool, clientId)
  const accountType = (await accountTypeOf(dependencies.pool, id))?.type ?? ''
  const name = `${client.name} ${client.surname}`
  const { language, now: createdAt } = context
  const head = { firm, client: name, platform, number, accountType, currency, language, createdAt, timeZone }
  const bytes = await renderPdf<typeof renderYear>(yearRenderer, { head, year, months, missing })
  return new BinaryResponse(bytes, `statement-${number}-${year}.pdf`)
}
