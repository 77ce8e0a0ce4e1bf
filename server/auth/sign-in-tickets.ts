/** The ticket between the two steps of a sign-in: several wrong codes end it (requirements 26.13). */
import { ticketTriesMax } from '#rules/constants.ts'
import { row, run, type Transaction } from '../db/sql.ts'
import { Problem } from '../http/problem.ts'

/** Locks the ticket, so that concurrent codes are verified one after another. Throws `ticket-ended`. */
export async function lockTicket(tx: Transaction, sessionId: string, now: Date): Promise<void> {
  const held = await row<{ tries: number }>(tx)`
    select tries from sessions where id = ${sessionId} and ended_at is null and ends_at > ${now} for update`
  if (!held || held.tries >= ticketTriesMax) throw new Problem('ticket-ended')
}

/** Counts a wrong code; the last one ends the ticket. */
export async function countWrongCode(tx: Transaction, sessionId: string, now: Date): Promise<void> {
  await run(tx)`
    update sessions set tries = tries + 1, ended_at = case when tries + 1 >= ${ticketTriesMax} then ${now}::timestamptz end
      where id = ${sessionId}`
}
