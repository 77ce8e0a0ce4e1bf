/**
 * How a call to an integration can end badly. Which of the three decides what the caller may do next (requirements 18.13):
 * a refusal is final, what was not sent may be sent again, what is unknown may only be asked about.
 */

/** Why an integration said no, as the key of a text that staff or the client read. */
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

/** The integration understood and said no; nothing was applied. */
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

/** It was sent, and no usable answer came: it may have been applied. Ask by its reference, never send it again. */
export class Unknown extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'Unknown'
  }
}

/** Nothing was changed: it was not sent, or it was a question without an answer. Trying again later is safe. */
export class Unavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'Unavailable'
  }
}

/** Returns whether a call to an integration failed because of the integration. Anything else that is thrown is a bug. */
export function isIntegrationError(error: unknown): error is Rejected | Unknown | Unavailable {
  return error instanceof Rejected || error instanceof Unknown || error instanceof Unavailable
}

/** What an adapter tells its log: never a password, a key or a body. */
export interface IntegrationLogger {
  info(values: object, message: string): void
  warn(values: object, message: string): void
}

export const silentLog: IntegrationLogger = { info: () => undefined, warn: () => undefined }
