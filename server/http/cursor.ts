/** A place in a list ordered by time and id: what the next page begins after. It carries no right: rows are filtered anew. */
import { Problem } from './problem.ts'

export interface Place {
  readonly at: Date
  readonly id: string
}

/** The cursor after a row. */
export function cursorOf(at: Date, id: string): string {
  return `${at.getTime().toString(36)}.${id}`
}

const cursorPattern = /^([0-9a-z]{1,11})\.([0-9a-f-]{36})$/

/** The place of a cursor, or null without one. Throws `cursor-invalid` for one that we did not make. */
export function readCursor(cursor: string | undefined): Place | null {
  if (cursor === undefined) return null
  const match = cursorPattern.exec(cursor)
  if (!match?.[1] || !match[2]) throw new Problem('cursor-invalid')
  const at = new Date(Number.parseInt(match[1], 36))
  if (Number.isNaN(at.getTime())) throw new Problem('cursor-invalid')
  return { at, id: match[2] }
}
