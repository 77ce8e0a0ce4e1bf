/** Tells a database that is away, or does not answer in time, from a statement that is wrong. */

/** Connection lost, refused or ended by the server (classes 08 and 57P), too many connections, no such socket. */
const codes = ['53300', '57P01', '57P02', '57P03', '08000', '08001', '08003', '08004', '08006', 'ECONNREFUSED']
const ofConnecting = [
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOENT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]
/** What the driver says without a code. */
const words =
  /^(timeout exceeded when trying to connect|timeout expired|Connection terminated|Query read timeout|Client has encountered a connection error)/
/** PostgreSQL gave a statement up: it waited for a lock, in a circle or for too long, or ran for too long. */
const slow = ['55P03', '57014', '40P01', '40001']
/** Its disk or its memory is full: the statement is undone, and goes well once there is room again. */
const full = ['53100', '53200']

interface Failure {
  readonly code?: unknown
  readonly syscall?: unknown
  readonly message?: unknown
}

/** Returns whether the connection is of no use any more, or there was none. */
export function isConnectionError(error: unknown): boolean {
  const { code, syscall, message } = error as Failure
  if (typeof code === 'string' && codes.includes(code)) return true
  // A file that is missing has the same code as a socket that is missing.
  if (typeof code === 'string' && ofConnecting.includes(code))
    return ['connect', 'read', 'write', 'getaddrinfo'].includes(String(syscall))
  return typeof message === 'string' && words.test(message)
}

/** Returns whether the same may go well in a moment: the database is away, had too much to do, or has no room. */
export function isTransientError(error: unknown): boolean {
  return isConnectionError(error) || [...slow, ...full].includes(String((error as Failure).code))
}

/**
 * Returns whether the database takes no writes: a standby that was not promoted, or one that an operator set
 * read-only.
 */
export function isReadOnly(error: unknown): boolean {
  return (error as Failure).code === '25006'
}
