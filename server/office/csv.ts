/** A list of the back office as a CSV file. Cells that a person may have typed come disarmed (attack E3). */
import { stringify } from 'csv-stringify/sync'
import type { Parts } from '../parts.ts'
import { piecesOf, type Exported, type ListQuery } from './listing.ts'

export interface CsvFile {
  readonly rows: number
  readonly bytes: Buffer
}

/** The file, its heading first, a line for each row. */
export async function csvOf<Row extends object, Query extends ListQuery>(
  parts: Parts,
  exported: Exported<Query>,
  heading: readonly string[],
  lineOf: (row: Row) => readonly string[],
): Promise<CsvFile> {
  const pieces = await piecesOf(parts, exported, (rows: readonly Row[]) => ({
    rows: rows.length,
    bytes: Buffer.from(stringify(rows.map((one) => [...lineOf(one)]))),
  }))
  return {
    rows: pieces.reduce((sum, { rows }) => sum + rows, 0),
    bytes: Buffer.concat([Buffer.from(stringify([[...heading]])), ...pieces.map(({ bytes }) => bytes)]),
  }
}
