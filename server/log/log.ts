/**
 * Log lines, each one of JSON. An error shows what failed and where, and none of the values: PostgreSQL adds those to
 * its errors, for example a whole rejected row (ASVS 16.2.5).
 */
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import pino, { type DestinationStream, type LevelWithSilent, type Logger } from 'pino'

/** Fields of a PostgreSQL error that contain values, in addition to its message, its code and the names in it. */
const fieldsWithValues: readonly string[] = ['detail', 'hint', 'where', 'internalQuery']

export const productVersion = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version

/**
 * Opens a log to standard output, or to `to`. Each line contains version, role, host and process. Log an error as
 * `err`: under another name its stack is not written.
 */
export function openLog(level: LevelWithSilent, to?: DestinationStream, role?: string): Logger {
  const options = {
    level,
    base: { version: productVersion, role, host: hostname(), pid: process.pid },
    redact: ['req.headers.authorization'],
    serializers: { err: (thrown: unknown) => withoutValues(pino.stdSerializers.err(thrown as Error)) },
  }
  return to ? pino(options, to) : pino(options)
}

function withoutValues(input: unknown): unknown {
  if (Array.isArray(input)) return input.map(withoutValues)
  if (typeof input !== 'object' || input === null) return input
  const kept = Object.entries(input).filter(([name]) => !fieldsWithValues.includes(name))
  return Object.fromEntries(
    kept.map(([name, value]) => [name, name === 'aggregateErrors' ? withoutValues(value) : value]),
  )
}
