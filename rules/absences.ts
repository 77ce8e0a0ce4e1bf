/** Absences of staff: information for colleagues, never a permission (requirements 24.73, ADR 292). */
import { dayOf, isoDay } from './dates.ts'

/** Calendar days of the firm's zone, such as "2026-12-03"; both are part of the absence. */
export interface Absence {
  readonly from: string
  readonly until: string
}

/**
 * Returns why an absence cannot be recorded, and at which field; null if it can. It begins today or later, except that
 * a current one keeps its first day, and ends within a year.
 */
export function checkAbsence({ from, until }: Absence, { today, current }: { today: string; current: Absence | null }) {
  const day = dayOf(today)
  if (!day) throw new Error(`${today} is not a day`)
  if (!dayOf(from)) return { field: 'from', code: 'date-invalid' } as const
  if (!dayOf(until)) return { field: 'until', code: 'date-invalid' } as const
  if (from < today && from !== current?.from) return { field: 'from', code: 'absence-past' } as const
  if (until < from) return { field: 'until', code: 'absence-order' } as const
  if (until < today) return { field: 'until', code: 'absence-past' } as const
  return until > isoDay({ ...day, year: day.year + 1 }) ? ({ field: 'until', code: 'absence-far' } as const) : null
}

/** Returns whether something due on a day, or overdue since, falls to an absent person before they are back. */
export function isDueBeforeReturn({ from, until }: Absence, { due, today }: { due: string; today: string }): boolean {
  return due <= until && from <= (due < today ? today : due)
}
