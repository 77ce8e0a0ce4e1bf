const untouchedCodes = ['unavailable', 'platform-unavailable', 'provider-unavailable', 'figures-old', 'money-stopped']

/** One sentence for the user, and messages by field name; `server` for those without a field. */
export interface ErrorTexts {
  readonly error: string
  readonly errors: Readonly<Record<string, string>>
}

/** A rejected request, or one without a response; its texts are in the reader's language, also after it has changed. */
export class ApiError extends Error {
  /** HTTP status; 0 without a response. */
  readonly status: number
  /** A row of contract/problems.ts, or 'no-answer', 'not-understood', 'other-version', 'stopped', 'not-proved'. */
  readonly code: string
  readonly values: Readonly<Record<string, string | number>>
  /** The reference under which support finds it in the logs. */
  readonly reference: string | undefined
  /** Seconds to wait before the next attempt. */
  readonly retryAfter: number | undefined
  /** The sentence in each language that the server sent, to be stored. */
  readonly translations: Readonly<Record<string, string>>
  readonly #texts: () => ErrorTexts

  constructor(facts: {
    status: number
    code: string
    texts: () => ErrorTexts
    translations?: Readonly<Record<string, string>>
    values?: Record<string, string | number>
    reference?: string | undefined
    retryAfter?: number | undefined
  }) {
    super(facts.code)
    this.name = 'Failure'
    this.status = facts.status
    this.code = facts.code
    this.#texts = facts.texts
    this.translations = facts.translations ?? {}
    this.values = facts.values ?? {}
    this.reference = facts.reference
    this.retryAfter = facts.retryAfter
  }

  get error(): string {
    return this.#texts().error
  }

  get errors(): Readonly<Record<string, string>> {
    return this.#texts().errors
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

/** Returns the texts of an error that belongs to no field. */
export function serverTexts(error: string): ErrorTexts {
  return { error, errors: { server: error } }
}

/** Returns the messages by field of anything that was thrown; empty if it is no ApiError. */
export function fieldErrors(thrown: unknown): Readonly<Record<string, string>> {
  return thrown instanceof ApiError ? thrown.errors : {}
}
