const untouchedCodes = ['unavailable', 'platform-unavailable', 'provider-unavailable', 'figures-old', 'money-stopped']

/** A call that was refused, or that got no answer; its sentence is already in the reader's language. */
export class ApiError extends Error {
  /** HTTP status; 0 when no answer came. */
  readonly status: number
  /** A row of contract/problems.ts, or 'no-answer', 'not-understood', 'stopped', 'not-proved'. */
  readonly code: string
  /** One sentence for the person. */
  readonly error: string
  /** Sentences by field name; `server` for those of none. */
  readonly errors: Readonly<Record<string, string>>
  readonly values: Readonly<Record<string, string | number>>
  /** What support finds in the logs. */
  readonly reference: string | undefined
  /** Seconds to wait before another try. */
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

  /** True when no one knows whether the server did it: the same request may be sent again under its key. */
  get unanswered(): boolean {
    return this.status === 0 || this.status >= 502 || this.code === 'twin-running'
  }

  /** Of these, what our own server refused before anything was done: it was only too early. */
  get untouched(): boolean {
    return this.status === 503 && untouchedCodes.includes(this.code)
  }
}

/** Returns the sentences by field of whatever was thrown; nothing for what is no Failure. */
export function fieldErrors(thrown: unknown): Readonly<Record<string, string>> {
  return thrown instanceof ApiError ? thrown.errors : {}
}
