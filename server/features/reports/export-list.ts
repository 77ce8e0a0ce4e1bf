/**
 * Exports any list of the back office as CSV, for everyone who may read it; formulas are escaped (requirements 30.3).
 */
import type { exportList as endpoint } from '#contract/office/list-export.ts'
import type { Language } from '#rules/choices.ts'
import { decimalOf } from '#rules/money.ts'
import { recordEvent } from '../../db/events.ts'
import { filterForEvent } from '../../export/csv.ts'
import { transaction } from '../../db/sql.ts'
import { BinaryResponse, type RequestContext, type Handler } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { authorize } from '../../http/register-endpoint.ts'
import { methodNames } from '../../settings/method-names.ts'
import { commentText, safeCell } from '../../i18n/format.ts'
import { labelsOf } from './export-labels.ts'
import { lists } from './exported-lists.ts'

/** Maximum rows of a file. */
export const rowsMax = 50_000

/** Exports a list under its filters, in its order. Throws `export-too-long` rather than omit rows silently. */
export const exportList: Handler<typeof endpoint> = async (dependencies, context) => {
  const { list } = context.params
  const { access, columns, file } = lists[list]
  authorize(access, context.caller)
  const shown = Object.keys(columns).map((name) => ({ name, words: labelsOf(list, name) }))
  const methodName = await methodNames(dependencies, context.language)
  const lineOf = (row: Readonly<Record<string, unknown>>) =>
    shown.flatMap(({ name, words }) => {
      const cell = cellOf(name, row[name], context.language, methodName)
      return words ? [cell, words(cell, context.language, row)] : [cell]
    })
  const asked = { query: context.query, most: rowsMax + 1 }
  const { rows, bytes } = await file(dependencies, context as RequestContext, asked, {
    heading: shown.flatMap(headingsOf),
    lineOf,
  })
  if (rows > rowsMax) throw new Problem('export-too-long', { values: { most: rowsMax } })
  await transaction(dependencies.pool, (tx) =>
    recordEvent(tx, context.auditContext, {
      kind: 'list',
      action: 'export',
      details: { list, rows, filter: filterForEvent(context.query) },
    }),
  )
  return new BinaryResponse(bytes, `${list}-${context.now.toISOString().slice(0, 10)}.csv`)
}

/** Returns the headings; each column of codes is followed by one of labels. */
function headingsOf({ name, words }: { name: string; words: unknown }): string[] {
  const heading = name.replace(/_minor$/, '')
  return words ? [heading, `${heading}_text`] : [heading]
}

/** Returns a cell. Amounts are our own numbers; all else is text that people or integrations may have written. */
function cellOf(name: string, value: unknown, language: Language, methodName: (kept: string) => string): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'bigint') return name.endsWith('_minor') ? decimalOf(value) : String(value)
  if (value instanceof Date) return value.toISOString()
  const text = String(value as string | number | boolean)
  if (name === 'method') return safeCell(methodName(text))
  return safeCell(name === 'comment' || name === 'reason' ? commentText(text, language) : text)
}
