/** What `doctor` and `verifyIntegrity` check and print. */
import { join } from 'node:path'
import { verifyChain } from '../db/audit-chain.ts'
import { findUnchainedEvent } from '../features/audit/queries.ts'
import { brokenInvariants, invariants } from '../ledger/invariants.ts'
import { recoveryStatus, type RecoveryStatus } from '../recovery/recovery-status.ts'
import type { Print } from './command-line.ts'
import { filesOf, type OperatorContext } from './context.ts'
import { findStalled } from './stalled.ts'
import { rows, sql, type Connection } from '../db/sql.ts'
import type { FileStore } from '../integrations/file-store/file-store.ts'
import { configuredIntegrations, integrationHealth, type IntegrationHealth } from '../jobs/integration-calls.ts'
import type { PlatformReading } from '../jobs/platform-days.ts'
import { missingRightsText } from './platform-rights.ts'

const missingShownMax = 50

/** Verifies the audit log, then the invariants. Returns whether all of them hold. */
export async function verifyIntegrity(context: OperatorContext, print: Print): Promise<boolean> {
  const verified = await verifyChain(context.jobs)
  const added = verified.whole ? await findUnchainedEvent(context.jobs) : null
  if (verified.whole && added !== null) print(`✗ Audit log: event ${added} was inserted among sealed events.`)
  else if (verified.whole)
    print(`✓ Audit log: events verified: ${verified.sealed}, not sealed yet: ${verified.waiting}.`)
  else
    print(
      `✗ Audit log: event ${verified.number} (id ${verified.eventId}) is ${verified.wrong === 'missing' ? 'missing' : 'altered'}.`,
    )
  if (verified.whole)
    for (const { epoch, recovery, afterNumber, afterHash, beganAt } of verified.epochs)
      print(
        `- Audit log: epoch ${epoch} began with the recovery of ${beganAt.toISOString()} (${recovery}), after number ${afterNumber}, hash ${afterHash.toString('hex')}. Events after that number and before the data loss are missing here. The recovery report lists what was found.`,
      )
  return (await printInvariants(context, print)) && verified.whole && added === null
}

/** Runs the product's own part of the doctor: invariants first, then each stalled item. */
export async function doctor(
  context: Pick<OperatorContext, 'jobs' | 'now' | 'config'>,
  print: Print,
): Promise<boolean> {
  const isConsistent = await printInvariants(context, print)
  const missing = await missingFiles(context.jobs, filesOf(context))
  if (missing.length > 0)
    print(
      `✗ Files with a record but no content: ${missing.length}. Restore them into ${join(context.config.dataDir, 'files')}.`,
    )
  for (const id of missing.slice(0, missingShownMax)) print(`    ${id}`)
  const health = await integrationHealth(context.jobs, configuredIntegrations(context.config), context.now())
  const states = [...recoveryRows(await recoveryStatus(context.jobs, context.now())), ...health.map(integrationRow)]
  for (const { mark, text } of states) print(`${mark} ${text}`)
  const stuck = await findStalled(context.jobs, context.now())
  for (const { what, cause, effect, next, action, sick } of stuck) {
    const row = `${what} | cause: ${cause} | effect on the client: ${effect} | next attempt: ${next} | action: ${action}`
    print(`${sick ? '!' : '-'} ${row}`)
  }
  if (stuck.length === 0) print('✓ No stalled operations.')
  return (
    isConsistent && missing.length === 0 && !states.some(({ mark }) => mark === '!') && !stuck.some(({ sick }) => sick)
  )
}

async function printInvariants(context: Pick<OperatorContext, 'jobs' | 'now'>, print: Print): Promise<boolean> {
  const broken = await brokenInvariants(context.jobs, context.now())
  for (const { name, rule } of invariants) {
    const mine = broken.filter((one) => one.invariant === name)
    print(`${mine.length === 0 ? '✓' : '✗'} ${name}: ${rule}`)
    for (const { record: recordId, what } of mine) print(`    ${recordId}: ${what}`)
  }
  return broken.length === 0
}

/**
 * Returns the ids of files without bytes, oldest first, except those that the scanner rejected: the result of restoring
 * backups of different times (requirements 33.25).
 */
async function missingFiles(connection: Connection, store: FileStore): Promise<string[]> {
  // The records first: a file that is added meanwhile has its bytes before its record.
  const recorded = await rows<{ id: string }>(
    connection,
    sql`select id from files where state <> 'infected' order by created_at, id`,
  )
  const there = new Set((await store.list()).filter(({ isHalf }) => !isHalf).map(({ name }) => name))
  return recorded.map(({ id }) => id).filter((id) => !there.has(id))
}

interface DoctorRow {
  readonly mark: '✓' | '-' | '!'
  readonly text: string
}

/** Returns the rows about database identity, timeline, heartbeats, standbys and recovery. */
export function recoveryRows(status: RecoveryStatus): DoctorRow[] {
  return [
    databaseRow(status),
    timelineRow(status),
    heartbeatRow(status),
    standbysRow(status),
    ...status.platforms.map(platformRow),
    ...rowsOfOpenRecovery(status),
  ]
}

