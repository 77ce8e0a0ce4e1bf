const untouchedCodes = ['unavailable', 'platform-unavailable', 'provider-unavailable', 'figures-old', 'money-stopped']

/** A rejected request, or one without a response; its message is already in the reader's language. */
export class ApiError extends Error {
  /** HTTP status; 0 without a response. */
  readonly status: number
  /** A row of contract/problems.ts, or 'no-answer', 'not-understood', 'other-version', 'stopped', 'not-proved'. */
  readonly code: string
  /** One sentence for the user. */
  readonly error: string
  /** Messages by field name; `server` for those without a field. */
  readonly errors: Readonly<Record<string, string>>
  readonly values: Readonly<Record<string, string | number>>
  /** The reference under which support finds it in the logs. */
  readonly reference: string | undefined
  /** Seconds to wait before the next attempt. */
  readonly retryAfter: number | undefined

  constructor(facts: {
    status: number
    code: string
    error: string
    errors?: Record<string, string>
    values?: Record<string, string | number>
    reference?: string | undefined
    retryAfter?: number | undefined
  }) {
    super(facts.error)
    this.name = 'Failure'
    this.status = facts.status
    this.code = facts.code
    this.error = facts.error
    this.errors = facts.errors ?? {}
    this.values = facts.values ?? {}
    this.reference = facts.reference
    this.retryAfter = facts.retryAfter
  }

  /** True if the outcome is unknown: the same request may be sent again under its key. */
  get unanswered(): boolean {
    return this.status === 0 || this.status >= 502 || this.code === 'twin-running'
  }

  /** Of these, requests that our own server rejected before doing anything: they were only too early. */
  get untouched(): boolean {
    return this.status === 503 && untouchedCodes.includes(this.code)
  }
}

/** Returns the messages by field of anything that was thrown; empty if it is no ApiError. */
export function fieldErrors(thrown: unknown): Readonly<Record<string, string>> {
  return thrown instanceof ApiError ? thrown.errors : {}
}
