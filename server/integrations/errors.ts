/**
 * The failures of a call to an integration. They decide what the caller may do next (requirements 18.13): a rejection
 * is final, an unsent call may be sent again, an unknown one may only be queried.
 */

/** The reason of an integration's rejection, as the key of a text for staff or the client. */
export type RefusalReason =
  | 'not-enough-money'
  | 'amount-too-large'
  | 'wrong-currency'
  | 'weak-password'
  | 'not-found'
  | 'exists-already'
  | 'logins-exhausted'
  | 'open-positions'
  | 'trading-disabled'
  | 'no-permission'
  | 'bad-input'
  | 'not-taken'
  | 'declined'
  | 'refused'

/** The integration understood and rejected the call; nothing was applied. */
export class Rejected extends Error {
  readonly reason: RefusalReason
  /** The integration's own code, for staff: "mt5:10019". */
  readonly code: string

  constructor(reason: RefusalReason, code: string, message: string) {
    super(message)
    this.name = 'Rejected'
    this.reason = reason
    this.code = code
  }
}

/**
 * It was sent without a usable response, so it may have been applied. Query it by its reference, never send it again.
 */
export class Unknown extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'Unknown'
  }
}

/** Nothing was changed: it was not sent, or it was a query without a response. A later retry is safe. */
export class Unavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'Unavailable'
  }
}

/**
 * The integration responded, and nothing was applied: people must decide on what it has or correct it there, or it asks
 * for a later attempt.
 */
export class Deferred extends Unavailable {}

export type IntegrationError = Rejected | Unknown | Unavailable

/** Returns whether an error is the integration's failure. Any other error is a bug. */
export function isIntegrationError(error: unknown): error is IntegrationError {
  return error instanceof Rejected || error instanceof Unknown || error instanceof Unavailable
}

/** The log of an adapter: it never contains a password, a key or a body. */
export interface IntegrationLogger {
  info(values: object, message: string): void
  warn(values: object, message: string): void
}

export const silentLog: IntegrationLogger = { info: () => undefined, warn: () => undefined }
