/** What time brings to files: stray bytes go, quarantined ones are scanned again. */
import { strayBytesHours } from '#rules/constants.ts'
import { record } from '../../db/events.ts'
import { rows, run, sql } from '../../db/sql.ts'
import { transaction } from '../../db/transaction.ts'
import { Problem } from '../../http/problem.ts'
import { isUuid } from '../../db/ids.ts'
import { forEachRow } from '../../jobs/each-row.ts'
import type { Chore } from '../../jobs/workers.ts'
import type { FileScanner } from '../../integrations/file-scanner/file-scanner.ts'
import type { Parts } from '../../dependencies.ts'
import { recoveryOf } from '../../recovery/stopped-money.ts'
import { isReleasedBatch } from '../../recovery/released-batches.ts'
import { bytesOf, fileById, noteScan } from './queries.ts'

const sweepEveryMs = 15 * 60_000
const rescanEveryMs = 60_000
const atOnceMax = 50
const lookedUpAtOnce = 500
const hourMs = 3_600_000

export function fileChores(parts: Parts): Chore[] {
  return [
    { name: 'sweep-files', everyMs: sweepEveryMs, run: (now) => sweepFiles(parts, now) },
    { name: 'rescan-files', everyMs: rescanEveryMs, run: (now) => rescanFiles(parts, now) },
  ]
}

/**
 * Takes away bytes without a record after a grace time (quality-bar K27, I11), and halves that were never finished: one
 * beside a recorded file is what a crash left of its sealing anew, and the file stays.
 */
export async function sweepFiles(parts: Parts, now: Date): Promise<void> {
  // A restored database lacks the records of files that were uploaded since its backup.
  if (await recoveryOf(parts.jobs)) return
  const strayBefore = now.getTime() - strayBytesHours * hourMs
  const old = (await parts.files.list()).filter(({ writtenAt }) => writtenAt.getTime() < strayBefore)
  for (let at = 0; at < old.length; at += lookedUpAtOnce) {
    const some = old.slice(at, at + lookedUpAtOnce)
    const recorded = await recordedOf(
      parts,
      some.map(({ name }) => name),
    )
    const named = some.map((one) => ({ ...one, id: one.name }))
    await forEachRow({ job: 'sweep-files', rows: named, log: parts.log }, async ({ name, isHalf }) => {
      if (isHalf) await parts.files.removeHalf(name)
      else if (!recorded.has(name) && !isReleasedBatch(name)) await parts.files.remove(name)
    })
  }
}

async function recordedOf(parts: Parts, names: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await rows<{ id: string }>(
    parts.jobs,
    sql`select id from files where id = any (${names.filter(isUuid)}::uuid[])`,
  )
  return new Set(found.map(({ id }) => id))
}

/** Asks the scanner again about what it did not answer. What it refuses loses its bytes; its record tells why. */
export async function rescanFiles(parts: Parts, now: Date): Promise<void> {
  const { scanner } = parts
  if (!scanner) return
  const waiting = await rows<{ id: string }>(
    parts.jobs,
    sql`select id from files where state = 'quarantined' order by scanned_at nulls first limit ${atOnceMax}`,
  )
  let answers = true
  await forEachRow({ job: 'rescan-files', rows: waiting, log: parts.log }, async ({ id }) => {
    // One that does not answer would be waited for at every file.
    if (answers) answers = await rescan(parts, scanner, id, now)
  })
}

/** Returns whether the scanner answered. A damaged file is logged where it is read. */
async function rescan(parts: Parts, scanner: FileScanner, id: string, now: Date): Promise<boolean> {
  const file = await fileById(parts.jobs, id)
  if (!file) return true
  const bytes = await bytesOf(parts, file).catch(nullIfDamaged)
  const result = bytes ? await scanner.scan(bytes) : 'damaged'
  if (result === 'unavailable' || result === 'damaged') {
    await run(parts.jobs, sql`update files set scanned_at = ${now} where id = ${id}`)
    return result === 'damaged'
  }
  const state = result === 'clean' ? 'clean' : 'infected'
  await transaction(parts.jobs, async (tx) => {
    if (!(await noteScan(tx, id, state, now))) return
    const reason = result === 'clean' ? {} : { reason: result.infected }
    const act = { acting: { kind: 'clock' }, now } as const
    const change = { verb: 'scan', clientId: file.client_id, from: 'quarantined', to: state }
    await record(tx, act, { kind: 'file', record: id, ...change, ...reason })
  })
  if (state === 'infected') await parts.files.remove(id)
  return true
}

function nullIfDamaged(error: unknown): null {
  if (error instanceof Problem && error.code === 'file-damaged') return null
  throw error
}
