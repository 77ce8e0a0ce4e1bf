/** What `doctor` and `verify` check and print. */
import { join } from 'node:path'
import { verifyChain } from '../db/audit-chain.ts'
import { slippedIn } from '../features/audit/queries.ts'
import { brokenInvariants, invariants } from '../ledger/invariants.ts'
import { recoveryStatus } from '../recovery/recovery-status.ts'
import type { Print } from './command-line.ts'
import { filesOf, type OperatorContext } from './context.ts'
import { recoveryRows } from './recovery-rows.ts'
import { findStalled } from './stalled.ts'
import { rows, sql, type Connection } from '../db/sql.ts'
import type { FileStore } from '../integrations/file-store/file-store.ts'

const missingShownMax = 50

/** Verifies the audit log, then the invariants. Returns whether all of them hold. */
export async function verify(context: OperatorContext, print: Print): Promise<boolean> {
  const verified = await verifyChain(context.jobs)
  const added = verified.whole ? await slippedIn(context.jobs) : null
  if (verified.whole && added !== null) print(`✗ Audit log: event ${added} was inserted among sealed events.`)
  else if (verified.whole) print(`✓ Audit log: ${verified.sealed} events verified, ${verified.waiting} not sealed yet.`)
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
  const whole = await printInvariants(context, print)
  const missing = await missingFiles(context.jobs, filesOf(context))
  if (missing.length > 0)
    print(
      `✗ ${missing.length} files have a record but no content. Restore them into ${join(context.config.dataDir, 'files')}.`,
    )
  for (const id of missing.slice(0, missingShownMax)) print(`    ${id}`)
  const standing = recoveryRows(await recoveryStatus(context.jobs, context.now()))
  for (const { mark, text } of standing) print(`${mark} ${text}`)
  const stuck = await findStalled(context.jobs, context.now())
  for (const { what, cause, effect, next, action, sick } of stuck) {
    const row = `${what} | cause: ${cause} | effect on the client: ${effect} | next attempt: ${next} | do: ${action}`
    print(`${sick ? '!' : '-'} ${row}`)
  }
  if (stuck.length === 0) print('✓ No stalled operations.')
  return whole && missing.length === 0 && !standing.some(({ mark }) => mark === '!') && !stuck.some(({ sick }) => sick)
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
