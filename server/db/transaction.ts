/** Starts and ends transactions: a change of state, its event, postings and jobs share one. */
import type { ClientBase, Pool } from 'pg'
import { transactionEnded } from './recent-events.ts'
import { isConnectionError } from './connection-errors.ts'

/** A connection inside a transaction. Only `transaction` creates it, so no handler can write without one. */
export type Transaction = ClientBase & { readonly [inTransaction]: true }
declare const inTransaction: unique symbol

/**
 * The connection was lost between COMMIT and its reply: it is unknown whether the work was committed (requirements
 * 33.6). It can only be found out by a repeat under the same key, or from the record.
 */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super('The connection was lost while a transaction was being committed', { cause })
    this.name = 'OutcomeUnknown'
  }
}

const serialisationFailure = '40001'
const deadlock = '40P01'
const triesMax = 3

/**
 * Runs `work` in one transaction: all of it or nothing. A deadlock or serialisation failure is retried, at most three
 * attempts in all; `work` must therefore change nothing but the database. Throws `OutcomeUnknown` if the database does
 * not report whether it committed.
 */
export async function transaction<T>(pool: Pool, work: (tx: Transaction) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await once(pool, work)
    } catch (error) {
      const code = (error as { code?: string }).code
      if ((code !== serialisationFailure && code !== deadlock) || attempt === triesMax) throw error
    }
  }
}

async function once<T>(pool: Pool, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const connection = await pool.connect()
  let broken: Error | undefined
  try {
    await connection.query('begin')
    const result = await work(connection as unknown as Transaction)
    await commit(connection)
    transactionEnded(pool, connection, true)
    return result
  } catch (error) {
    transactionEnded(pool, connection, false)
    // A connection that does not respond is discarded: PostgreSQL rolls back the transactions of lost ones.
    if (error instanceof OutcomeUnknown || isConnectionError(error)) broken = error as Error
    else
      await connection.query('rollback').catch((failure: Error) => {
        broken = failure
      })
    throw error
  } finally {
    connection.release(broken)
  }
}

async function commit(connection: ClientBase): Promise<void> {
  try {
    await connection.query('commit')
  } catch (error) {
    throw isConnectionError(error) ? new OutcomeUnknown(error) : error
  }
}
