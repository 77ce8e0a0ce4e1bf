/** Renders a yearly statement: the sums of its months, for a tax return (requirements 24.33). */
import { isolateDirection } from '../../pdf/scripts.ts'
import { drawTable, numberPages } from '../../pdf/tables.ts'
import { groupByFour } from '#rules/digit-groups.ts'
import { monthAfter } from '#rules/trading-days.ts'
import type { MissingMonth, YearMonth } from './queries.ts'
import { drawHead, margin, startDocument, labelsIn, type StatementHead } from './document-parts.ts'
import { figureText, monthText } from './statement-labels.ts'

interface YearStatement {
  readonly head: StatementHead
  readonly year: string
  readonly months: readonly YearMonth[]
  readonly missing: readonly MissingMonth[]
}

/** The column of each row of a month's sum; credit is not part of the balance. */
const columns = {
  deposits: ['deposits'],
  withdrawals: ['withdrawals'],
  transfers: ['transfers'],
  other: ['returned', 'other'],
  profit: ['profit'],
  swap: ['swap'],
  commission: ['commission'],
  fee: ['fee'],
} as const
export const yearColumns = [
  'openingBalance',
  ...(Object.keys(columns) as (keyof typeof columns)[]),
  'closingBalance',
] as const

/** Returns opening balance, the sums of each column and closing balance. */
export function amountsOf({ opening, closing, rows }: Pick<YearMonth, 'opening' | 'closing' | 'rows'>): bigint[] {
  const moved = Object.values(columns).map((names) => names.reduce((sum, name) => sum + BigInt(rows[name] ?? '0'), 0n))
  return [BigInt(opening.balance), ...moved, BigInt(closing.balance)]
}

/** Returns the balance before the first month, the sums of all months, and the balance after the last. */
export function yearTotals(months: readonly YearMonth[]): bigint[] {
  const all = months.map(amountsOf)
  const last = yearColumns.length - 1
  return yearColumns.map((_, at) => {
    if (at === 0) return all[0]?.[0] ?? 0n
    return at === last ? (all.at(-1)?.[last] ?? 0n) : all.reduce((sum, row) => sum + (row[at] ?? 0n), 0n)
  })
}

/** Returns the months without a statement; consecutive ones with the same reason share a row. */
function missingRows(missing: readonly MissingMonth[], { language }: StatementHead): string[][] {
  const labelText = labelsIn(language)
  const spans: { first: string; last: string; why: MissingMonth['why'] }[] = []
  for (const { month, why } of missing) {
    const before = spans.at(-1)
    const follows = before?.why === why && monthAfter(`${before.last}-01`) === `${month}-01`
    if (follows) before.last = month
    else spans.push({ first: month, last: month, why })
  }
  return spans.map(({ first, last, why }) => {
    const [from, to] = [monthText(first, language), monthText(last, language)]
    return [first === last ? from : labelText('monthRange', { first: from, last: to }), labelText(why)]
  })
}

export async function render({ head, year, months, missing }: YearStatement): Promise<Buffer> {
  const labelText = labelsIn(head.language)
  const title = `${labelText('yearTitle')} ${year}`
  const { page, printed } = await startDocument(head, title)
  drawHead(page, head, [[labelText('period'), year]])
  page.moveDown(1.4)
  const figures = (amounts: readonly bigint[]) => amounts.map((minor) => figureText(minor, head.language))
  drawTable(
    page,
    [
      { title: labelText('month'), width: 92 },
      ...yearColumns.map((name) => ({ title: labelText(name), width: 66, isFigure: true })),
    ],
    [
      ...months.map((one) => [monthText(one.month, head.language), ...figures(amountsOf(one))]),
      [labelText('total'), ...figures(yearTotals(months))],
    ],
    { strongLast: true },
  )
  page.moveDown(0.8).font('plain').fontSize(8).text(labelText('yearMonths'), margin).text(labelText('yearOther'))
  if (missing.length > 0) {
    page.moveDown(1.4)
    drawTable(
      page,
      [{ title: labelText('yearMissing'), width: 220 }, { title: labelText('reason') }],
      missingRows(missing, head),
    )
  }
  numberPages(page, `${isolateDirection(head.client)} · ${groupByFour(head.number)} · ${title}`, (at, of) =>
    labelText('page', { at, of }),
  )
  page.end()
  return printed
}
