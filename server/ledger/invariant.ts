/** One invariant of the books and records, with its violations (requirements 34). */
import type { Sql } from '../db/sql.ts'

export interface Violation {
  readonly invariant: string
  /** The record, operation, entry or account that violates it. */
  readonly record: string
  readonly what: string
}

export interface Invariant {
  readonly name: string
  readonly rule: string
  /** Returns a statement that returns `record` and `what` of each violation. */
  violations(now: Date): Sql
}
