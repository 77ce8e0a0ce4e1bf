/** Marks a database before servers start on it: as restored, or as about to move. */
import { type Connection, transaction } from '../db/sql.ts'
import { lastKnown, recordIdentity, recordPlannedMove } from '../recovery/database-identity.ts'
import { runningServers, type RunningServer } from '../recovery/heartbeat.ts'
import { openRecovery } from '../recovery/open-recovery.ts'
import { recoveryOf } from '../recovery/stopped-money.ts'
import { auditContextOf, CommandError, type OperatorContext } from './context.ts'

/** Opens recovery after a restore. Returns the time from which integrations may know more than the database. */
export async function markRestored({ jobs, now }: OperatorContext): Promise<Date> {
  await assertNoServerRuns(jobs)
  return transaction(jobs, async (tx) => {
    const since = await lastKnown(tx, now())
    await recordIdentity(tx, now())
    await openRecovery(tx, { sign: 'restored', since, now: now() })
    return since
  })
}

/** Marks a planned dump or upgrade, with all servers stopped: the last commit in this database. */
export async function markPlannedMove(context: OperatorContext): Promise<void> {
  await assertNoServerRuns(context.jobs)
  await transaction(context.jobs, async (tx) => {
    if (await recoveryOf(tx)) throw new CommandError('Recovery is open. Complete it before you move the database.')
    await recordPlannedMove(tx, auditContextOf(context))
  })
}

async function assertNoServerRuns(connection: Connection): Promise<void> {
  const servers = await runningServers(connection)
  if (servers.length === 0) return
  throw new CommandError(
    `Servers are running on this database: ${servers.map(serverText).join(', ')}. Stop them, then repeat the command.`,
  )
}

function serverText({ server, role, host, pid }: RunningServer): string {
  return role === null ? `number ${server}` : `number ${server} (ROLE=${role}, process ${pid} on ${host})`
}
