/** The doctor's rows about database identity, timeline, heartbeats, standbys and recovery. */
import type { PlatformReading } from '../jobs/platform-days.ts'
import { missingRightsText } from './platform-rights.ts'
import type { RecoveryStatus } from '../recovery/recovery-status.ts'

interface DoctorRow {
  readonly mark: '✓' | '-' | '!'
  readonly text: string
}

export function recoveryRows(status: RecoveryStatus): DoctorRow[] {
  return [
    database(status),
    timeline(status),
    heartbeat(status),
    standbys(status),
    ...status.platforms.map(platform),
    ...recovery(status),
  ]
}

const row = (mark: DoctorRow['mark'], text: string): DoctorRow => ({ mark, text })

function database({ isNotedDatabase }: RecoveryStatus): DoctorRow {
  if (isNotedDatabase === null) return row('-', 'database identity: no server has started on this database yet')
  if (isNotedDatabase) return row('✓', 'database identity: as recorded by the servers')
  return row(
    '!',
    'database identity: differs from the one recorded by the servers | do: npm run operator -- restored --yes, with the servers stopped; or start a server, which opens recovery',
  )
}

function timeline({ timeline: now, notedTimeline }: RecoveryStatus): DoctorRow {
  if (notedTimeline === null) return row('-', `timeline: ${now}, not recorded yet`)
  if (notedTimeline === now) return row('✓', `timeline: ${now}, as recorded by the servers`)
  return row(
    '!',
    `timeline: ${now}, recorded by the servers: ${notedTimeline} | do: start a server, which checks for data loss`,
  )
}

function heartbeat({ servers, oldestBeatSeconds }: RecoveryStatus): DoctorRow {
  const late = servers.filter(({ isLate }) => isLate)
  if (late.length > 0) {
    const names = late.map(({ server, role, host, pid }) =>
      role === null ? `number ${server}` : `number ${server} (ROLE=${role}, process ${pid} on ${host})`,
    )
    return row('!', `heartbeat: late from ${names.join(', ')} | do: check its log, and stop the server if it hangs`)
  }
  if (servers.length === 0) return row('-', 'heartbeat: no running servers')
  return row(
    '✓',
    `heartbeat: running servers: ${servers.length}, the oldest heartbeat ${Math.round(oldestBeatSeconds ?? 0)} s ago`,
  )
}

function platform({ platform: name, readAt, missingRights }: PlatformReading): DoctorRow {
  if (missingRights.length === 0)
    return row('✓', `${name}: our login lacks no right that can be seen, read ${readAt.toISOString()}`)
  return row('!', missingRightsText(name, missingRights))
}

function standbys({ asynchronousStandbys }: RecoveryStatus): DoctorRow {
  if (asynchronousStandbys === 0) return row('✓', 'replication: no asynchronous standbys')
  return row(
    '-',
    `replication: asynchronous standbys: ${asynchronousStandbys} | cause: synchronous_standby_names is empty | effect on the client: none until one is promoted: the last commits may be lost, and a primary that is cut off may still send | do: make it synchronous, or let the tool that promotes fence the old primary`,
  )
}

function recovery({ recovery: open, openItems, requestsToConfirm, missingConfirmations }: RecoveryStatus): DoctorRow[] {
  if (!open) return [row('✓', 'recovery: not open')]
  const stopped = [
    ...(open.accountsOpenAt === null ? ['trading accounts and card payments'] : []),
    ...(open.payoutsOpenAt === null ? ['payouts'] : []),
  ]
  const effect = stopped.length > 0 ? `stopped: ${stopped.join(', ')}; sign-in and read access are available` : 'none'
  const action =
    open.accountsOpenAt === null
      ? `npm run operator -- recover --since ${open.since.toISOString()}`
      : 'complete it in the back office, under Recovery'
  return [
    row(
      '!',
      `recovery, open since ${open.openedAt.toISOString()} (${open.sign}) | cause: since ${open.since.toISOString()} platforms, provider or bank may have newer data | effect on the client: ${effect} | do: ${action}`,
    ),
    ...Object.entries(openItems).map(([kind, count]) =>
      row('-', `recovery items of kind ${kind} awaiting a decision by two people: ${count}`),
    ),
    ...(requestsToConfirm > 0 ? [row('-', `requests awaiting the client's confirmation: ${requestsToConfirm}`)] : []),
    ...(missingConfirmations > 0
      ? [row('-', `missing confirmations of access and bank: ${missingConfirmations} of 4`)]
      : []),
  ]
}
