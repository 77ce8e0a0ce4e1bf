/** Distinguishes a database that is unavailable or too slow from a wrong statement. */

/** Connection lost, refused or ended by the server (classes 08 and 57P), too many connections, no such socket. */
const connectionErrorCodes = [
  '53300',
  '57P01',
  '57P02',
  '57P03',
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  'ECONNREFUSED',
]
const connectErrorCodes = [
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOENT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]
/** The driver's messages without a code. */
const connectionErrorMessages =
  /^(timeout exceeded when trying to connect|timeout expired|Connection terminated|Query read timeout|Client has encountered a connection error)/
/** PostgreSQL cancelled a statement: it waited too long for a lock, was part of a deadlock, or ran too long. */
const cancelledStatementCodes = ['55P03', '57014', '40P01', '40001']
/** PostgreSQL's disk or memory is full: the statement is rolled back, and succeeds once there is space again. */
const outOfSpaceCodes = ['53100', '53200']

interface Failure {
  readonly code?: unknown
  readonly syscall?: unknown
  readonly message?: unknown
}

/** Returns whether the connection is unusable, or none could be opened. */
export function isConnectionError(error: unknown): boolean {
  const { code, syscall, message } = error as Failure
  if (typeof code === 'string' && connectionErrorCodes.includes(code)) return true
  // A missing file has the same code as a missing socket.
  if (typeof code === 'string' && connectErrorCodes.includes(code))
    return ['connect', 'read', 'write', 'getaddrinfo'].includes(String(syscall))
  return typeof message === 'string' && connectionErrorMessages.test(message)
}

/** Returns whether the same statement may succeed soon: the database is unavailable, overloaded, or has no space. */
export function isTransientError(error: unknown): boolean {
  return (
    isConnectionError(error) ||
    [...cancelledStatementCodes, ...outOfSpaceCodes].includes(String((error as Failure).code))
  )
}

/**
 * Returns whether the database accepts no writes: a standby that was not promoted, or one that an operator set
 * read-only.
 */
export function isReadOnly(error: unknown): boolean {
  return (error as Failure).code === '25006'
}
