/** A list of the back office as a CSV file. Cells with user input are escaped against formulas (requirements 30.3). */
import { stringify } from 'csv-stringify/sync'
import type { Dependencies } from '../dependencies.ts'
import { pageOf, piecesOf, type Exported, type ListQuery } from '../office/listing.ts'

/**
 * Returns the filters of a file as its event stores them: of words only that there was a search, because they may be a
 * person's name or address, and no erasure reaches the events of staff.
 */
export function filterForEvent({ q, ...filter }: Readonly<Record<string, unknown>>) {
  return q === undefined || q === '' ? filter : { ...filter, searched: true }
}

/**
 * Returns the first line of a file, after a byte order mark, without which Excel breaks the umlauts of names (ADR 327).
 */
function headingLine(heading: readonly string[]): Buffer {
  return Buffer.from(stringify([[...heading]], { bom: true }))
}

export interface CsvFile {
  readonly rows: number
  readonly bytes: Buffer
}

/** Returns the file: a heading, then a line for each row. */
export async function csvOf<Row extends object, Query extends ListQuery>(
  dependencies: Dependencies,
  exported: Exported<Query>,
  heading: readonly string[],
  lineOf: (row: Row) => readonly string[],
): Promise<CsvFile> {
  const pieces = await piecesOf(dependencies, exported, (rows: readonly Row[]) => ({
    rows: rows.length,
    bytes: Buffer.from(stringify(rows.map((one) => [...lineOf(one)]))),
  }))
  return {
    rows: pieces.reduce((sum, { rows }) => sum + rows, 0),
    bytes: Buffer.concat([headingLine(heading), ...pieces.map(({ bytes }) => bytes)]),
  }
}

const rowsAtOnce = 1_000

/**
 * Yields the rows of a query as CSV files of `most` rows each, all with the same heading. A file is created on demand
 * and starts after the last row of the previous one.
 */
export async function* csvFilesOf<Row extends object, Query extends ListQuery>(
  dependencies: Dependencies,
  { list, columns, query, most }: Exported<Query>,
  heading: readonly string[],
  lineOf: (row: Row) => readonly string[],
): AsyncGenerator<Buffer> {
  let cursor: string | undefined
  do {
    const pieces = [headingLine(heading)]
    let left = most
    do {
      const asked = { ...query, cursor, size: Math.min(rowsAtOnce, left) }
      const page = await pageOf<Row, Query>(dependencies, list, columns, asked)
      pieces.push(Buffer.from(stringify(page.rows.map((one) => [...lineOf(one)]))))
      left -= page.rows.length
      cursor = page.next ?? undefined
    } while (cursor !== undefined && left > 0)
    yield Buffer.concat(pieces)
  } while (cursor !== undefined)
}