const doctorRow = (mark: DoctorRow['mark'], text: string): DoctorRow => ({ mark, text })

function databaseRow({ isNotedDatabase }: RecoveryStatus): DoctorRow {
  if (isNotedDatabase === null) return doctorRow('-', 'database identity: no server has started on this database yet')
  if (isNotedDatabase) return doctorRow('✓', 'database identity: as recorded by the servers')
  return doctorRow(
    '!',
    'database identity: differs from the one recorded by the servers | action: npm run operator -- restored --yes, with the servers stopped; or start a server, which opens recovery',
  )
}

function timelineRow({ timeline: now, notedTimeline }: RecoveryStatus): DoctorRow {
  if (notedTimeline === null) return doctorRow('-', `timeline: ${now}, not recorded yet`)
  if (notedTimeline === now) return doctorRow('✓', `timeline: ${now}, as recorded by the servers`)
  return doctorRow(
    '!',
    `timeline: ${now}, recorded by the servers: ${notedTimeline} | action: start a server, which checks for data loss`,
  )
}

function heartbeatRow({ servers, oldestBeatSeconds }: RecoveryStatus): DoctorRow {
  const late = servers.filter(({ isLate }) => isLate)
  if (late.length > 0) {
    const names = late.map(({ server, role, host, pid }) =>
      role === null ? `number ${server}` : `number ${server} (ROLE=${role}, process ${pid} on ${host})`,
    )
    return doctorRow(
      '!',
      `heartbeat: late from ${names.join(', ')} | action: check its log, and stop the server if it hangs`,
    )
  }
  if (servers.length === 0) return doctorRow('-', 'heartbeat: no running servers')
  return doctorRow(
    '✓',
    `heartbeat: running servers: ${servers.length}, the oldest heartbeat ${Math.round(oldestBeatSeconds ?? 0)} s ago`,
  )
}

function platformRow({ platform: name, readAt, missingRights }: PlatformReading): DoctorRow {
  if (missingRights.length === 0)
    return doctorRow('✓', `${name}: our login has every permission that can be seen, read ${readAt.toISOString()}`)
  return doctorRow('!', missingRightsText(name, missingRights))
}

const stateTexts: Readonly<Record<IntegrationHealth['state'], string>> = {
  operational: 'operational',
  slow: 'slow',
  'out-of-date': 'out of date',
  'not-answering': 'not responding',
  idle: 'no calls in 15 min',
  unused: 'no calls yet',
}

/** The health of an integration as recorded by the servers. `npm run doctor` itself checks whether it responds now. */
function integrationRow(health: IntegrationHealth): DoctorRow {
  const { name, state, lastAnswer, answers, failures, averageMs, usualMs, waiting, oldestWaiting } = health
  const facts = [
    `last response: ${lastAnswer?.toISOString() ?? 'none'}`,
    `in 15 min: ${answers} succeeded, ${failures} failed`,
    ...(averageMs === null
      ? []
      : [`response time: ${averageMs} ms${usualMs === null ? '' : `, usually ${usualMs} ms`}`]),
    ...(oldestWaiting === null ? [] : [`pending: ${waiting}, oldest ${oldestWaiting.toISOString()}`]),
  ]
  const text = `${name} as called by the servers: ${stateTexts[state]} | ${facts.join(' | ')}`
  if (state === 'not-answering')
    return doctorRow('!', `${text} | action: npm run doctor queries it and names the cause`)
  return doctorRow(state === 'operational' ? '✓' : '-', text)
}

function standbysRow({ asynchronousStandbys }: RecoveryStatus): DoctorRow {
  if (asynchronousStandbys === 0) return doctorRow('✓', 'replication: no asynchronous standbys')
  return doctorRow(
    '-',
    `replication: asynchronous standbys: ${asynchronousStandbys} | cause: synchronous_standby_names is empty | effect on the client: none until one is promoted: the last commits may be lost, and a primary that is cut off may still send | action: make it synchronous, or let the tool that promotes fence the old primary`,
  )
}

function rowsOfOpenRecovery({
  recovery: open,
  openItems,
  requestsToConfirm,
  missingConfirmations,
}: RecoveryStatus): DoctorRow[] {
  if (!open) return [doctorRow('✓', 'recovery: not open')]
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
    doctorRow(
      '!',
      `recovery, open since ${open.openedAt.toISOString()} (${open.sign}) | cause: since ${open.since.toISOString()} platforms, provider or bank may have newer data | effect on the client: ${effect} | action: ${action}`,
    ),
    ...Object.entries(openItems).map(([kind, count]) =>
      doctorRow('-', `recovery items of type ${kind} awaiting a decision by two people: ${count}`),
    ),
    ...(requestsToConfirm > 0
      ? [doctorRow('-', `requests awaiting the client's confirmation: ${requestsToConfirm}`)]
      : []),
    ...(missingConfirmations > 0
      ? [doctorRow('-', `missing confirmations of access and bank: ${missingConfirmations} of 4`)]
      : []),
  ]
}
