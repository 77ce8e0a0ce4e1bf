/** The grades of checks, counted in one way by the record's page and the inbox's preview. */
import type { DecisionCheck } from '#contract/office/checks.ts'

/** In the order of the page. */
export const checkGrades = ['block', 'warn', 'acknowledged', 'overridden', 'not-carried-out', 'pass'] as const
export type CheckGrade = (typeof checkGrades)[number]

/** Returns the grade of a check; `isAcknowledged` only on the page, where warnings are acknowledged. */
export function gradeOf(check: DecisionCheck, isAcknowledged?: (check: DecisionCheck) => boolean): CheckGrade {
  if (check.overridden) return 'overridden'
  if (check.result === 'warn' && isAcknowledged?.(check)) return 'acknowledged'
  return check.result
}
