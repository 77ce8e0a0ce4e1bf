/** A change of state, its event, postings and jobs share one transaction; this is where it begins and ends. */
import type { ClientBase, Pool } from 'pg'
import { isDatabaseAway } from './unreachable.ts'

/** A connection inside a transaction. Only `transaction` mints it, so a verb cannot write outside of one. */
export type Transaction = ClientBase & { readonly [inTransaction]: true }
declare const inTransaction: unique symbol

const serialisationFailure = '40001'
const deadlock = '40P01'
const triesMax = 3

/**
 * Runs `work` in one transaction: all of it or nothing. A deadlock or serialisation failure is tried again, at most
 * three times in all; `work` must therefore touch nothing but the database.
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
    await connection.query('commit')
    return result
  } catch (error) {
    // A connection that does not answer is thrown away: PostgreSQL rolls back what it loses.
    if (isDatabaseAway(error)) broken = error as Error
    else
      await connection.query('rollback').catch((failure: Error) => {
        broken = failure
      })
    throw error
  } finally {
    connection.release(broken)
  }
}
