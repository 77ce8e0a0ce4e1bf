/** A connection that waits for long, to hear or to hold something, is asked now and then whether it still answers. */
import type pg from 'pg'

export const aliveEveryMs = 30_000
export const answerMs = 5_000

/**
 * Calls `silent` once the connection gives no answer within its `query_timeout`: a network that lost it tells no one, and
 * the system itself asks after two hours (requirements 33.29). Answers how the watch ends.
 */
export function watchConnection(connection: pg.Client, everyMs: number, silent: (error: Error) => void): () => void {
  let timer: NodeJS.Timeout
  const askLater = (): void => {
    timer = setTimeout(() => void ask(), everyMs)
    timer.unref()
  }
  const ask = async (): Promise<void> => {
    try {
      await connection.query('select 1')
    } catch (error) {
      silent(error as Error)
      return
    }
    askLater()
  }
  askLater()
  return () => clearTimeout(timer)
}
