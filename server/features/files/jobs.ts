/** Scheduled tasks of files: deletes bytes without a record, scans quarantined files again. */
import { hourMs } from '#rules/dates.ts'
import { strayBytesHours } from '#rules/constants.ts'
import type { FileId } from '#rules/ids.ts'
import { recordEvent } from '../../db/events.ts'
import { rows, run, transaction } from '../../db/sql.ts'
import { Problem } from '../../http/problem.ts'
import { isUuid } from '../../db/ids.ts'
import { forEachRow } from '../../jobs/each-row.ts'
import type { ScheduledTask } from '../../jobs/workers.ts'
import type { FileScanner } from '../../integrations/file-scanner/file-scanner.ts'
import type { Dependencies } from '../../dependencies.ts'
import { recoveryOf } from '../../recovery/stopped-money.ts'
import { isReleasedBatch } from '../../recovery/released-batches.ts'
import { bytesOf, fileById, recordScan } from './queries.ts'

const sweepEveryMs = 15 * 60_000
const rescanEveryMs = 60_000
const atOnceMax = 50
const lookedUpAtOnce = 500

export function fileTasks(dependencies: Dependencies): ScheduledTask[] {
  return [
    { name: 'sweep-files', everyMs: sweepEveryMs, run: (now) => deleteStrayFiles(dependencies, now) },
    { name: 'rescan-files', everyMs: rescanEveryMs, run: (now) => rescanFiles(dependencies, now) },
  ]
}

/**
 * Deletes bytes without a record after a grace period (requirements 33.27, 34.11), and unfinished writes. If an
 * unfinished write has a recorded file, it comes from a crash during re-encryption, and the file is kept.
 */
export async function deleteStrayFiles(dependencies: Dependencies, now: Date): Promise<void> {
  // A restored database lacks the records of files that were uploaded since its backup.
  if (await recoveryOf(dependencies.jobs)) return
  const strayBefore = now.getTime() - strayBytesHours * hourMs
  const old = (await dependencies.files.list()).filter(({ writtenAt }) => writtenAt.getTime() < strayBefore)
  for (let at = 0; at < old.length; at += lookedUpAtOnce) {
    const some = old.slice(at, at + lookedUpAtOnce)
    const recorded = await recordedOf(
      dependencies,
      some.map(({ name }) => name),
    )
    const named = some.map((one) => ({ ...one, id: one.name }))
    await forEachRow({ job: 'sweep-files', rows: named, log: dependencies.log }, async ({ name, isHalf }) => {
      if (isHalf) await dependencies.files.removeHalf(name)
      else if (!recorded.has(name) && !isReleasedBatch(name)) await dependencies.files.remove(name)
    })
  }
}

async function recordedOf(dependencies: Dependencies, names: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await rows<{ id: FileId }>(dependencies.jobs)`
    select id from files where id = any (${names.filter(isUuid)}::uuid[])`
  return new Set(found.map(({ id }) => id))
}

/**
 * Scans again the files for which the scanner gave no result. An infected file's bytes are deleted; its record keeps
 * the reason.
 */
export async function rescanFiles(dependencies: Dependencies, now: Date): Promise<void> {
  const { scanner } = dependencies
  if (!scanner) return
  const waiting = await rows<{ id: FileId }>(dependencies.jobs)`
    select id from files where state = 'quarantined' order by scanned_at nulls first limit ${atOnceMax}`
  let answers = true
  await forEachRow({ job: 'rescan-files', rows: waiting, log: dependencies.log }, async ({ id }) => {
    // A scanner that does not respond would cost one time-out per file.
    if (answers) answers = await rescan(dependencies, scanner, id, now)
  })
}

/** Returns whether the scanner responded. A damaged file is logged where it is read. */
async function rescan(dependencies: Dependencies, scanner: FileScanner, id: FileId, now: Date): Promise<boolean> {
  const file = await fileById(dependencies.jobs, id)
  if (!file) return true
  const bytes = await bytesOf(dependencies, file).catch(nullIfDamaged)
  const result = bytes ? await scanner.scan(bytes) : 'damaged'
  if (result === 'unavailable' || result === 'damaged') {
    await run(dependencies.jobs)`update files set scanned_at = ${now} where id = ${id}`
    return result === 'damaged'
  }
  const state = result === 'clean' ? 'clean' : 'infected'
  await transaction(dependencies.jobs, async (tx) => {
    if (!(await recordScan(tx, id, state, now))) return
    const reason = result === 'clean' ? {} : { reason: result.infected }
    const auditContext = { identity: { kind: 'clock' }, now } as const
    const change = { action: 'scan', clientId: file.client_id, from: 'quarantined', to: state }
    await recordEvent(tx, auditContext, { kind: 'file', record: id, ...change, ...reason })
  })
  if (state === 'infected') await dependencies.files.remove(id)
  return true
}

function nullIfDamaged(error: unknown): null {
  if (error instanceof Problem && error.code === 'file-damaged') return null
  throw error
}
