/** What time brings to files: stray bytes go, quarantined ones are scanned again. */
import { strayBytesHours } from '#rules/constants.ts'
import { record } from '../../db/events.ts'
import { rows, run, sql } from '../../db/sql.ts'
import { transaction } from '../../db/transaction.ts'
import { isUuid } from '../../ids.ts'
import type { Chore } from '../../jobs/workers.ts'
import type { Parts } from '../../parts.ts'
import { recoveryOf } from '../../recovery/stopped-money.ts'
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
    for (const { name, isHalf } of some) {
      if (isHalf) await parts.files.removeHalf(name)
      else if (!recorded.has(name)) await parts.files.remove(name)
    }
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
  for (const { id } of waiting) {
    const file = await fileById(parts.jobs, id)
    if (!file) continue
    // A damaged one is logged where it is read, and must not keep those behind it waiting.
    const bytes = await bytesOf(parts, file).catch(() => null)
    const result = bytes ? await scanner.scan(bytes) : 'damaged'
    if (result === 'unavailable' || result === 'damaged') {
      await run(parts.jobs, sql`update files set scanned_at = ${now} where id = ${id}`)
      if (result === 'damaged') continue
      return
    }
    const state = result === 'clean' ? 'clean' : 'infected'
    await transaction(parts.jobs, async (tx) => {
      if (!(await noteScan(tx, id, state, now))) return
      const reason = result === 'clean' ? undefined : result.infected
      await record(
        tx,
        { acting: { kind: 'clock' }, now },
        {
          kind: 'file',
          verb: 'scan',
          record: id,
          clientId: file.client_id,
          from: 'quarantined',
          to: state,
          ...(reason === undefined ? {} : { reason }),
        },
      )
    })
    if (state === 'infected') await parts.files.remove(id)
  }
}
