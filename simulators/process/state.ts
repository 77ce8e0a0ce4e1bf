/**
 * A simulator's state: tables of rows, stored as a journal with one JSON line per change. A line is written before the
 * change is visible, so that a response never precedes the data that it depends on, and a process killed in the middle
 * leaves at most one incomplete last line, which the next start ignores.
 */
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

export interface State<Tables extends object> {
  rows<Name extends keyof Tables & string>(table: Name): ReadonlyMap<string, Tables[Name]>
  /** Writes all rows as one change: all of them or, after a kill, none. `null` removes a row. */
  commit(changes: { [Name in keyof Tables]?: Record<string, Tables[Name] | null> }): void
}

/** Returns the state of `path`, or one only in memory if no path is given. */
export function openState<Tables extends object>(path: string | undefined): State<Tables> {
  const tables = new Map<string, Map<string, unknown>>()
  if (path !== undefined && existsSync(path)) {
    for (const line of readFileSync(path, 'utf8').split('\n')) applyChanges(tables, parsed(line))
  }
  const journal = path === undefined ? null : rewriteJournal(path, tables)
  return {
    rows: <Name extends keyof Tables & string>(table: Name) => tableOf<Tables[Name]>(tables, table),
    commit(changes) {
      if (journal !== null) writeSync(journal, `${JSON.stringify(changes)}\n`)
      applyChanges(tables, changes)
    },
  }
}

/** Rewrites the journal with one line per row, so that it does not grow over restarts; returns its descriptor. */
function rewriteJournal(path: string, tables: Map<string, Map<string, unknown>>): number {
  mkdirSync(dirname(path), { recursive: true })
  const fresh = `${path}.new`
  const descriptor = openSync(fresh, 'w', 0o600)
  for (const [name, rows] of tables) {
    for (const [key, row] of rows) writeSync(descriptor, `${JSON.stringify({ [name]: { [key]: row } })}\n`)
  }
  closeSync(descriptor)
  renameSync(fresh, path)
  return openSync(path, 'a', 0o600)
}

function parsed(line: string): object {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

function applyChanges(tables: Map<string, Map<string, unknown>>, changes: object): void {
  for (const [name, rows] of Object.entries(changes)) {
    const table = tableOf(tables, name)
    for (const [key, row] of Object.entries(rows as Record<string, unknown>)) {
      if (row === null) table.delete(key)
      else table.set(key, row)
    }
  }
}

function tableOf<Row>(tables: Map<string, Map<string, unknown>>, name: string): Map<string, Row> {
  let table = tables.get(name)
  if (table === undefined) tables.set(name, (table = new Map<string, unknown>()))
  return table as Map<string, Row>
}
